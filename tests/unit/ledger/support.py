"""Ledgers in files for the tests, and ways to change them behind the ledger's back."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glassbox.ledger import storage
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.ledger.fsck import fsck_file
from glassbox.ledger.port import Finding
from tests.contract.support import NOON, REQUEST, policy, record_of

DEFAULT = policy()


def identifier(n: int) -> str:
    """Return the n-th id."""
    return f"00000000-0000-5000-8000-{n:012}"


def record(n: int, **fields: Any) -> dict[str, Any]:
    """Return a sound record with the n-th id."""
    return record_of(DEFAULT, evaluation_id=identifier(n), **fields)


def ticking() -> Callable[[], int]:
    """Return a clock that begins at noon and gains a second with every look."""
    counter = itertools.count(NOON, 1000)
    return lambda: next(counter)


def begin(folder: Path) -> EmbeddedLedger:
    """Return a new ledger in a folder."""
    return EmbeddedLedger(folder / "ledger.sqlite", clock=ticking())


def filled(folder: Path) -> EmbeddedLedger:
    """Return a ledger of six blocks with every kind of transaction: two openings, of which one is never scored."""
    ledger = begin(folder)
    ledger.register_policy(DEFAULT)
    ledger.open_evaluation(identifier(1), REQUEST, DEFAULT)
    ledger.open_evaluation(identifier(9), REQUEST, DEFAULT)
    ledger.commit(record(1), DEFAULT)
    ledger.commit(record(2, attempt=1, supersedes=identifier(1)), DEFAULT)
    return ledger


def settled(folder: Path) -> Path:
    """Return the file of a filled ledger, closed, with nothing left in the write-ahead log."""
    with filled(folder):
        pass
    path = folder / "ledger.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def tampered(source: Path, target: Path, *statements: tuple[str, tuple[Any, ...]]) -> Path:
    """Return a copy of a ledger, key included, on which SQL was run with the triggers put aside meanwhile."""
    target.mkdir(exist_ok=True)
    path = target / source.name
    for old in target.iterdir():
        old.unlink()
    shutil.copy(source, path)
    shutil.copy(source.with_suffix(".key"), path.with_suffix(".key"))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    triggers = [sql for sql in storage.SCHEMA if sql.startswith("CREATE TRIGGER")]
    for sql in triggers:
        connection.execute("DROP TRIGGER " + sql.split()[2])
    for sql, values in statements:
        connection.execute(sql, values)
    for sql in triggers:
        connection.execute(sql)
    connection.close()
    return path


def findings(path: Path, checkpoint: dict[str, Any] | None = None) -> list[Finding]:
    """Return what fsck finds."""
    return list(fsck_file(path, path.with_suffix(".key"), checkpoint).findings)
