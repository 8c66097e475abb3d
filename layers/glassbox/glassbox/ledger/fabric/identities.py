"""Identities of a Fabric network: certificates, the organisation they chain to, and the role that they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from glassbox.ledger.fabric import protos, signatures
from glassbox.ledger.fabric.errors import Malformed

ROLES: Final = ("client", "peer", "admin", "orderer")
_LONGEST_CHAIN: Final = 6


@dataclass(frozen=True, slots=True)
class Identity:
    """Who signed something: an organisation's MSP id and the certificate, as they stand in the message."""

    msp_id: str
    certificate: x509.Certificate

    @property
    def role(self) -> str:
        """The NodeOU role in the certificate, "" where it carries none or more than one."""
        found = [
            str(attribute.value)
            for attribute in self.certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
            if attribute.value in ROLES
        ]
        return found[0] if len(found) == 1 else ""

    @property
    def name(self) -> str:
        """MSP id and role for a message; nothing else of the certificate is shown."""
        return f"{self.msp_id}.{self.role or 'member'}"

    def fault(self, signature: bytes, message: bytes) -> str | None:
        """Return what is wrong with this identity's signature of `message`; None where it holds."""
        key = self.certificate.public_key()
        if not isinstance(key, ec.EllipticCurvePublicKey):
            return "the certificate's key is not ECDSA"
        return signatures.fault(key, signature, message)


def serialized(msp_id: str, pem: bytes) -> bytes:
    """Return the identity as it stands in a signature header."""
    data: bytes = protos.identities.SerializedIdentity(mspid=msp_id, id_bytes=pem).SerializeToString()
    return data


@lru_cache(maxsize=1024)
def read_identity(data: bytes) -> Identity:
    """Return the identity in a signature header or an endorsement; raises Malformed."""
    try:
        message = protos.identities.SerializedIdentity.FromString(data)
        certificate = x509.load_pem_x509_certificate(message.id_bytes)
        # All that is read later is read now, so that a broken part of it surfaces here.
        _ = certificate.subject, certificate.public_key(), certificate.extensions, certificate.not_valid_after_utc
    except Exception as error:
        raise Malformed(f"not an identity with a certificate ({type(error).__name__})") from None
    return Identity(str(message.mspid), certificate)


@dataclass(frozen=True, slots=True)
class Organisation:
    """An organisation as a checker trusts it: its id and the certificates that its members' chain to."""

    msp_id: str
    roots: tuple[bytes, ...]
    """Certificates of its root authorities, PEM."""
    intermediates: tuple[bytes, ...] = ()

    def fault(self, identity: Identity, at: int) -> str | None:
        """Return why an identity is none of this organisation at a time in milliseconds since 1970; None if it is."""
        if identity.msp_id != self.msp_id:
            return f"it is of {identity.msp_id}, not of {self.msp_id}"
        der = identity.certificate.public_bytes(Encoding.DER)
        chain = _chain(der, self.roots, self.intermediates)
        if chain is None:
            return f"its certificate does not chain to a root of {self.msp_id}"
        try:
            moment = datetime.fromtimestamp(at / 1000, UTC)
        except (ValueError, OverflowError, OSError):
            return "the time of the transaction is beyond the calendar"
        for number, link in enumerate(chain):
            if not link.not_valid_before_utc <= moment <= link.not_valid_after_utc:
                whose = "its certificate" if number == 0 else "a certificate of its authority"
                return f"{whose} was not valid at the time of the transaction"
        return None


@lru_cache(maxsize=1024)
def _chain(
    der: bytes, roots: tuple[bytes, ...], intermediates: tuple[bytes, ...]
) -> tuple[x509.Certificate, ...] | None:
    """Return the certificates from the leaf to one of the roots, None where there is no such chain."""
    leaf = x509.load_der_x509_certificate(der)
    if _is_authority(leaf):
        return None
    anchors = [x509.load_pem_x509_certificate(pem) for pem in roots]
    between = [x509.load_pem_x509_certificate(pem) for pem in intermediates]
    chain = [leaf]
    while len(chain) < _LONGEST_CHAIN:
        root = _issuer(chain[-1], anchors)
        if root is not None:
            return (*chain, root)
        above = _issuer(chain[-1], [one for one in between if one not in chain])
        if above is None:
            return None
        chain.append(above)
    return None


def _issuer(certificate: x509.Certificate, candidates: Sequence[x509.Certificate]) -> x509.Certificate | None:
    for candidate in candidates:
        try:
            certificate.verify_directly_issued_by(candidate)
        except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
            continue
        if _is_authority(candidate):
            return candidate
    return None


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return bool(certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca)
    except (x509.ExtensionNotFound, ValueError):
        return False
