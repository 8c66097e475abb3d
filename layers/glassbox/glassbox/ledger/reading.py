"""Reading the embedded ledger's blocks: head, place of a transaction, checkpoint, proof, export."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from glassbox.errors import LedgerDamaged
from glassbox.ledger.blocks import Block, block_faults, genesis_fields, transaction_from
from glassbox.ledger.port import ExportKind
from glassbox.ledger.storage import RESTORE
from glassbox_contract.canonical import canonical_bytes, parse_canonical
from glassbox_contract.errors import ContractError

CHECKPOINT_FORMAT: Final = "glassbox-checkpoint/1"
PROOF_FORMAT: Final = "glassbox-embedded-proof/1"


def damaged(what: str, path: Path) -> LedgerDamaged:
    """Return the error for a ledger that contradicts itself."""
    return LedgerDamaged(what, where=str(path), fix=RESTORE)


def block_at(connection: sqlite3.Connection, path: Path, height: int) -> Block:
    """Return the block at a height; raises LedgerDamaged where there is none."""
    row = connection.execute("SELECT header, signature, data FROM blocks WHERE height = ?", (height,)).fetchone()
    if row is None:
        raise damaged(f"Block {height} is missing from the ledger", path)
    return Block(bytes(row[0]), str(row[1]), bytes(row[2]))


def head(connection: sqlite3.Connection, path: Path) -> tuple[int, Block]:
    """Return height and block of the last block, whose signature holds; raises LedgerDamaged otherwise."""
    height = connection.execute("SELECT max(height) FROM blocks").fetchone()[0]
    if height is None:
        raise damaged("The ledger has no block", path)
    block = block_at(connection, path, height)
    faults = block_faults(block, public_key(connection, path))
    if faults or block.fields()["height"] != height:
        raise damaged(f"The last block ({height}) is damaged; no record can be added to it", path)
    return height, block


def public_key(connection: sqlite3.Connection, path: Path) -> str:
    """Return the public key in block 0."""
    try:
        return str(genesis_fields(block_at(connection, path, 0))["public_key"])
    except ContractError as error:
        raise damaged(f"Block 0 can't be read ({error})", path) from None


def height_of(connection: sqlite3.Connection, path: Path, tx_id: str) -> int:
    """Return the height of the block that holds a transaction."""
    row = connection.execute("SELECT height FROM transactions WHERE tx_id = ?", (tx_id,)).fetchone()
    if row is None:
        raise damaged("A record names a transaction that the ledger doesn't hold", path)
    return int(row[0])


def checkpoint(connection: sqlite3.Connection, path: Path) -> dict[str, Any]:
    """Return {format, public_key, head_hash, header, signature} of the last block."""
    _, block = head(connection, path)
    return {
        "format": CHECKPOINT_FORMAT,
        "public_key": public_key(connection, path),
        "head_hash": block.hash,
        "header": parse_canonical(block.header),
        "signature": block.signature,
    }


def proof(connection: sqlite3.Connection, path: Path, record_height: int, policy_height: int) -> dict[str, Any]:
    """Return {format, public_key, policy, record}: the two signed blocks that a check needs."""
    return {
        "format": PROOF_FORMAT,
        "public_key": public_key(connection, path),
        "policy": block_at(connection, path, policy_height).to_json(),
        "record": block_at(connection, path, record_height).to_json(),
    }


def export_lines(kind: ExportKind, height: int, block: Block) -> list[str]:
    """Return the line of a block: the block itself, or the record in it if it holds one."""
    if kind == "blocks":
        return [canonical_bytes(block.to_json()).decode()]
    if height == 0:
        return []
    transaction = transaction_from(block.data)
    if transaction.function != "CommitScorecard":
        return []
    line = {
        "block": height,
        "head_hash": block.hash,
        "record": parse_canonical(transaction.args[0].encode()),
        "signature": block.signature,
        "transaction_id": transaction.tx_id,
    }
    return [canonical_bytes(line).decode()]
