"""From leaves to trust: the value or the typed absence of every node of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from glassbox_contract.arithmetic import MICRO, average_precision, float_leaf, hmean, mean, passes, ratio
from glassbox_contract.errors import ContractError, names, pointer
from glassbox_contract.policy_tree import ROOT, Node, join, walk

Status = Literal["scored", "skipped", "not_applicable", "not_measured", "inconclusive", "error"]

ABSENCES: Final[tuple[Status, ...]] = ("skipped", "not_applicable", "not_measured", "inconclusive", "error")
"""Typed absences from the mildest to the worst.

The order follows from what may be done about each: a broken judge must run again; a look without an answer is a
finding about the answer; what was never looked at may yet be measured; what does not apply or is switched off is
no fault at all.
"""
STATUSES: Final[tuple[Status, ...]] = ("scored", *ABSENCES)
MAX_COUNT: Final = 1_000_000
"""Largest count of claims, entities or flags."""
MAX_BITS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """How many claims of an answer received each verdict."""

    supported: int
    contradicted: int
    unsupported: int
    inconclusive: int

    def to_json(self) -> dict[str, int]:
        """Return the four counts as a JSON object."""
        return {
            "supported": self.supported,
            "contradicted": self.contradicted,
            "unsupported": self.unsupported,
            "inconclusive": self.inconclusive,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """What a judge found for one leaf: its status and what its number is computed from.

    A scored leaf carries exactly what its basis needs: ``bits``; ``claims``; ``num`` and ``den``; or ``value`` in
    micros. A leaf of basis claims whose claims were judged carries ``claims`` with either status: the counts decide.
    """

    status: Status = "scored"
    value: int | None = None
    num: int | None = None
    den: int | None = None
    bits: str | None = None
    claims: Claims | None = None

    @classmethod
    def absent(cls, status: Status) -> Leaf:
        """Return a leaf with a typed absence."""
        return cls(status=status)

    @classmethod
    def from_float(cls, x: float) -> Leaf:
        """Return a scored leaf of basis value; raises ValueError as `arithmetic.float_leaf`."""
        return cls(value=float_leaf(x))


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResult:
    """What stands on the ledger for one node; ``value`` in micros, None for an absence."""

    status: Status
    value: int | None = None
    num: int | None = None
    den: int | None = None
    passed: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the five fields as a JSON object, null where absent."""
        return {
            "status": self.status,
            "value": self.value,
            "num": self.num,
            "den": self.den,
            "passed": self.passed,
        }


def fold(tree: Node, leaves: Mapping[str, Leaf]) -> dict[str, NodeResult]:
    """Return the result of every node by path, from exactly the leaves of ``tree`` by path.

    Raises ContractError ``INCOMPLETE`` for a leaf that is missing, ``INVALID`` for one too many or one whose content
    doesn't fit its basis. Every level takes the already rounded children (record.md sections 2 and 3).
    """
    nodes = list(walk(tree))
    expected = {path for path, node in nodes if node.op == "leaf"}
    if missing := expected - leaves.keys():
        raise ContractError("INCOMPLETE", f"missing: {names(missing)}", "/nodes")
    if unknown := leaves.keys() - expected:
        raise ContractError("INVALID", f"unknown: {names(unknown)}", "/nodes")
    results: dict[str, NodeResult] = {}
    for path, node in reversed(nodes):
        if node.op == "leaf":
            results[path] = measure(node, leaves[path], path)
            continue
        children = [(child, results[join(path, child.name)]) for child in node.children]
        results[path] = _combine(node, children, is_root=path == ROOT)
    return {path: results[path] for path, _ in nodes}


def renormalised(tree: Node, results: Mapping[str, NodeResult]) -> list[str]:
    """Return the sorted paths of the scored means that were taken without at least one of their children."""
    return sorted(
        path
        for path, node in walk(tree)
        if node.op == "mean"
        and results[path].status == "scored"
        and any(results[join(path, child.name)].status != "scored" for child in node.children)
    )


def measure(node: Node, found: Leaf, path: str = "") -> NodeResult:
    """Return the result of one leaf, recomputed from its basis; raises ContractError ``INVALID`` if it doesn't fit."""
    where = pointer("nodes", path)
    if found.claims is not None:
        if node.basis != "claims" or found.status not in ("scored", "inconclusive"):
            raise ContractError("INVALID", "claim counts belong to a judged leaf of basis claims", where)
        if (found.value, found.num, found.den, found.bits) != (None, None, None, None):
            raise ContractError("INVALID", "a leaf of basis claims holds its counts alone", where)
        return _claims(node, found.claims, where)
    if found.status != "scored":
        if (found.value, found.num, found.den, found.bits) != (None, None, None, None):
            raise ContractError("INVALID", f"{found.status} has no numbers", where)
        return NodeResult(status=found.status)
    return _scored_leaf(node, found, where)


def _scored_leaf(node: Node, found: Leaf, where: str) -> NodeResult:
    if node.basis == "bits" and found.bits is not None and (found.value, found.num, found.den) == (None, None, None):
        if not 1 <= len(found.bits) <= MAX_BITS or found.bits.strip("01"):
            raise ContractError("INVALID", f"relevance must be 1 to {MAX_BITS} of 0 and 1", where)
        return _scored(node, average_precision(found.bits)[0])
    if node.basis == "ratio" and found.num is not None and found.den is not None:
        if (found.value, found.bits) != (None, None) or not 0 <= found.num <= found.den <= MAX_COUNT or not found.den:
            raise ContractError("INVALID", f"a ratio needs 0 <= num <= den <= {MAX_COUNT}, den > 0", where)
        return _scored(node, ratio(found.num, found.den), found.num, found.den)
    if node.basis == "value" and found.value is not None and (found.num, found.den, found.bits) == (None, None, None):
        if not 0 <= found.value <= MICRO:
            raise ContractError("INVALID", f"must lie in 0..{MICRO}", where)
        return _scored(node, found.value)
    raise ContractError("INVALID", f"a scored leaf of basis {node.basis} must hold what it is computed from", where)


def _claims(node: Node, claims: Claims, where: str) -> NodeResult:
    if any(not 0 <= count <= MAX_COUNT for count in claims.to_json().values()):
        raise ContractError("INVALID", f"claim counts must lie in 0..{MAX_COUNT}", where)
    judged = claims.supported + claims.contradicted + claims.unsupported
    if judged == 0:
        return NodeResult(status="inconclusive")
    if node.target is not None:
        # The undecided claims could still fall either way: no verdict if that would move the score over the target.
        everything = judged + claims.inconclusive
        lowest = ratio(claims.supported, everything)
        highest = ratio(claims.supported + claims.inconclusive, everything)
        if passes(lowest, node.comparator, node.target) != passes(highest, node.comparator, node.target):
            return NodeResult(status="inconclusive")
    return _scored(node, ratio(claims.supported, judged), claims.supported, judged)


def _scored(node: Node, value: int, num: int | None = None, den: int | None = None) -> NodeResult:
    passed = None if node.target is None else passes(value, node.comparator, node.target)
    return NodeResult(status="scored", value=value, num=num, den=den, passed=passed)


def _worst(statuses: list[Status]) -> Status:
    return max(statuses, key=ABSENCES.index)


def _combine(node: Node, children: list[tuple[Node, NodeResult]], *, is_root: bool) -> NodeResult:
    absent = [result.status for _, result in children if result.value is None]
    scored = [(child.weight, result.value) for child, result in children if result.value is not None]
    if node.op == "hmean":
        return NodeResult(status=_worst(absent)) if absent else _scored(node, hmean(scored[0][1], scored[1][1]))
    if "error" in absent:
        return NodeResult(status="error")
    blocking = _blocking_judges(children) if is_root else _blocking_children(node, absent)
    if blocking or not scored:
        # Where every child is absent there is nothing to renormalise over: renormalise can't make an unmeasured
        # node look as if it had been switched off.
        return NodeResult(status=_absence(blocking or absent))
    return _scored(node, mean(scored))


def _blocking_children(node: Node, absent: list[Status]) -> list[Status]:
    if node.on_absence == "renormalise":
        return []
    return [status for status in absent if status in ("not_measured", "inconclusive")]


def _blocking_judges(children: list[tuple[Node, NodeResult]]) -> list[Status]:
    return [
        result.status
        for judge, result in children
        if judge.on_absence != "renormalise" and result.status in ("not_applicable", "not_measured", "inconclusive")
    ]


def _absence(statuses: list[Status]) -> Status:
    worst = _worst(statuses)
    return "inconclusive" if worst == "not_measured" else worst
