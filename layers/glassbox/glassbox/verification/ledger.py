"""Checks of a bundle against a ledger, or offline against a proof that was exported from one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from glassbox.errors import LedgerNotFound, LedgerRejected
from glassbox.ledger.port import Finding, LedgerPort
from glassbox.ledger.proof import verify_proof
from glassbox.verification.findings import Verification, compare


def check_against_ledger(
    envelope: Mapping[str, Any], verification: Verification, ledger: LedgerPort, trusted_key: str | None
) -> None:
    """Compare record, policy and proof with the ledger, and check the blocks that hold them."""
    record = envelope["record"]
    evaluation_id = str(record.get("evaluation_id"))
    try:
        held = ledger.get(evaluation_id)
    except (LedgerNotFound, LedgerRejected):
        verification.add(
            "ledger", "/record/evaluation_id", "the ledger holds no record of this evaluation", None, evaluation_id
        )
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
    except (LedgerNotFound, LedgerRejected):
        verification.add("policy", "/record/policy_digest", "the ledger has no such policy")
    proof = ledger.proof(evaluation_id)
    if "proof" in envelope:
        compare(verification, "proof", proof, envelope["proof"], "/proof", "not the proof that the ledger gives")
    key = trusted_key or str(proof["public_key"])
    _note(verify_proof(proof, held["record"], key), "ledger", "/ledger", verification)
    verification.checks.append(
        f"record, policy and proof against the {ledger.backend} ledger, and the signatures of the blocks that hold them"
    )
    verification.not_checked.append("the other blocks of the ledger: `glassbox ledger fsck` walks all of it")


def check_against_proof(
    envelope: Mapping[str, Any], verification: Verification, proof: Mapping[str, Any], trusted_key: str | None
) -> None:
    """Compare the record with an exported proof; without a key that the reader trusts, only its consistency shows."""
    own = proof.get("public_key")
    key = trusted_key or (own if isinstance(own, str) else "")
    _note(verify_proof(proof, envelope["record"], key), "proof", "/proof", verification)
    if "proof" in envelope:
        compare(verification, "proof", dict(proof), envelope["proof"], "/proof", "not the proof that was given")
    if trusted_key is None:
        verification.not_checked.append(
            "who signed the proof: give the ledger's public key with --trust; without it anybody could have"
        )
    verification.checks.append("record and policy against the exported proof, without a ledger")


def _note(findings: Iterable[Finding], code: str, path: str, verification: Verification) -> None:
    for finding in findings:
        where = path if finding.height is None else f"{path}/{finding.height}"
        verification.add(f"{code}-{finding.code}", where, finding.detail)
