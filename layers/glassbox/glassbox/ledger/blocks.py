"""Blocks of the embedded ledger, as pure functions: what is hashed, what is signed, and the check of one block.

A block is a header, its signature, and data. Both header and data are canonical JSON; the header names the ledger, the
height, the hash of the header before it, the hash of its data, and the time. A block's hash is that of its header.
The data of block 0 names the format and the public key; every other block holds exactly one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.ledger.keys import SigningKey, verify
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes, digest, digest_bytes, parse_canonical
from glassbox_contract.errors import ContractError
from glassbox_contract.schema import CONTRACT_VERSION

FORMAT: Final = "glassbox-ledger/1"
NO_BLOCK: Final = "sha256:" + "0" * 64
"""What block 0 names as the block before it."""

HEADER_FIELDS: Final = ("ledger", "height", "previous_hash", "data_hash", "time")
GENESIS_FIELDS: Final = ("format", "contract_version", "public_key", "created_at", "nonce")
TRANSACTION_FIELDS: Final = ("function", "args", "tx_id", "creator", "timestamp", "writes", "event")
_DOMAIN: Final = b"glassbox-ledger-block/1\x00"


@dataclass(frozen=True, slots=True)
class Block:
    """One block: canonical header and data, and the header's signature."""

    header: bytes
    signature: str
    data: bytes

    @property
    def hash(self) -> str:
        """The hash of the header."""
        return digest_bytes(self.header)

    def fields(self) -> dict[str, Any]:
        """Return the header's fields; raises ContractError for a header that is none."""
        value = checks.fields(parse_canonical(self.header), HEADER_FIELDS, "/header")
        for name in ("ledger", "previous_hash", "data_hash"):
            checks.sha256(value[name], f"/header/{name}")
        checks.integer(value["height"], "/header/height", 0, 2**53 - 1)
        checks.timestamp(value["time"], "/header/time")
        return value

    def to_json(self) -> dict[str, Any]:
        """Return {header, signature, data} with header and data as JSON values; canonical, so no byte is lost."""
        return {
            "header": parse_canonical(self.header),
            "signature": self.signature,
            "data": parse_canonical(self.data),
        }


@dataclass(frozen=True, slots=True)
class Transaction:
    """One call of the contract that wrote something."""

    function: str
    args: Sequence[str]
    tx_id: str
    creator: Mapping[str, str]
    timestamp: int
    writes: Sequence[tuple[str, str]]
    """(key, digest of the value) in the order of the keys."""
    event: str | None
    """Digest of the event's canonical name and payload, None where there is none."""

    def to_bytes(self) -> bytes:
        """Return the transaction as the data of a block."""
        return canonical_bytes(
            {
                "function": self.function,
                "args": list(self.args),
                "tx_id": self.tx_id,
                "creator": dict(self.creator),
                "timestamp": self.timestamp,
                "writes": [{"key": key, "value_hash": value_hash} for key, value_hash in self.writes],
                "event": self.event,
            }
        )


def transaction_id(
    previous_hash: str, function: str, args: Sequence[str], creator: Mapping[str, str], timestamp: int
) -> str:
    """Return the 64 hex digits that follow from a call and its place: no two places give one id."""
    call = {
        "previous_hash": previous_hash,
        "function": function,
        "args": list(args),
        "creator": dict(creator),
        "timestamp": timestamp,
    }
    return digest(call).removeprefix("sha256:")


def seal(key: SigningKey, *, ledger: str, height: int, previous_hash: str, data: bytes, time: str) -> Block:
    """Return the signed block with this place and content."""
    header = canonical_bytes(
        {
            "ledger": ledger,
            "height": height,
            "previous_hash": previous_hash,
            "data_hash": digest_bytes(data),
            "time": time,
        }
    )
    return Block(header, key.sign(_DOMAIN + header), data)


def genesis(key: SigningKey, *, created_at: str, nonce: str) -> Block:
    """Return block 0, whose data hash is the name of the ledger from then on."""
    data = canonical_bytes(
        {
            "format": FORMAT,
            "contract_version": CONTRACT_VERSION,
            "public_key": key.public_key,
            "created_at": created_at,
            "nonce": nonce,
        }
    )
    return seal(key, ledger=digest_bytes(data), height=0, previous_hash=NO_BLOCK, data=data, time=created_at)


def block_from_json(value: Any, path: str) -> Block:
    """Return the block in a JSON value of `Block.to_json`; raises ContractError."""
    raw = checks.fields(value, ("header", "signature", "data"), path)
    if not isinstance(raw["signature"], str):
        raise ContractError("INVALID", "must be a string", path + "/signature")
    # A float that is written like an integer would be a byte of the proof that no signature covers.
    header, data = (canonical_bytes(raw[name], floats=False) for name in ("header", "data"))
    return Block(header, raw["signature"], data)


def block_faults(block: Block, public_key: str) -> list[tuple[str, str]]:
    """Return (code, detail) for everything wrong with one block in itself, its place aside."""
    faults = []
    try:
        fields = block.fields()
    except ContractError as error:
        faults.append(("header", f"not a header of this format: {error}"))
    else:
        if digest_bytes(block.data) != fields["data_hash"]:
            faults.append(("data", "the data does not have the hash in the signed header"))
    if not verify(public_key, block.signature, _DOMAIN + block.header):
        faults.append(("signature", "the header is not signed by the ledger's key"))
    return faults


def genesis_fields(block: Block) -> dict[str, Any]:
    """Return the fields of block 0's data; raises ContractError for another format or version."""
    raw = checks.fields(parse_canonical(block.data), GENESIS_FIELDS, "/data")
    if raw["format"] != FORMAT or raw["contract_version"] != CONTRACT_VERSION:
        raise ContractError("INVALID", f"not of format {FORMAT} with contract {CONTRACT_VERSION}", "/data/format")
    if not isinstance(raw["public_key"], str):
        raise ContractError("INVALID", "must be a string", "/data/public_key")
    return raw


def transaction_from(data: bytes) -> Transaction:
    """Return the transaction in a block's data; raises ContractError for data that holds none."""
    raw = checks.fields(parse_canonical(data), TRANSACTION_FIELDS, "/data")
    creator = checks.fields(raw["creator"], ("msp", "role"), "/data/creator")
    args = checks.listing(raw["args"], "/data/args", 8)
    texts = [raw["function"], raw["tx_id"], *creator.values(), *args]
    if not all(isinstance(text, str) for text in texts):
        raise ContractError("INVALID", "must be strings", "/data")
    writes = []
    for at, item in enumerate(checks.listing(raw["writes"], "/data/writes", 64)):
        write = checks.fields(item, ("key", "value_hash"), f"/data/writes/{at}")
        if not isinstance(write["key"], str):
            raise ContractError("INVALID", "must be a string", f"/data/writes/{at}/key")
        writes.append((write["key"], checks.sha256(write["value_hash"], f"/data/writes/{at}/value_hash")))
    return Transaction(
        function=raw["function"],
        args=args,
        tx_id=raw["tx_id"],
        creator=creator,
        timestamp=checks.integer(raw["timestamp"], "/data/timestamp", 0, checks.LATEST),
        writes=writes,
        event=None if raw["event"] is None else checks.sha256(raw["event"], "/data/event"),
    )
