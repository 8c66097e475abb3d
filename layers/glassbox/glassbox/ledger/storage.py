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
from glassbox.ledger.errors import LedgerBusy, LedgerMisplaced, LedgerReadOnly, LedgerVersionUnknown
from glassbox.ledger.keys import not_writable

APPLICATION_ID: Final = 0x476C4278
USER_VERSION: Final = 1
MINIMUM_SQLITE: Final = (3, 37, 0)
SETTINGS: Final = (("journal_mode", "wal"), ("auto_vacuum", 0), ("encoding", "UTF-8"))
"""The settings that stay with the file, as the ledger makes them; `fsck` compares the file's own with them."""

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
_REFUSED_READS: Final = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ})
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
RESTORE: Final = "Keep the file, run `glassbox ledger fsck` on it, and restore the last good copy"
"""What to do about a damaged file; `fsck` itself leaves it out, since it is what has just run."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into a LedgerError with what, where and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _typed(error, path) from error


def _typed(error: sqlite3.Error, path: Path) -> LedgerError:
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    where = str(path)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if extended == sqlite3.SQLITE_READONLY_ROLLBACK:
        return _journal_beside(_beside(path, "-journal"))
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
    if code == sqlite3.SQLITE_NOMEM:
        return LedgerReadOnly("There is not enough memory for the ledger", where=where, fix="Free memory and try again")
    if code == sqlite3.SQLITE_FULL:
        return LedgerReadOnly(
            "The disk has no room for the ledger's write; nothing was acknowledged",
            where=where,
            fix="Free room and try again",
        )
    if code == sqlite3.SQLITE_IOERR and extended not in _REFUSED_READS:
        return LedgerReadOnly(
            f"The disk refused the ledger's write; nothing was acknowledged ({name})",
            where=where,
            fix="Check the disk and its free room, then try again",
        )
    if code == sqlite3.SQLITE_IOERR:
        return LedgerDamaged(
            f"The ledger's file can't be read to its end ({name})",
            where=where,
            fix="Check the disk, and restore the last good copy",
        )
    return LedgerDamaged(f"The ledger's file is damaged ({name})", where=where, fix=RESTORE)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _journal_beside(journal: Path) -> LedgerError:
    """Return the error for a rollback journal, which a ledger with a write-ahead log never leaves behind."""
    try:
        with journal.open("rb") as file:
            genuine = file.read(len(_JOURNAL_MAGIC)) == _JOURNAL_MAGIC
    except OSError:
        genuine = True
    if genuine:
        return LedgerMisplaced(
            "A write that another program began in the ledger's file was never finished",
            where=str(journal),
            fix="Keep a copy of both files; the next `glassbox evaluate` in this folder takes that write back",
        )
    return LedgerMisplaced(
        "A file that is not the ledger's lies where SQLite looks for unfinished writes",
        where=str(journal),
        fix="Move it away, then run `glassbox ledger fsck`",
    )


def _check_files(path: Path) -> None:
    """Raise LedgerMisplaced where a folder, a pipe or a device stands in the place of a file of the ledger."""
    for file in (path, *(_beside(path, suffix) for suffix in ("-wal", "-shm", "-journal"))):
        if file.exists() and not file.is_file():
            kind = "A folder" if file.is_dir() else "Something that is no file"
            raise LedgerMisplaced(
                f"{kind} stands where the ledger's file should be",
                where=str(file),
                fix="Move it away" + ("; if there was a ledger, restore its last good copy" if file == path else ""),
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
    _check_files(path)
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
    return uri + ("?mode=ro&immutable=1" if is_quiet(path) else "?mode=ro")


def is_quiet(path: Path) -> bool:
    """Return whether the file is read as one that nobody changes.

    WAL needs a shared-memory file beside the database; on read-only media there is none and nobody can write either.
    """
    wal = _beside(path, "-wal")
    return not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)


def touch(path: Path) -> None:
    """Make an empty database file of mode 0600, and its folder, unless they are there; raises LedgerError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except IsADirectoryError:
        # The connection names what stands there.
        return
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
