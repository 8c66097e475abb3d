"""The scorecard's core: every number, state and flag of an evaluation, derived from the bundle's content alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.policy import Policy
from glassbox_contract.arithmetic import MICRO
from glassbox_contract.fold import NodeResult
from glassbox_contract.policy_tree import ROOT, Node, join, walk


def share(micros: int | None) -> float | None:
    """Return millionths as a number in [0, 1], the only place where a scorecard's float is made."""
    return None if micros is None else micros / MICRO


def flags_of(
    policy: Policy, tree: Node, nodes: Mapping[str, NodeResult], results: Mapping[str, JudgeResult]
) -> list[dict[str, Any]]:
    """Return every flag with its severity: the judges' own in their order, then one per target that is missed."""
    flags: list[dict[str, Any]] = [
        {"code": flag.code, "severity": policy.effect(flag.code), "judge": judge, "detail": flag.detail}
        for judge in policy.judges
        for flag in results[judge].flags
    ]
    flags += [
        {
            "code": "below_target",
            "severity": policy.effect("below_target"),
            "judge": None if path == ROOT else path.split("/", 1)[0],
            "detail": {"measurement": path, "value": share(nodes[path].value), "target": share(node.target)},
        }
        for path, node in walk(tree)
        if nodes[path].passed is False
    ]
    return flags


def judge_of(name: str, policy: Policy, nodes: Mapping[str, NodeResult], result: JudgeResult) -> dict[str, Any]:
    """Return one judge's part of the scorecard: weighed measurements in the tree's order, then the reported ones.

    A judge that asked a judge model names it; the others have no such member.
    """
    tree = policy.contract.tree
    own = [(path, node) for path, node in walk(tree) if path == name or path.startswith(f"{name}/")]
    (_, judge), below = own[0], own[1:]
    weighed = [_weighed(path, node, nodes[path], result.measurement(node.name), nodes) for path, node in below]
    taken = {node.name for _, node in below if node.op == "leaf"}
    reported = [_reported(m) for m in result.measurements if m.name not in taken]
    return {
        "question": result.question,
        "status": nodes[name].status,
        "score": share(nodes[name].value),
        "weight": judge.weight,
        "target": share(judge.target),
        "passed": nodes[name].passed,
        "engine": result.engine,
        **({"judge_model": policy.judge_model(name)} if result.engine == "llm" else {}),
        "models": list(result.models),
        "libraries": list(result.libraries),
        "measurements": weighed + reported,
    }


def _weighed(
    path: str, node: Node, result: NodeResult, found: Measurement | None, nodes: Mapping[str, NodeResult]
) -> dict[str, Any]:
    leaf = found if node.op == "leaf" else None
    return {
        "name": node.name,
        "path": path,
        "status": result.status,
        "value": share(result.value),
        "target": share(node.target),
        "comparator": node.comparator if node.target is not None else None,
        "passed": result.passed,
        "weight": node.weight,
        "num": result.num,
        "den": result.den,
        "reason": _reason(path, node, result, leaf, nodes),
        "signature": leaf.signature if leaf else _inner_signature(node),
        "detail": leaf.detail if leaf else {},
        "evidence": list(leaf.evidence) if leaf else [],
    }


def _reason(
    path: str, node: Node, result: NodeResult, leaf: Measurement | None, nodes: Mapping[str, NodeResult]
) -> str | None:
    if result.status == "scored":
        return None
    if leaf is not None:
        return leaf.reason or "undecided_claims"
    absent = [child.name for child in node.children if nodes[join(path, child.name)].status != "scored"]
    return f"absent:{','.join(absent)}"


def _inner_signature(node: Node) -> str:
    parts = ",".join(f"{child.name}:{child.weight}" for child in node.children)
    return f"{node.name}|{node.op}|{parts}"


def _reported(m: Measurement) -> dict[str, Any]:
    return {
        "name": m.name,
        "path": None,
        "status": m.status.value,
        "value": share(m.micros),
        "target": None,
        "comparator": None,
        "passed": None,
        "weight": None,
        "num": m.num,
        "den": m.den,
        "reason": m.reason,
        "signature": m.signature,
        "detail": m.detail,
        "evidence": list(m.evidence),
    }


def counted(flags: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how often each flag code occurs, by code in sorted order."""
    codes = sorted({str(f["code"]) for f in flags})
    return {code: sum(f["code"] == code for f in flags) for code in codes}
