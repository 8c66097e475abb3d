"""Documents in S3: sealed, inside the tenant's own prefix, and written once where a step says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.adapters.aws.sealing import Sealer
from glassbox.errors import StoreError
from glassbox.pipeline.ports import Json
from glassbox_contract.canonical import canonical_bytes, parse
from glassbox_contract.errors import ContractError

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAME: Final = re.compile(r"[a-z][a-z0-9_.]{0,80}")
_TENANT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_TAKEN: Final = ("PreconditionFailed", "ConditionalRequestConflict", "412", "409")
_ABSENT: Final = ("NoSuchKey", "404")


def is_tenant(name: str) -> bool:
    """Return whether a text can name a tenant: letters, digits, `-` and `_`, at most 64."""
    return bool(_TENANT.fullmatch(name))


class S3Documents:
    """JSON documents at `tenants/<tenant>/evaluations/<id>/<name>.json`."""

    def __init__(self, bucket: str, tenant: str, sealer: Sealer) -> None:
        if not is_tenant(tenant):
            raise StoreError("This can't be the name of a tenant", where=f"{len(tenant)} characters")
        self._bucket = bucket
        self._tenant = tenant
        self._sealer = sealer

    def key(self, evaluation_id: str, name: str) -> str:
        """Return the object's key; raises StoreError for an id or a name that is none."""
        if not _ID.fullmatch(evaluation_id) or not _NAME.fullmatch(name):
            raise StoreError("Not the id of an evaluation", where=f"{len(evaluation_id)} characters")
        return f"tenants/{self._tenant}/evaluations/{evaluation_id}/{name}.json"

    def get(self, evaluation_id: str, name: str) -> Json | None:
        """Return the document, or None where there is none; raises StoreError for a damaged or an erased one."""
        key = self.key(evaluation_id, name)
        data = self._read(key)
        return None if data is None else _document(self._sealer.open(evaluation_id, key, data), key)

    def put(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> None:
        """Store the document durably, replacing an older one in one step."""
        key = self.key(evaluation_id, name)
        self._write(key, self._sealed(evaluation_id, key, document))

    def put_new(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> Json:
        """Store the document unless there is one, and return the one that now stands."""
        key = self.key(evaluation_id, name)
        if self._write(key, self._sealed(evaluation_id, key, document), only_new=True):
            return dict(document)
        standing = self.get(evaluation_id, name)
        if standing is None:
            raise StoreError("A document vanished while it was written", where=key)
        return standing

    def delete(self, evaluation_id: str, name: str) -> None:
        """Remove the document if it is there."""
        key = self.key(evaluation_id, name)
        with as_store_error(key):
            client("s3").delete_object(Bucket=self._bucket, Key=key)

    def uri(self, evaluation_id: str, name: str) -> str:
        """Return the object's address."""
        return f"s3://{self._bucket}/{self.key(evaluation_id, name)}"

    def copy_to(self, bucket: str, evaluation_id: str, name: str) -> str:
        """Copy a document, as it is sealed, to another bucket and return its address there."""
        key = self.key(evaluation_id, name)
        data = self._read(key)
        if data is None:
            raise StoreError("There is no such document", where=key)
        with as_store_error(key):
            client("s3").put_object(
                Bucket=bucket, Key=key, Body=data, ContentType="application/octet-stream", ChecksumAlgorithm="SHA256"
            )
        return f"s3://{bucket}/{key}"

    def _sealed(self, evaluation_id: str, key: str, document: Mapping[str, Any]) -> bytes:
        return self._sealer.seal(evaluation_id, key, canonical_bytes(dict(document)))

    def _read(self, key: str) -> bytes | None:
        from botocore.exceptions import ClientError

        with as_store_error(key):
            try:
                return bytes(client("s3").get_object(Bucket=self._bucket, Key=key)["Body"].read())
            except ClientError as error:
                if error_code(error) in _ABSENT:
                    return None
                raise

    def _write(self, key: str, data: bytes, *, only_new: bool = False) -> bool:
        """Return whether the object was written; False where it stood already."""
        from botocore.exceptions import ClientError

        condition = {"IfNoneMatch": "*"} if only_new else {}
        with as_store_error(key):
            try:
                client("s3").put_object(
                    Bucket=self._bucket, Key=key, Body=data, ContentType="application/octet-stream", **condition
                )
            except ClientError as error:
                if only_new and error_code(error) in _TAKEN:
                    return False
                raise
        return True


def _document(data: bytes, key: str) -> Json:
    try:
        value = parse(data)
    except ContractError as error:
        raise StoreError(
            f"A stored document is damaged: {error.reason}", where=key, fix="Restore it from a backup"
        ) from None
    if not isinstance(value, dict):
        raise StoreError("A stored document is damaged: not an object", where=key, fix="Restore it from a backup")
    return value
