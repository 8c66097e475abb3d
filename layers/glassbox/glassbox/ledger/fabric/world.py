"""The world state while blocks are replayed: in a temporary database, so that a large channel needs little memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from glassbox.ledger.fabric.transactions import Version


class World:
    """Keys with their latest values and versions, and the transaction ids that were seen."""

    def __init__(self) -> None:
        # A database without a name lives in a temporary file that vanishes with the connection.
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute(
            "CREATE TABLE state (key BLOB PRIMARY KEY, value BLOB NOT NULL, block INTEGER, place INTEGER) WITHOUT ROWID"
        )
        self._connection.execute("CREATE TABLE seen (tx_id BLOB PRIMARY KEY) WITHOUT ROWID")

    def get(self, key: str) -> bytes | None:
        """Return the value of a key, None where it was never written."""
        row = self._connection.execute("SELECT value FROM state WHERE key = ?", (key.encode(),)).fetchone()
        return None if row is None else bytes(row[0])

    def version(self, key: str) -> Version | None:
        """Return where a key was last written, None where it never was."""
        row = self._connection.execute("SELECT block, place FROM state WHERE key = ?", (key.encode(),)).fetchone()
        return None if row is None else (int(row[0]), int(row[1]))

    def put(self, key: str, value: bytes, version: Version) -> None:
        """Write a key."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)", (key.encode(), value, *version))

    def see(self, tx_id: str) -> bool:
        """Note a transaction id and return whether it is new."""
        cursor = self._connection.execute("INSERT OR IGNORE INTO seen VALUES (?)", (tx_id.encode(),))
        return cursor.rowcount == 1

    def items(self, prefix: str) -> Iterator[tuple[str, bytes]]:
        """Yield the keys that begin with an ASCII prefix, and their values, in order."""
        rows = self._connection.execute(
            "SELECT key, value FROM state WHERE key >= ? AND key < ? ORDER BY key",
            (prefix.encode(), prefix[:-1].encode() + bytes([ord(prefix[-1]) + 1])),
        )
        for key, value in rows:
            yield bytes(key).decode(), bytes(value)

    def close(self) -> None:
        """Drop everything."""
        self._connection.close()
