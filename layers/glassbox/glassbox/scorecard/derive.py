"""From a bundle's content to everything that is said about it: parts, core and ledger record.

Pure and total: whoever holds the content gets the same core and record, so verification calls the very function
that made them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.scorecard.bundle import FORMAT, parts_of
from glassbox.scorecard.core import counted, flags_of, judge_of, share
from glassbox.scorecard.leaves import leaves_of
from glassbox_contract.build import build_record
from glassbox_contract.canonical import digest
from glassbox_contract.conclusion import Conclusion, conclude
from glassbox_contract.policy import DERIVED_FLAGS

SCHEMA_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from a bundle's content."""

    parts: dict[str, str]
    core: dict[str, Any]
    record: dict[str, Any]

    def envelope(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the file that `--out` writes: content, the digests of its parts, core and record."""
        return {
            "format": FORMAT,
            "content": dict(content),
            "parts": self.parts,
            "core": self.core,
            "record": self.record,
        }


def derive(content: Mapping[str, Any]) -> Derived:
    """Return parts, core and record of a bundle's content.

    Raises JudgeError where a weighed measurement is missing or in error, PolicyInvalid for a policy that breaks the
    contract, pydantic's ValidationError for results that are none, and ContractError for leaves that don't fit.
    """
    policy = Policy(content["policy"])
    results = {name: JudgeResult.model_validate(value) for name, value in content["results"].items()}
    raised = {
        code: count
        for code, count in counted([{"code": f.code} for j in policy.judges for f in results[j].flags]).items()
        if code not in DERIVED_FLAGS
    }
    conclusion = conclude(policy.contract, leaves_of(policy, results), raised)
    parts = parts_of(content)
    core = _core(content, policy, results, conclusion, digest(parts))
    return Derived(parts=parts, core=core, record=_record(content, policy, results, conclusion, core))


def _core(
    content: Mapping[str, Any],
    policy: Policy,
    results: Mapping[str, JudgeResult],
    conclusion: Conclusion,
    parts_digest: str,
) -> dict[str, Any]:
    tree, nodes = policy.contract.tree, conclusion.nodes
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": content["evaluation_id"],
        "attempt": content["attempt"],
        "supersedes": content["supersedes"],
        "session_id": content["request"]["session_id"],
        "created_at": content["created_at"],
        "policy": {"name": policy.name, "digest": policy.digest},
        "trust_score": share(conclusion.trust),
        "bar": {"value": share(policy.contract.bar), "comparator": policy.contract.comparator},
        "decision": conclusion.decision,
        "states": dict(conclusion.states),
        "judges": {name: judge_of(name, policy, nodes, results[name]) for name in policy.judges},
        "flags": flags_of(policy, tree, nodes, results),
        "renormalised": list(conclusion.renormalised),
        "evidence": {"digest": digest(content), "parts_digest": parts_digest},
    }


def _record(
    content: Mapping[str, Any],
    policy: Policy,
    results: Mapping[str, JudgeResult],
    conclusion: Conclusion,
    core: Mapping[str, Any],
) -> dict[str, Any]:
    return build_record(
        policy.contract,
        conclusion,
        evaluation_id=content["evaluation_id"],
        attempt=content["attempt"],
        supersedes=content["supersedes"],
        created_at=content["created_at"],
        session_hmac=content["identity"]["session_hmac"],
        bundle_digest=core["evidence"]["digest"],
        core_digest=digest(core),
        judges={
            name: {
                "engine": results[name].engine,
                "models": results[name].models,
                "libraries": results[name].libraries,
            }
            for name in policy.judges
        },
    )
