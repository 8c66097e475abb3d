"""The SQLite file under the embedded ledger: its tables, how it is opened, and its errors in our own words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from glassbox.errors import LedgerDamaged, LedgerError, LedgerNotFound
from glassbox.ledger.errors import LedgerBusy, LedgerReadOnly, LedgerVersionUnknown
from glassbox.ledger.keys import not_writable

APPLICATION_ID: Final = 0x476C4278
USER_VERSION: Final = 1
MINIMUM_SQLITE: Final = (3, 37, 0)

_TABLES: Final = (
    "CREATE TABLE blocks (height INTEGER PRIMARY KEY, header BLOB NOT NULL, signature TEXT NOT NULL, "
    "data BLOB NOT NULL) STRICT",
    "CREATE TABLE transactions (tx_id TEXT PRIMARY KEY, height INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE writes (key BLOB NOT NULL, height INTEGER NOT NULL, value BLOB NOT NULL, "
    "PRIMARY KEY (key, height)) STRICT, WITHOUT ROWID",
)
_INDEXES: Final = (
    "CREATE INDEX transactions_by_height ON transactions (height)",
    "CREATE INDEX writes_by_height ON writes (height)",
)
_TRIGGERS: Final = tuple(
    f"CREATE TRIGGER {table}_refuse_{event.lower()} BEFORE {event} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
    for table in ("blocks", "transactions", "writes")
    for event in ("UPDATE", "DELETE")
)
SCHEMA: Final = (*_TABLES, *_INDEXES, *_TRIGGERS)
"""Every statement that makes the ledger's schema; `fsck` compares the file's own with it."""

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})
_NO_ROOM: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM})


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into a LedgerError with what, where and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _typed(error, path) from error


def _typed(error: sqlite3.Error, path: Path) -> LedgerError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    where = str(path)
    if code in _BUSY:
        return LedgerBusy(
            "Another process is writing to the ledger", where=where, fix="Try again, or run fewer writers at once"
        )
    if code in _UNWRITABLE:
        return LedgerReadOnly(
            "The ledger can't be written", where=where, fix="Check owner and mode of the file and of its folder"
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return LedgerReadOnly(
            "The ledger's file can't be opened", where=where, fix="Check that the folder exists and belongs to you"
        )
    if code in _NO_ROOM:
        return LedgerReadOnly(
            "The disk refused the ledger's write; nothing was acknowledged", where=where, fix="Free room and try again"
        )
    return LedgerDamaged(
        f"The ledger's file is damaged ({getattr(error, 'sqlite_errorname', type(error).__name__)})",
        where=where,
        fix="Keep the file, run `glassbox ledger fsck` on it, and restore the last good copy",
    )


def connect(path: Path, *, read_only: bool, timeout: float) -> sqlite3.Connection:
    """Return a connection with the settings that durability needs; raises LedgerError.

    A write is acknowledged after it is on the disk (WAL with synchronous=FULL). The caller begins and ends
    transactions itself.
    """
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        raise LedgerError(
            f"SQLite {sqlite3.sqlite_version} is too old for the ledger",
            where="sqlite3",
            fix="Use a Python that was built with SQLite 3.37 or later",
        )
    if read_only and not path.exists():
        raise LedgerNotFound(
            "There is no ledger here", where=str(path), fix="Evaluate something first, or name its file"
        )
    with translated(path):
        connection = sqlite3.connect(
            _uri(path, read_only), uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            if not read_only:
                connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection


def _uri(path: Path, read_only: bool) -> str:
    uri = path.absolute().as_uri()
    if not read_only:
        return uri + "?mode=rw"
    wal = path.with_name(path.name + "-wal")
    quiet = not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)
    # WAL needs a shared-memory file beside the database; on read-only media there is none and nobody can write either.
    return uri + ("?mode=ro&immutable=1" if quiet else "?mode=ro")


def touch(path: Path) -> None:
    """Make an empty database file of mode 0600, and its folder, unless they are there; raises LedgerError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except IsADirectoryError as error:
        raise LedgerDamaged(
            "A folder stands where the ledger's file should be", where=str(path), fix="Move it away"
        ) from error
    except OSError as error:
        raise not_writable(path, error) from None


def is_empty(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the database holds nothing yet; raises LedgerVersionUnknown for what is no ledger of ours."""
    with translated(path):
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if (application, version, tables) == (0, 0, 0):
        return True
    if application != APPLICATION_ID:
        raise LedgerVersionUnknown(
            "The file is a database, but not a GlassBox ledger", where=str(path), fix="Name the ledger's own file"
        )
    if version != USER_VERSION:
        raise LedgerVersionUnknown(
            f"The ledger has format {version}; this program reads format {USER_VERSION}",
            where=str(path),
            fix="Use the version of GlassBox that wrote it, or a later one",
        )
    return False


def use_wal(connection: sqlite3.Connection, path: Path, timeout: float) -> None:
    """Switch the database to write-ahead logging, which stays with the file; raises LedgerBusy after `timeout`."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            with translated(path):
                connection.execute("PRAGMA journal_mode = WAL")
        except LedgerBusy:
            # SQLite gives up on this switch at once where another process makes it too.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def create_schema(connection: sqlite3.Connection) -> None:
    """Make all tables and triggers; the caller is inside a transaction."""
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {USER_VERSION}")
