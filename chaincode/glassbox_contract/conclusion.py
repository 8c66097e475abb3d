"""From leaves and flags to trust, decision and states: the same code builds a record and checks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from glassbox_contract import checks
from glassbox_contract.arithmetic import passes
from glassbox_contract.errors import ContractError, pointer
from glassbox_contract.fold import MAX_COUNT, Leaf, NodeResult, fold, renormalised
from glassbox_contract.policy import DERIVED_FLAGS, Effect, Policy
from glassbox_contract.policy_tree import ROOT

Decision = Literal["pass", "fail", "inconclusive"]

OPERATIONAL: Final = ("completed", "failed")
EVIDENCE: Final = ("complete", "partial", "missing")
DECISIONS: Final[tuple[Decision, ...]] = ("pass", "fail", "inconclusive")
PUBLICATION: Final = ("publishable", "withheld", "under_review")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """Everything in a record that follows from its leaves, its flags and its policy; numbers in micros."""

    nodes: Mapping[str, NodeResult]
    relevance: Mapping[str, str]
    claims: Mapping[str, Mapping[str, int]]
    trust: int | None
    decision: Decision
    states: Mapping[str, str]
    flags: Mapping[str, int]
    renormalised: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the eight fields as they stand in a record."""
        return {
            "nodes": {path: result.to_json() for path, result in self.nodes.items()},
            "relevance": dict(self.relevance),
            "claims": {path: dict(counts) for path, counts in self.claims.items()},
            "trust": self.trust,
            "decision": self.decision,
            "states": dict(self.states),
            "flags": [{"code": code, "count": count} for code, count in sorted(self.flags.items())],
            "renormalised": list(self.renormalised),
        }


def conclude(policy: Policy, leaves: Mapping[str, Leaf], raised: Mapping[str, int]) -> Conclusion:
    """Return what follows from ``leaves`` (by path) and the flags that judges ``raised`` (code to count, 1 or more).

    ``below_target`` and ``contradicted_claim`` are counted here and may not be among ``raised``. A leaf in error
    gives an operational state of failed; such a conclusion is shown, never committed. Raises ContractError for leaves
    that are not exactly the policy's, and for a flag that the policy doesn't know.
    """
    results = fold(policy.tree, leaves)
    claims = {path: found.claims.to_json() for path, found in sorted(leaves.items()) if found.claims is not None}
    flags = _flags(policy, results, claims, raised)
    trust = results[ROOT].value
    decision = _decide(policy, trust, flags)
    return Conclusion(
        nodes=results,
        relevance={path: found.bits for path, found in sorted(leaves.items()) if found.bits is not None},
        claims=claims,
        trust=trust,
        decision=decision,
        states=_states(policy, results, decision, flags),
        flags=flags,
        renormalised=tuple(renormalised(policy.tree, results)),
    )


def _flags(
    policy: Policy,
    results: Mapping[str, NodeResult],
    claims: Mapping[str, Mapping[str, int]],
    raised: Mapping[str, int],
) -> dict[str, int]:
    flags: dict[str, int] = {}
    for code in sorted(raised):
        where = "/flags" + pointer(code)
        if code in DERIVED_FLAGS:
            raise ContractError("INVALID", "counted by the contract, not raised by a judge", where)
        if code not in policy.flag_effects:
            raise ContractError("INVALID", "the policy knows no such flag", where)
        flags[code] = checks.integer(raised[code], where, 1, MAX_COUNT)
    missed = sum(result.passed is False for result in results.values())
    contradicted = sum(counts["contradicted"] for counts in claims.values())
    for code, count in (("below_target", missed), ("contradicted_claim", contradicted)):
        if count:
            flags[code] = count
    return dict(sorted(flags.items()))


def _decide(policy: Policy, trust: int | None, flags: Mapping[str, int]) -> Decision:
    effects = _effects(policy, flags)
    if "fail" in effects:
        return "fail"
    if trust is None:
        return "inconclusive"
    if not passes(trust, policy.comparator, policy.bar):
        return "fail"
    return "inconclusive" if "inconclusive" in effects else "pass"


def _effects(policy: Policy, flags: Mapping[str, int]) -> set[Effect]:
    return {policy.flag_effects[code] for code in flags}


def _states(
    policy: Policy, results: Mapping[str, NodeResult], decision: Decision, flags: Mapping[str, int]
) -> dict[str, str]:
    statuses = {result.status for result in results.values()}
    operational = "failed" if "error" in statuses else "completed"
    if all(results[judge].status != "scored" for judge in policy.judges):
        evidence = "missing"
    else:
        evidence = "partial" if statuses & {"not_measured", "inconclusive", "error"} else "complete"
    if decision == "fail" or operational == "failed":
        publication = "withheld"
    elif decision == "pass" and evidence == "complete" and "review" not in _effects(policy, flags):
        publication = "publishable"
    else:
        publication = "under_review"
    return {"operational": operational, "evidence": evidence, "quality": decision, "publication": publication}
