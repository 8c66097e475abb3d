"""Blocks of a Fabric channel: what is hashed, what the orderers sign, and the codes that peers gave.

A block's hash is the SHA-256 of its header in ASN.1 DER (number, previous hash, data hash); its data hash is that of
its transactions one after another. Orderers sign the value of their metadata, the signature's own header and the
block's header, so that nothing but the validation codes, which each peer gives, stands outside the signature.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.messages import parsed

HASH_BYTES: Final = 32
_SIGNATURES: Final = 0
_CODES: Final = 2
"""Places of the orderers' signatures and of the validation codes in a block's metadata."""


@dataclass(frozen=True, slots=True)
class BlockSignature:
    """An orderer's signature: the header that names the orderer, and the DER signature."""

    header: bytes
    """Serialized common.SignatureHeader."""
    signature: bytes

    @property
    def creator(self) -> bytes:
        """The serialized identity that signed; raises Malformed."""
        return bytes(parsed(protos.common.SignatureHeader, self.header, "signature header").creator)


@dataclass(frozen=True, slots=True)
class Block:
    """One block as a peer gives it."""

    number: int
    previous_hash: bytes
    data_hash: bytes
    """As its header claims."""
    data: tuple[bytes, ...]
    """Serialized common.Envelope, in order."""
    value: bytes
    """What the orderers signed beside the header."""
    signatures: tuple[BlockSignature, ...]
    codes: bytes
    """One validation code for each transaction, by the peer that gave the block."""

    @property
    def hash(self) -> str:
        """The hash of the header, `sha256:` and 64 hex digits."""
        return "sha256:" + hashlib.sha256(self.header).hexdigest()

    @property
    def header(self) -> bytes:
        """The header as it is hashed."""
        return header_bytes(self.number, self.previous_hash, self.data_hash)

    def signed_by(self, one: BlockSignature) -> bytes:
        """Return the bytes that a signature is for."""
        return self.value + one.header + self.header

    def code(self, index: int) -> int:
        """Return the validation code of the transaction at `index`; 254, not validated, where the peer gave none."""
        return self.codes[index] if index < len(self.codes) else 254


def read_block(data: bytes) -> Block:
    """Return the block in a peer's answer; raises Malformed."""
    raw = parsed(protos.common.Block, data, "block")
    metadata = list(raw.metadata.metadata)
    signed = parsed(protos.common.Metadata, metadata[_SIGNATURES] if metadata else b"", "metadata of a block")
    return Block(
        number=int(raw.header.number),
        previous_hash=bytes(raw.header.previous_hash),
        data_hash=bytes(raw.header.data_hash),
        data=tuple(bytes(one) for one in raw.data.data),
        value=bytes(signed.value),
        signatures=tuple(
            BlockSignature(bytes(one.signature_header), bytes(one.signature)) for one in signed.signatures
        ),
        codes=bytes(metadata[_CODES]) if len(metadata) > _CODES else b"",
    )


def data_hash(data: tuple[bytes, ...]) -> bytes:
    """Return the hash that a block of these transactions has in its header."""
    digest = hashlib.sha256()
    for one in data:
        digest.update(one)
    return digest.digest()


def header_bytes(number: int, previous_hash: bytes, data_hash: bytes) -> bytes:
    """Return the DER of a header: SEQUENCE of INTEGER, OCTET STRING, OCTET STRING. Raises Malformed out of range."""
    if not 0 <= number < 2**64 or len(previous_hash) not in (0, HASH_BYTES) or len(data_hash) != HASH_BYTES:
        raise Malformed("not a header of a block")
    size = number.bit_length() // 8 + 1
    parts = b"\x02" + bytes([size]) + number.to_bytes(size, "big")
    for octets in (previous_hash, data_hash):
        parts += b"\x04" + bytes([len(octets)]) + octets
    return b"\x30" + bytes([len(parts)]) + parts
