"""Blocks as Fabric makes them: what is hashed, what the orderer signs, and where peers put their validation codes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import Any, Final

from devpeer import protos
from devpeer.identities import Signer

SIGNATURES: Final = 0
LAST_CONFIG: Final = 1
CODES: Final = 2
_PLACES: Final = 5
"""Places of a block's metadata: signatures, last configuration, validation codes, orderer, commit hash."""


def header_bytes(number: int, previous_hash: bytes, data_hash: bytes) -> bytes:
    """Return a header in ASN.1 DER: SEQUENCE of INTEGER, OCTET STRING, OCTET STRING."""
    digits = number.to_bytes(number.bit_length() // 8 + 1, "big")
    body = _tlv(0x02, digits) + _tlv(0x04, previous_hash) + _tlv(0x04, data_hash)
    return _tlv(0x30, body)


def header_hash(header: Any) -> bytes:
    """Return the hash that the next block names."""
    return hashlib.sha256(header_bytes(header.number, header.previous_hash, header.data_hash)).digest()


def data_hash(data: Sequence[bytes]) -> bytes:
    """Return the hash of a block's transactions, one after another."""
    return hashlib.sha256(b"".join(data)).digest()


def new_block(number: int, previous_hash: bytes, data: Sequence[bytes]) -> Any:
    """Return a block without signatures and codes."""
    header = protos.common.BlockHeader(number=number, previous_hash=previous_hash, data_hash=data_hash(data))
    last = protos.encoded(protos.common.Metadata(value=protos.encoded(protos.common.LastConfig(index=0))))
    metadata = [b""] * _PLACES
    metadata[LAST_CONFIG] = last
    return protos.common.Block(
        header=header,
        data=protos.common.BlockData(data=data),
        metadata=protos.common.BlockMetadata(metadata=metadata),
    )


def sign_block(block: Any, orderer: Signer) -> None:
    """Put the orderer's signature under a block: over its metadata's value, its own header and the block's header."""
    consenter = protos.encoded(protos.common.Metadata())
    value = protos.encoded(
        protos.common.OrdererBlockMetadata(last_config=protos.common.LastConfig(index=0), consenter_metadata=consenter)
    )
    signer = protos.encoded(protos.common.SignatureHeader(creator=orderer.creator, nonce=os.urandom(24)))
    header = header_bytes(block.header.number, block.header.previous_hash, block.header.data_hash)
    one = protos.common.MetadataSignature(signature_header=signer, signature=orderer.sign(value + signer + header))
    block.metadata.metadata[SIGNATURES] = protos.encoded(protos.common.Metadata(value=value, signatures=[one]))


def _tlv(tag: int, value: bytes) -> bytes:
    size = len(value)
    if size < 0x80:
        return bytes([tag, size]) + value
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + value
