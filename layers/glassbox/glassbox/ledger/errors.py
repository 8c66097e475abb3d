"""Faults of the embedded ledger that a user can do something about, finer than the tree in `glassbox.errors`."""

from __future__ import annotations

from glassbox.errors import LedgerDamaged, LedgerError, LedgerUnavailable


class LedgerBusy(LedgerUnavailable):
    """Another process holds the write lock for longer than this one waits."""

    kind = "ledger-busy"


class LedgerReadOnly(LedgerError):
    """The ledger's file or folder can't be written."""

    kind = "ledger-read-only"


class LedgerKeyUnusable(LedgerError):
    """The signing key is missing, damaged, readable by others, or belongs to another ledger."""

    kind = "ledger-key"


class LedgerMisplaced(LedgerDamaged):
    """Something that is not the ledger's stands in the place of one of its files, or a file of it is gone."""

    kind = "ledger-misplaced"


class LedgerVersionUnknown(LedgerDamaged):
    """The file is a database, but not a ledger of the version that this program reads."""

    kind = "ledger-version"
