"""Who signs for this client: a port, and the signer that holds a key of its own in memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Protocol

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from glassbox.ledger.fabric import signatures
from glassbox.ledger.fabric.errors import FabricMisconfigured


class Signer(Protocol):
    """An identity that can sign: a key in memory, or one that never leaves a key service."""

    @property
    def msp_id(self) -> str:
        """The MSP id of the identity's organisation."""

    @property
    def certificate(self) -> bytes:
        """The identity's certificate, PEM."""

    def sign(self, message: bytes) -> bytes:
        """Return the DER signature with low s of the SHA-256 of `message`; may be called by several threads."""


class KeySigner:
    """A signer with its private key in memory; its repr shows the MSP id alone."""

    def __init__(self, msp_id: str, certificate: bytes, private_key: bytes, *, where: str = "the profile") -> None:
        """Take a certificate and its PKCS#8 or SEC 1 key, both PEM; raises FabricMisconfigured saying what is wrong."""
        self.msp_id = msp_id
        self.certificate = certificate
        self._key = _private(private_key, where)
        try:
            public = x509.load_pem_x509_certificate(certificate).public_key()
        except ValueError:
            raise FabricMisconfigured("The identity's certificate can't be read", where=where, fix="Give PEM") from None
        form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if public.public_bytes(*form) != self._key.public_key().public_bytes(*form):
            raise FabricMisconfigured(
                "The private key is not the certificate's", where=where, fix="Give the key that the certificate is for"
            )

    def __repr__(self) -> str:
        return f"KeySigner({self.msp_id!r})"

    def sign(self, message: bytes) -> bytes:
        """Return the DER signature with low s of the SHA-256 of `message`."""
        return signatures.sign(self._key, message)


def _private(pem: bytes, where: str) -> ec.EllipticCurvePrivateKey:
    try:
        key = load_pem_private_key(pem, None)
    except (ValueError, TypeError):
        # The reason might quote the key, so it is left out.
        raise FabricMisconfigured(
            "The identity's private key can't be read", where=where, fix="Give an unencrypted ECDSA key, PEM"
        ) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name not in signatures.CURVES:
        raise FabricMisconfigured(
            "The identity's private key is not ECDSA on P-256 or P-384", where=where, fix="Enrol with such a key"
        )
    return key


def read_key_file(path: Path) -> bytes:
    """Return the PEM in a private key's file, which nobody but its owner may read; raises FabricMisconfigured."""
    try:
        mode = path.stat().st_mode
        data = path.read_bytes()
    except OSError as error:
        raise FabricMisconfigured(
            f"The identity's private key can't be read ({error.strerror or type(error).__name__})",
            where=str(path),
            fix="Check the path in the connection profile, its owner and its mode",
        ) from None
    if stat.S_IMODE(mode) & 0o077 and os.name == "posix":
        raise FabricMisconfigured(
            "The identity's private key can be read by others", where=str(path), fix="Run chmod 600 on it"
        )
    return data
