"""Who signed what: organisations, their members' roles, and ECDSA signatures as Fabric takes them (DER, low S)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import NameOID

from devpeer import protos
from devpeer.config import Authorities, KeyPair
from devpeer.errors import ConfigError

ROLES: Final = ("client", "peer", "admin", "orderer")
_ORDERS: Final = {
    "secp256r1": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "secp384r1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
}
_LONGEST_CHAIN: Final = 6
_KEPT: Final = 1024


class Denied(Exception):
    """An identity or a signature that does not hold; `msp_id` None where not even the organisation is known."""

    def __init__(self, reason: str, msp_id: str | None = None) -> None:
        super().__init__(reason)
        self.msp_id = msp_id


@dataclass(frozen=True, slots=True)
class Member:
    """A member of one of the organisations, whose certificate was valid when it was asked for."""

    msp_id: str
    role: str
    """By the certificate's organisational unit: client, peer, admin, orderer; "" for none or several."""
    key: ec.EllipticCurvePublicKey

    def check(self, message: bytes, signature: bytes) -> None:
        """Raise Denied unless `signature` is this member's of `message`."""
        try:
            r, s = utils.decode_dss_signature(signature)
        except ValueError:
            raise Denied("the signature is no DER", self.msp_id) from None
        if utils.encode_dss_signature(r, s) != signature:
            raise Denied("the signature is no DER", self.msp_id)
        if s > _ORDERS[self.key.curve.name] // 2:
            raise Denied("the signature's S is high", self.msp_id)
        try:
            self.key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Denied("the signature does not hold", self.msp_id) from None


class Members:
    """The organisations of a channel, and who belongs to them."""

    def __init__(self, groups: Mapping[str, Authorities]) -> None:
        self.groups = dict(groups)
        self._authorities = {name: _loaded(name, group) for name, group in groups.items()}
        self._known: OrderedDict[bytes, tuple[Member, tuple[x509.Certificate, ...]]] = OrderedDict()

    def member(self, creator: bytes) -> Member:
        """Return the member that a serialized identity names; raises Denied."""
        held = self._known.get(creator)
        if held is None:
            held = self._read(creator)
            self._known[creator] = held
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        member, chain = held
        now = datetime.now(UTC)
        if not all(one.not_valid_before_utc <= now <= one.not_valid_after_utc for one in chain):
            raise Denied("a certificate is not valid now", member.msp_id)
        return member

    def signed(self, creator: bytes, message: bytes, signature: bytes) -> Member:
        """Return the member that signed `message`; raises Denied."""
        member = self.member(creator)
        member.check(message, signature)
        return member

    def _read(self, creator: bytes) -> tuple[Member, tuple[x509.Certificate, ...]]:
        try:
            identity = protos.identities.SerializedIdentity.FromString(creator)
            certificate = x509.load_pem_x509_certificate(identity.id_bytes)
            key = certificate.public_key()
            units = certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
        except (protos.DecodeError, ValueError, TypeError):
            raise Denied("the creator can't be read") from None
        if identity.mspid not in self._authorities:
            raise Denied("the organisation is unknown")
        if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name not in _ORDERS:
            raise Denied("the key is not ECDSA on P-256 or P-384", identity.mspid)
        if _is_authority(certificate):
            raise Denied("an authority is no member", identity.mspid)
        chain = _chain(certificate, *self._authorities[identity.mspid])
        if chain is None:
            # Fabric has no word for whose it is either, since it needs the chain to read the certificate.
            raise Denied("the certificate does not chain to a root")
        roles = [str(unit.value) for unit in units if unit.value in ROLES]
        return Member(str(identity.mspid), roles[0] if len(roles) == 1 else "", key), chain


class Signer:
    """A private key with the identity that it signs for."""

    def __init__(self, msp_id: str, pair: KeyPair) -> None:
        try:
            key = load_pem_private_key(pair.key, None)
        except (ValueError, TypeError):
            raise ConfigError(f"the private key of {msp_id} can't be read: it must be a PEM without password") from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name not in _ORDERS:
            raise ConfigError(f"the private key of {msp_id} must be ECDSA on P-256 or P-384")
        self.msp_id = msp_id
        self._key = key
        identity = protos.identities.SerializedIdentity(mspid=msp_id, id_bytes=pair.certificate)
        self.creator = protos.encoded(identity)

    def sign(self, message: bytes) -> bytes:
        """Return a DER signature with low S."""
        r, s = utils.decode_dss_signature(self._key.sign(message, ec.ECDSA(hashes.SHA256())))
        return utils.encode_dss_signature(r, min(s, _ORDERS[self._key.curve.name] - s))


def _loaded(name: str, group: Authorities) -> tuple[list[x509.Certificate], list[x509.Certificate]]:
    try:
        roots = [one for pem in group.roots for one in x509.load_pem_x509_certificates(pem)]
        between = [one for pem in group.intermediates for one in x509.load_pem_x509_certificates(pem)]
    except ValueError:
        raise ConfigError(f"an authority's certificate of {name} can't be read: it must be PEM") from None
    return roots, between


def _chain(
    leaf: x509.Certificate, roots: Iterable[x509.Certificate], between: Iterable[x509.Certificate]
) -> tuple[x509.Certificate, ...] | None:
    chain = [leaf]
    while len(chain) < _LONGEST_CHAIN:
        if root := _issuer(chain[-1], roots):
            return (*chain, root)
        above = _issuer(chain[-1], [one for one in between if one not in chain])
        if above is None:
            return None
        chain.append(above)
    return None


def _issuer(certificate: x509.Certificate, candidates: Iterable[x509.Certificate]) -> x509.Certificate | None:
    for candidate in candidates:
        try:
            certificate.verify_directly_issued_by(candidate)
        except (ValueError, TypeError, InvalidSignature):
            continue
        if _is_authority(candidate):
            return candidate
    return None


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return bool(certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca)
    except (x509.ExtensionNotFound, ValueError):
        return False
