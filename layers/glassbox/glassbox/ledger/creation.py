"""How an embedded ledger begins: key and block 0 appear together, whatever else happens meanwhile.

The new key waits in `<key>.new` until block 0, which names its public half, is committed; then it takes its own name.
A crash before the commit leaves an empty database and a waiting key, which the next start uses; a crash after it
leaves a waiting key that the next start puts in place. A key in place without block 0 means that the ledger was moved
or removed: no new one is begun over it.
"""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path

from glassbox.errors import LedgerError, LedgerNotFound
from glassbox.ledger import blocks, keys, storage
from glassbox.ledger.blocks import Block
from glassbox.ledger.errors import LedgerKeyUnusable, LedgerMisplaced
from glassbox_contract import checks


def insert(connection: sqlite3.Connection, height: int, block: Block) -> None:
    """Append one block's row."""
    connection.execute(
        "INSERT INTO blocks (height, header, signature, data) VALUES (?, ?, ?, ?)",
        (height, block.header, block.signature, block.data),
    )


def emptied(path: Path, key_path: Path) -> LedgerError:
    """Return the error for reading an empty database: never begun, or emptied since if its key is in place."""
    if key_path.exists():
        return LedgerMisplaced(
            "The ledger's file is empty, but its signing key shows that it was begun",
            where=str(path),
            fix="Restore the last good copy",
        )
    return LedgerNotFound("The ledger is empty", where=str(path), fix="Evaluate something first")


def ensure_begun(connection: sqlite3.Connection, path: Path, key_path: Path, now: int, timeout: float) -> None:
    """Return when the ledger has its block 0 and the key its own name; raises LedgerError."""
    waiting = key_path.with_name(key_path.name + ".new")
    if storage.is_empty(connection, path):
        storage.use_wal(connection, path, timeout)
        _begin(connection, path, key_path, waiting, now)
    if waiting.exists():
        _put_in_place(connection, path, key_path, waiting)


def _begin(connection: sqlite3.Connection, path: Path, key_path: Path, waiting: Path, now: int) -> None:
    with storage.translated(path):
        connection.execute("BEGIN IMMEDIATE")
    try:
        # Only the holder of the write lock looks again, so two processes can't both begin.
        if not storage.is_empty(connection, path):
            return
        if key_path.exists():
            raise LedgerKeyUnusable(
                "There is a signing key, but its ledger is gone",
                where=str(key_path),
                fix=f"Restore {path.name}; to begin a new ledger, move the old key away",
            )
        key = keys.load(waiting) if waiting.exists() else keys.create(waiting)
        with storage.translated(path):
            storage.create_schema(connection)
            first = blocks.genesis(key, created_at=checks.format_timestamp(now), nonce=secrets.token_hex(16))
            insert(connection, 0, first)
            connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _put_in_place(connection: sqlite3.Connection, path: Path, key_path: Path, waiting: Path) -> None:
    with storage.translated(path):
        row = connection.execute("SELECT header, signature, data FROM blocks WHERE height = 0").fetchone()
    try:
        ours = row is not None and keys.load(waiting).public_key == blocks.genesis_fields(Block(*row))["public_key"]
        if ours:
            _link(waiting, key_path)
        # A waiting key that is not this ledger's never signed anything.
        waiting.unlink(missing_ok=True)
        keys.sync_folder(key_path.parent)
    except OSError as error:
        raise keys.not_writable(key_path, error) from None
    except LedgerKeyUnusable:
        if waiting.exists():
            raise


def _link(waiting: Path, key_path: Path) -> None:
    """Give the waiting key its own name; another process that began the same ledger may have done so just before."""
    try:
        keys.link(waiting, key_path)
    except FileNotFoundError:
        if not key_path.exists():
            raise
