"""How a record is built: the client's side of the rules that `record.validate_record` checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glassbox_contract.conclusion import Conclusion
from glassbox_contract.policy import SCHEMA_VERSION, Policy
from glassbox_contract.record import validate_record


def build_record(
    policy: Policy,
    conclusion: Conclusion,
    *,
    evaluation_id: str,
    created_at: str,
    session_hmac: str,
    bundle_digest: str,
    core_digest: str,
    judges: Mapping[str, Mapping[str, Any]],
    attempt: int = 0,
    supersedes: str | None = None,
) -> dict[str, Any]:
    """Return the record of one evaluation, checked by `validate_record`.

    ``judges`` maps each judge to {engine: "llm" | "local" | None, models, libraries}; both lists may come in any order.
    Raises ContractError naming the field that a ledger would refuse.
    """
    record = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "attempt": attempt,
        "supersedes": supersedes,
        "created_at": created_at,
        "session_hmac": session_hmac,
        "policy_digest": policy.digest,
        "bundle_digest": bundle_digest,
        "core_digest": core_digest,
        **conclusion.to_json(),
        "judges": {
            judge: {
                "engine": used["engine"],
                "models": sorted(set(used["models"])),
                "libraries": sorted(set(used["libraries"])),
            }
            for judge, used in judges.items()
        },
    }
    validate_record(record, policy)
    return record
