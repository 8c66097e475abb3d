"""Who submitted a transaction: the MSP id and the role in the certificate, as Fabric's NodeOUs say it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cryptography import x509
from cryptography.x509.oid import NameOID

from glassbox_chaincode import protos
from glassbox_chaincode.errors import Malformed
from glassbox_contract.stub import Creator

ROLES: Final = ("client", "admin", "peer", "orderer")
"""Organisational units that Fabric's tools write into a certificate."""


@lru_cache(maxsize=256)
def creator_of(data: bytes) -> Creator:
    """Return the creator in a serialized identity; raises Malformed for bytes that are none.

    The peer has checked certificate and signature before it passes them on. The role is "" where the certificate
    carries none, or more than one, or where the identity is no X.509 certificate: then the contract refuses writes.
    """
    try:
        identity = protos.parsed(protos.identities.SerializedIdentity, data)
    except protos.DecodeError:
        raise Malformed("the creator is no serialized identity") from None
    if not identity.mspid:
        raise Malformed("the creator names no MSP")
    return Creator(str(identity.mspid), _role(bytes(identity.id_bytes)))


def _role(pem: bytes) -> str:
    try:
        subject = x509.load_pem_x509_certificate(pem).subject
    except ValueError:
        return ""
    units = (attribute.value for attribute in subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME))
    found = [str(unit) for unit in units if unit in ROLES]
    return found[0] if len(found) == 1 else ""
