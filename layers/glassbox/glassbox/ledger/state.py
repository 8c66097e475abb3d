"""The contract's view of the embedded ledger's tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from glassbox_contract.canonical import digest, digest_bytes, parse_canonical
from glassbox_contract.stub import Creator, Modification

LATEST = 2**62
"""A height above every block: the whole ledger is seen."""


@dataclass(slots=True)
class TableStub:
    """The world state as it stood before block `height`, with the writes of one transaction collected beside it.

    `overlay` replaces what the tables say for single keys, so that one damaged row misleads no later check.
    """

    connection: sqlite3.Connection
    tx_id: str
    tx_timestamp: int
    creator: Creator
    height: int = LATEST
    overlay: dict[bytes, bytes | None] = field(default_factory=dict)
    written: dict[str, bytes] = field(default_factory=dict)
    event: tuple[str, bytes] | None = None

    def get_state(self, key: str) -> bytes | None:
        """Return the value that was last written to `key` before this block."""
        name = key.encode()
        if name in self.overlay:
            return self.overlay[name]
        row = self.connection.execute(
            "SELECT value FROM writes WHERE key = ? AND height < ? ORDER BY height DESC LIMIT 1", (name, self.height)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def put_state(self, key: str, value: bytes) -> None:
        """Collect a write."""
        self.written[key] = value

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return the latest values of the keys in [start, end), in the order of their bytes."""
        rows = self.connection.execute(
            "SELECT key, value, max(height) FROM writes WHERE key >= ? AND key < ? AND height < ? "
            "GROUP BY key ORDER BY key LIMIT ?",
            (start.encode(), end.encode(), self.height, limit),
        )
        return [(bytes(key).decode(), bytes(value)) for key, value, _ in rows]

    def get_history(self, key: str) -> Sequence[Modification]:
        """Return every write of `key`, oldest first."""
        rows = self.connection.execute(
            "SELECT b.data, w.value FROM writes w JOIN blocks b USING (height) WHERE w.key = ? AND w.height < ? "
            "ORDER BY w.height",
            (key.encode(), self.height),
        ).fetchall()
        found = []
        for data, value in rows:
            transaction = parse_canonical(bytes(data))
            found.append(Modification(transaction["tx_id"], transaction["timestamp"], bytes(value)))
        return found

    def set_event(self, name: str, payload: bytes) -> None:
        """Keep the transaction's event."""
        self.event = (name, payload)

    @property
    def write_set(self) -> list[tuple[str, str]]:
        """The collected writes as (key, digest of the value), in the order of the keys' bytes."""
        return [(key, digest_bytes(self.written[key])) for key in sorted(self.written, key=str.encode)]

    @property
    def event_digest(self) -> str | None:
        """The digest of the event, None where there is none."""
        if self.event is None:
            return None
        name, payload = self.event
        return digest({"name": name, "payload": payload.decode()})
