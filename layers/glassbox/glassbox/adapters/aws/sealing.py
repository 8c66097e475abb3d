"""Sealing: each evaluation's documents are encrypted under a data key of their own, wrapped by KMS and kept apart.

Whoever destroys the wrapped key has erased every copy of the texts, also those that a locked bucket can't give up.
"""

from __future__ import annotations

import base64
import secrets
from functools import lru_cache
from typing import Final

from glassbox.adapters.aws.clients import as_store_error, client
from glassbox.adapters.aws.records import Records
from glassbox.errors import Erased, StoreError

_MAGIC: Final = b"GBX1"
_NONCE: Final = 12
_FIX: Final = "The data key was destroyed: the texts are erased, the ledger's record stays"


class Sealer:
    """Encrypts and opens the documents of a tenant's evaluations (AES-256-GCM; the object's key is authenticated)."""

    def __init__(self, tenant: str, records: Records, key_id: str) -> None:
        self._tenant = tenant
        self._records = records
        self._key_id = key_id

    def seal(self, evaluation_id: str, place: str, data: bytes) -> bytes:
        """Return magic, nonce and ciphertext of `data`; makes the evaluation's data key at first use."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        sealed = AESGCM(self._key(evaluation_id, make=True)).encrypt(nonce, data, place.encode())
        return _MAGIC + nonce + sealed

    def open(self, evaluation_id: str, place: str, data: bytes) -> bytes:
        """Return what was sealed; raises StoreError where it was changed, moved or its key destroyed."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        start = len(_MAGIC) + _NONCE
        if not data.startswith(_MAGIC):
            raise StoreError("A stored document is not sealed", where=place, fix="Restore it from a backup")
        try:
            return AESGCM(self._key(evaluation_id)).decrypt(data[len(_MAGIC) : start], data[start:], place.encode())
        except InvalidTag:
            raise StoreError(
                "A stored document was changed or moved", where=place, fix="Restore it from a backup"
            ) from None

    def _key(self, evaluation_id: str, *, make: bool = False) -> bytes:
        wrapped = self._records.wrapped_key(evaluation_id)
        if wrapped is None and make:
            with as_store_error("KMS"):
                made = client("kms").generate_data_key(
                    KeyId=self._key_id, KeySpec="AES_256", EncryptionContext=self._context(evaluation_id)
                )
            wrapped = self._records.keep_wrapped_key(evaluation_id, base64.b64encode(made["CiphertextBlob"]).decode())
        if wrapped is None:
            raise Erased("The texts of this evaluation were erased", where=evaluation_id, fix=_FIX)
        return _unwrapped(wrapped, self._key_id, self._tenant, evaluation_id)

    def _context(self, evaluation_id: str) -> dict[str, str]:
        return {"tenant": self._tenant, "evaluation": evaluation_id}


@lru_cache(maxsize=256)
def _unwrapped(wrapped: str, key_id: str, tenant: str, evaluation_id: str) -> bytes:
    with as_store_error("KMS"):
        opened = client("kms").decrypt(
            KeyId=key_id,
            CiphertextBlob=base64.b64decode(wrapped),
            EncryptionContext={"tenant": tenant, "evaluation": evaluation_id},
        )
    return bytes(opened["Plaintext"])


def forget_data_keys() -> None:
    """Drop the data keys that this process holds."""
    _unwrapped.cache_clear()
