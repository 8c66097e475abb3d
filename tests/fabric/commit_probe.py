"""Commits one record and dies by SIGKILL at one step of it; run as a process of its own.

Arguments: profile, folder of pending transactions, file of the record, step. Steps: `endorsed`, before the envelope is
kept; `kept`, before it is submitted; `submitted`, before its status is asked for; `committed`, before what was kept
is forgotten; `forgotten`, before the receipt is made.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "chaincode"), str(ROOT / "layers" / "glassbox")]

from glassbox.ledger.fabric.ledger import FabricLedger  # noqa: E402
from glassbox.ledger.fabric.pending import FilePendingStore, Pending  # noqa: E402
from glassbox.ledger.fabric.profile import read_profile  # noqa: E402
from tests.contract.support import policy  # noqa: E402

STEPS = ("endorsed", "kept", "submitted", "committed", "forgotten")


def die() -> None:
    """End this process without a word."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingStore(FilePendingStore):
    """Pending transactions of a client that dies."""

    step = ""

    def put(self, key: str, pending: Pending) -> None:
        """Keep it, and die before or after."""
        if self.step == "endorsed":
            die()
        super().put(key, pending)
        if self.step == "kept":
            die()

    def delete(self, key: str, tx_id: str) -> None:
        """Forget it, and die before or after."""
        if self.step == "committed":
            die()
        super().delete(key, tx_id)
        if self.step == "forgotten":
            die()


def main() -> None:
    """Commit, and die."""
    profile, folder, file, DyingStore.step = sys.argv[1:]
    network = read_profile(profile)
    with FabricLedger(network, DyingStore(Path(folder))) as ledger:
        if DyingStore.step == "submitted":
            submit: Any = ledger._gateway.submit

            def submit_and_die(tx_id: str, envelope: bytes) -> None:
                submit(tx_id, envelope)
                die()

            ledger._gateway.submit = submit_and_die  # type: ignore[method-assign]
        ledger.commit(json.loads(Path(file).read_text()), policy())


main()
