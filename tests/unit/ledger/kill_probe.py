"""Commits records one after the other and says on stdout which ones were acknowledged, until it is killed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "chaincode"), str(ROOT / "layers" / "glassbox")]

from glassbox.ledger.embedded import EmbeddedLedger  # noqa: E402
from tests.contract.support import REQUEST  # noqa: E402
from tests.unit.ledger.support import DEFAULT, identifier, record  # noqa: E402


def main() -> None:
    """Write one line `n transaction_id block` an acknowledged record."""
    path, first = Path(sys.argv[1]), int(sys.argv[2])
    os.write(1, b"ready\n")
    with EmbeddedLedger(path) as ledger:
        for n in range(first, first + 10_000):
            if n % 3 == 0:
                ledger.open_evaluation(identifier(n), REQUEST, DEFAULT)
            receipt = ledger.commit(record(n), DEFAULT)
            # One write a line, so that a kill leaves no half line behind that could be read as a whole one.
            os.write(1, f"{n} {receipt.transaction_id} {receipt.block}\n".encode())


main()
