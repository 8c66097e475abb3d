"""The working folder: where the ledger of one machine lies."""

from __future__ import annotations

from pathlib import Path

from glassbox.errors import StoreError, UsageError
from glassbox.ledger.embedded import EmbeddedLedger

LEDGER = "ledger.sqlite"


def open_ledger(home: Path) -> EmbeddedLedger:
    """Return the folder's ledger for reading; raises UsageError where there is none, LedgerError where it is unfit."""
    path = home / LEDGER
    if not path.exists():
        raise UsageError(
            "There is no ledger in this folder",
            where=str(home),
            fix="`glassbox evaluate` begins one; --home or GLASSBOX_HOME names another folder",
        )
    return EmbeddedLedger(path, read_only=True)


def begin_ledger(home: Path) -> EmbeddedLedger:
    """Return the folder's ledger for writing, begun where there is none; raises StoreError or LedgerError."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            error.strerror or type(error).__name__,
            where=str(home),
            fix="--home or GLASSBOX_HOME names another folder",
        ) from None
    return EmbeddedLedger(home / LEDGER)
