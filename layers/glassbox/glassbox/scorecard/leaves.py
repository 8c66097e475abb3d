"""From what the judges found to the leaves that the contract folds."""

from __future__ import annotations

from collections.abc import Mapping

from glassbox.contract.measurement import JudgeResult, Measurement, Status
from glassbox.contract.policy import Policy
from glassbox.errors import JudgeError
from glassbox_contract.fold import Claims, Leaf
from glassbox_contract.fold import Status as FoldStatus
from glassbox_contract.policy_tree import Node

_ABSENCE: dict[Status, FoldStatus] = {
    Status.SKIPPED: "skipped",
    Status.NOT_APPLICABLE: "not_applicable",
    Status.NOT_MEASURED: "not_measured",
    Status.INCONCLUSIVE: "inconclusive",
    Status.ERROR: "error",
}


def leaves_of(policy: Policy, results: Mapping[str, JudgeResult]) -> dict[str, Leaf]:
    """Return the leaf of every measurement that the policy weighs, by path.

    Raises JudgeError where a judge left one out or is itself in `error`: such an evaluation is never committed.
    """
    leaves: dict[str, Leaf] = {}
    for path, node in policy.contract.leaves.items():
        judge = path.split("/", 1)[0]
        found = results[judge].measurement(node.name) if judge in results else None
        if found is None:
            raise JudgeError("A judge delivered no measurement that the policy weighs", where=path)
        if found.status is Status.ERROR:
            raise JudgeError("A judge broke", where=f"{path} ({found.reason})", fix="Run the evaluation again")
        leaves[path] = _leaf(node, found)
    return leaves


def _leaf(node: Node, found: Measurement) -> Leaf:
    if node.basis == "claims" and found.counts is not None:
        counts = found.counts
        # The counts decide between a value and `inconclusive`; the contract draws that line, not the judge.
        return Leaf(
            status="scored" if found.status is Status.SCORED else "inconclusive",
            claims=Claims(
                supported=counts.supported,
                contradicted=counts.contradicted,
                unsupported=counts.unsupported,
                inconclusive=counts.inconclusive,
            ),
        )
    if found.status is not Status.SCORED:
        return Leaf.absent(_ABSENCE[found.status])
    if node.basis == "bits":
        return Leaf(bits=found.bits)
    if node.basis == "ratio":
        return Leaf(num=found.num, den=found.den)
    return Leaf(value=found.micros)
