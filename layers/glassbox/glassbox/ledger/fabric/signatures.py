"""ECDSA signatures as Fabric demands them: SHA-256, DER, and the lower of the two possible values of s."""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

_ORDERS: Final = {
    "secp256r1": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "secp384r1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
}
"""Orders of the curves that Fabric's identities may use (SEC 2, sections 2.4.2 and 2.5.1)."""

CURVES: Final = tuple(_ORDERS)


def sign(key: ec.EllipticCurvePrivateKey, message: bytes) -> bytes:
    """Return the signature of `message` with s at most half the curve's order; raises KeyError for another curve."""
    r, s = decode_dss_signature(key.sign(message, ec.ECDSA(SHA256())))
    return encode_dss_signature(r, low(s, key.curve))


def low(s: int, curve: ec.EllipticCurve) -> int:
    """Return the lower of `s` and its mirror image, which would sign the same message."""
    order = _ORDERS[curve.name]
    return order - s if s > order // 2 else s


def fault(key: ec.EllipticCurvePublicKey, signature: bytes, message: bytes) -> str | None:
    """Return what is wrong with a signature of `message`, in words; None where it holds.

    Only the one DER form with the lower s is taken, so that no byte of a signature can be changed unnoticed.
    """
    try:
        r, s = decode_dss_signature(signature)
    except ValueError:
        return "the signature is not DER"
    if encode_dss_signature(r, s) != signature:
        return "the signature is not DER"
    if key.curve.name not in _ORDERS:
        return f"the key's curve {key.curve.name} is not one that Fabric takes"
    if s != low(s, key.curve):
        return "the signature has the high s, which Fabric refuses"
    try:
        key.verify(signature, message, ec.ECDSA(SHA256()))
    except InvalidSignature:
        return "the signature does not hold"
    return None
