"""The working folder: where the ledger of one machine lies, and what is kept here for a ledger elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from glassbox.errors import StoreError, UsageError
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.settings import FABRIC_PROFILE, Settings

if TYPE_CHECKING:
    from glassbox.ledger.fabric.ledger import FabricLedger

LEDGER = "ledger.sqlite"
PENDING = "fabric-pending"
"""Folder of the transactions whose fate on Fabric is still open."""


def fabric_ledger(settings: Settings) -> FabricLedger:
    """Return the ledger on the network of the connection profile; raises UsageError without one, or LedgerError.

    Nothing is connected yet. gRPC is imported here and not before.
    """
    if settings.fabric_profile is None:
        raise UsageError(
            "The Fabric ledger needs a connection profile",
            where="--ledger fabric",
            fix=f"Name it with --profile or {FABRIC_PROFILE}; `make fabric` starts a network with one on this machine",
        )
    from glassbox.ledger.fabric.ledger import FabricLedger
    from glassbox.ledger.fabric.pending import FilePendingStore
    from glassbox.ledger.fabric.profile import read_profile

    network = read_profile(settings.fabric_profile).on(settings.channel, settings.chaincode)
    return FabricLedger(network, FilePendingStore(settings.home / PENDING))


def ledger_for_reading(settings: Settings) -> FabricLedger | EmbeddedLedger:
    """Return the ledger of the settings for reading; to be closed by the caller. Raises UsageError or LedgerError."""
    return fabric_ledger(settings) if settings.ledger == "fabric" else open_ledger(settings.home)


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
