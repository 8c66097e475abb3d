"""One process's connection to the embedded ledger: opened once, shared by its threads, never inherited by a fork."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from glassbox.ledger import keys, reading, storage
from glassbox.ledger.creation import emptied, ensure_begun
from glassbox.ledger.errors import LedgerKeyUnusable, LedgerReadOnly
from glassbox.ledger.keys import SigningKey
from glassbox_contract.errors import ContractError

_ABANDONED: Final[list[sqlite3.Connection]] = []
"""Connections of a parent process. SQLite forbids a child even to close them, so they are kept from the collector."""


class Session:
    """Transactions on the ledger's file, and its signing key, read when it is first needed."""

    def __init__(
        self, path: Path, key_path: Path, *, read_only: bool, timeout: float, clock: Callable[[], int]
    ) -> None:
        self.path = path
        self.key_path = key_path
        self.timeout = timeout
        self._read_only = read_only
        self._clock = clock
        self._lock = threading.RLock()
        self._key: SigningKey | None = None
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        with self._lock:
            self._open()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that sees one state of the ledger."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that alone may write; what it wrote is on the disk when the block ends without error."""
        if self._read_only:
            raise LedgerReadOnly("The ledger was opened for reading", where=str(self.path), fix="Open it for writing")
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def signing_key(self, connection: sqlite3.Connection) -> SigningKey:
        """Return the key that block 0 names; raises LedgerKeyUnusable."""
        if self._key is None:
            key = keys.load(self.key_path)
            if key.public_key != reading.public_key(connection, self.path):
                raise LedgerKeyUnusable(
                    "The signing key belongs to another ledger",
                    where=str(self.key_path),
                    fix="Restore this ledger's own key from a backup",
                )
            self._key = key
        return self._key

    def close(self) -> None:
        """Close the connection; may be called more than once."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, storage.translated(self.path):
            connection = self._open()
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except ContractError as error:
                # Refusals of the contract became LedgerErrors where it was called; this one is of a stored block.
                raise reading.damaged(f"A block can't be read ({error.reason})", self.path) from None
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            if self._process == os.getpid():
                return self._connection
            _ABANDONED.append(self._connection)
            self._connection = None
        if not self._read_only:
            storage.touch(self.path)
        connection = storage.connect(self.path, read_only=self._read_only, timeout=self.timeout)
        try:
            if not self._read_only:
                ensure_begun(connection, self.path, self.key_path, self._clock(), self.timeout)
            elif storage.is_empty(connection, self.path):
                raise emptied(self.path, self.key_path)
        except BaseException:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection
