"""Certificates of small organisations, made anew for each run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from glassbox.ledger.fabric.identities import Organisation, serialized
from glassbox.ledger.fabric.signing import KeySigner

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FAR_AWAY = datetime(2050, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Member:
    """A key with its certificate."""

    msp_id: str
    key: ec.EllipticCurvePrivateKey
    certificate: bytes

    @property
    def key_pem(self) -> bytes:
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @cached_property
    def signer(self) -> KeySigner:
        return KeySigner(self.msp_id, self.certificate, self.key_pem)

    @cached_property
    def creator(self) -> bytes:
        return serialized(self.msp_id, self.certificate)


class Authority:
    """An organisation's certificate authority, with an intermediate one below it if wanted."""

    def __init__(self, msp_id: str, *, above: Authority | None = None) -> None:
        self.msp_id = msp_id
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"ca.{msp_id}{'.sub' if above else ''}")])
        signed_by = (self.name, self.key) if above is None else (above.name, above.key)
        self.certificate = self._sign(self.name, self.key.public_key(), signed_by, authority=True)

    def _sign(
        self,
        name: x509.Name,
        public: ec.EllipticCurvePublicKey,
        issuer: tuple[x509.Name, ec.EllipticCurvePrivateKey],
        *,
        authority: bool,
        until: datetime = FAR_AWAY,
    ) -> bytes:
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(issuer[0])
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(LONG_AGO)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(issuer[1], SHA256())
            .public_bytes(Encoding.PEM)
        )

    def member(
        self, *roles: str, until: datetime = FAR_AWAY, curve: ec.EllipticCurve | None = None, msp_id: str | None = None
    ) -> Member:
        """Return a new member whose certificate carries these roles."""
        key = ec.generate_private_key(curve or ec.SECP256R1())
        names = [x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, role) for role in roles]
        name = x509.Name([*names, x509.NameAttribute(NameOID.COMMON_NAME, "someone")])
        pem = self._sign(name, key.public_key(), (self.name, self.key), authority=False, until=until)
        return Member(msp_id or self.msp_id, key, pem)

    def organisation(self, *intermediates: Authority) -> Organisation:
        """Return the organisation as a checker trusts it."""
        return Organisation(self.msp_id, (self.certificate,), tuple(one.certificate for one in intermediates))
