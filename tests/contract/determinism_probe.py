"""Prints everything that the contract answers and writes for a fixed series of calls; run in processes of their own."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "chaincode")]

from glassbox_contract import Claims, Leaf, canonical_bytes, conclude  # noqa: E402
from tests.contract import support  # noqa: E402


def main() -> None:
    """Write one line a call and one a key."""
    under = support.policy()
    ledger = support.ledger_with(under)
    ledger.invoke("OpenEvaluation", support.SECOND, support.REQUEST, under.digest)
    calls = [
        ("CommitScorecard", canonical_bytes(support.record_of(under, evaluation_id=support.SECOND))),
        ("CommitScorecard", canonical_bytes(support.rich_record(under))),
        ("CommitScorecard", canonical_bytes({**support.rich_record(under), "x": 1, "y": 2, "straße": 3})),
        ("CommitScorecard", canonical_bytes({"policy_digest": under.digest, "trust": 1})),
        ("GetScorecard", support.FIRST),
        ("GetHistory", support.SECOND),
        ("ListByDay", "2026-01-02", "10", ""),
        ("ListOpen", "10", ""),
        ("GetSchema",),
    ]
    for function, *args in calls:
        response = ledger.invoke(str(function), *args)
        print(function, response.status, hashlib.sha256(response.payload).hexdigest(), response.message)
    for key in ledger.state:
        print(key.encode(), hashlib.sha256(ledger.state[key]).hexdigest())
    leaves = support.good_leaves(under)
    for n in range(40):
        counts = Claims(supported=n * 7 % 11, contradicted=n % 3, unsupported=n * 5 % 4, inconclusive=n % 2)
        leaves[support.FAITHFULNESS] = Leaf(claims=counts)
        leaves[support.RELEVANCY] = Leaf.from_float((n * 0.137) % 1)
        print(canonical_bytes(conclude(under, leaves, {"novel_entity": n + 1}).to_json()).decode())


main()
