"""Blocks of a channel as JSON: exported lines, and the checkpoint that is kept elsewhere."""

from __future__ import annotations

import base64
from typing import Any, Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import Block, BlockSignature
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.transactions import read_call, read_envelope
from glassbox.ledger.port import ExportKind
from glassbox_contract.canonical import canonical_bytes, parse_canonical
from glassbox_contract.errors import ContractError

CHECKPOINT_FORMAT: Final = "glassbox-fabric-checkpoint/1"
CHECKPOINT_FIELDS: Final = ("format", "channel", "number", "hash", "previous_hash", "data_hash", "value", "signatures")


def b64(data: bytes) -> str:
    """Return bytes as standard Base64 with padding."""
    return base64.b64encode(data).decode("ascii")


def signatures_json(signatures: tuple[BlockSignature, ...]) -> list[dict[str, str]]:
    """Return a block's signatures in the one order that a proof has them in: by their headers."""
    ordered = sorted(signatures, key=lambda one: one.header)
    return [{"header": b64(one.header), "signature": b64(one.signature)} for one in ordered]


def checkpoint(block: Block, channel: str) -> dict[str, Any]:
    """Return a block's header with the orderers' signatures, by which `fsck` knows the chain again."""
    return {
        "format": CHECKPOINT_FORMAT,
        "channel": channel,
        "number": block.number,
        "hash": block.hash,
        "previous_hash": block.previous_hash.hex(),
        "data_hash": block.data_hash.hex(),
        "value": b64(block.value),
        "signatures": signatures_json(block.signatures),
    }


def export_lines(kind: ExportKind, block: Block, chaincode: str) -> list[str]:
    """Return a block's lines: the block itself, or one for each valid record in it."""
    if kind == "blocks":
        return [canonical_bytes(_block_json(block)).decode()]
    lines = []
    for index, data in enumerate(block.data):
        if block.code(index) != int(protos.transactions.VALID):
            continue
        found = committed_record(data, chaincode)
        if found is not None:
            record, tx_id = found
            line = {
                "block": block.number,
                "head_hash": block.hash,
                "record": record,
                "signature": f"ecdsa:{block.signatures[0].signature.hex()}" if block.signatures else "",
                "transaction_id": tx_id,
            }
            lines.append(canonical_bytes(line).decode())
    return lines


def committed_record(data: bytes, chaincode: str) -> tuple[dict[str, Any], str] | None:
    """Return (record, transaction id) of an entry that commits one, None for any other entry."""
    try:
        envelope = read_envelope(data)
        if not envelope.is_transaction:
            return None
        call = read_call(envelope)
        if call.chaincode != chaincode or len(call.args) != 2 or call.args[0] != b"CommitScorecard":
            return None
        record = parse_canonical(call.args[1])
    except (Malformed, ContractError):
        return None
    return (record, envelope.tx_id) if isinstance(record, dict) else None


def _block_json(block: Block) -> dict[str, Any]:
    return {
        "number": block.number,
        "previous_hash": block.previous_hash.hex(),
        "data_hash": block.data_hash.hex(),
        "hash": block.hash,
        "transactions": [b64(one) for one in block.data],
        "value": b64(block.value),
        "signatures": signatures_json(block.signatures),
        "codes": block.codes.hex(),
    }
