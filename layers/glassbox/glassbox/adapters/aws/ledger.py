"""The ledger of this deployment: one client for as long as a warm function lives."""

from __future__ import annotations

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.once import Once
from glassbox.errors import UsageError
from glassbox.ledger.port import LedgerPort


@Once
def ledger() -> LedgerPort:
    """Return the ledger that GLASSBOX_LEDGER names; raises UsageError for one that can't serve many functions."""
    env = deployment.environment()
    if env.ledger == "fabric":
        from glassbox.adapters.aws.pending import DynamoPendingStore
        from glassbox.ledger.fabric.ledger import FabricLedger
        from glassbox.ledger.fabric.profile import read_profile

        return FabricLedger(
            read_profile(f"secretsmanager:{env.fabric_profile_secret}"), DynamoPendingStore(env.records)
        )
    if env.ledger == "embedded":
        from glassbox.adapters.local.home import begin_ledger
        from glassbox.settings import Settings

        # One disk and one writer: for a trial and for tests in one process, never for a deployment of many functions.
        return begin_ledger(Settings.from_env().home)
    raise UsageError("GLASSBOX_LEDGER names no ledger", where="environment", fix="Set it to fabric")
