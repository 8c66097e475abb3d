"""Checks of a bundle against a ledger, or offline against a proof that was exported from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glassbox.errors import LedgerNotFound
from glassbox.ledger.port import LedgerPort
from glassbox.ledger.proof import verify_proof
from glassbox.verification.findings import Verification, compare


def check_against_ledger(envelope: Mapping[str, Any], verification: Verification, ledger: LedgerPort) -> None:
    """Compare record, policy and proof with the ledger, whose own chain is walked as well."""
    record = envelope["record"]
    evaluation_id = str(record.get("evaluation_id"))
    try:
        held = ledger.get(evaluation_id)
    except LedgerNotFound:
        verification.add("ledger", "/record/evaluation_id", "the ledger holds no record of this evaluation", None, evaluation_id)
        return
    compare(verification, "ledger", held["record"], record, "/record", "not what stands on the ledger")
    try:
        policy = ledger.get_policy(str(held["record"]["policy_digest"]))
        compare(
            verification,
            "policy",
            policy["document"],
            envelope["content"].get("policy"),
            "/content/policy",
            "not the policy registered on the ledger",
        )
    except LedgerNotFound:
        verification.add("policy", "/record/policy_digest", "the ledger has no such policy")
    if "proof" in envelope:
        compare(
            verification, "proof", ledger.proof(evaluation_id), envelope["proof"], "/proof", "not the proof that the ledger gives"
        )
    report = ledger.fsck()
    for finding in report.findings:
        where = "/ledger" if finding.height is None else f"/ledger/{finding.height}"
        verification.add(f"ledger-{finding.code}", where, finding.detail)
    verification.checks.append(f"record, policy and proof against the {ledger.backend} ledger; {report.statement}")


def check_against_proof(
    envelope: Mapping[str, Any],
    verification: Verification,
    proof: Mapping[str, Any],
    trusted_key: str | None,
    check: Callable[..., Any] = verify_proof,
) -> None:
    """Compare the record with an exported proof; without a key that the reader trusts, only its consistency is shown."""
    for finding in check(proof, envelope["record"], trusted_key):
        where = "/proof" if finding.height is None else f"/proof/{finding.height}"
        verification.add(f"proof-{finding.code}", where, finding.detail)
    if trusted_key is None:
        verification.not_checked.append(
            "who signed the proof: give the ledger's public key with --trust; without it anybody could have"
        )
    verification.checks.append("record and policy against the exported proof, without a ledger")
