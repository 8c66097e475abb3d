"""Checks of a bundle against a ledger, or offline against a proof that was exported from one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from glassbox.errors import LedgerNotFound, LedgerRejected, LedgerUnavailable, UsageError
from glassbox.ledger.port import LedgerPort
from glassbox.verification.findings import Verification, compare
from glassbox.verification.proofs import check_proof, is_fabric

if TYPE_CHECKING:
    from glassbox.verification.proofs import Anchor


def check_against_ledger(
    envelope: Mapping[str, Any], verification: Verification, ledger: LedgerPort, anchor: Anchor | None
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
    if ledger.backend == "fabric":
        _check_on_network(envelope, held["record"], verification, ledger, anchor)
    else:
        proof = ledger.proof(evaluation_id)
        if "proof" in envelope:
            compare(verification, "proof", proof, envelope["proof"], "/proof", "not the proof that the ledger gives")
        check_proof(proof, held["record"], anchor, verification, path="/ledger")
    verification.checks.append(
        f"record, policy and proof against the {ledger.backend} ledger, and the signatures of the blocks that hold them"
    )
    verification.not_checked.append("the other blocks of the ledger: `glassbox ledger fsck` walks all of it")


def _check_on_network(
    envelope: Mapping[str, Any],
    record: Mapping[str, Any],
    verification: Verification,
    ledger: LedgerPort,
    anchor: Anchor | None,
) -> None:
    """Check a proof that the network gives now, and the bundle's own: peers sign each time anew, so they differ."""
    if anchor is None:
        anchor = getattr(ledger, "trust", None)
    try:
        check_proof(ledger.proof(str(record["evaluation_id"])), record, anchor, verification, path="/ledger")
    except LedgerUnavailable as error:
        verification.not_checked.append(f"a proof from the network: {error.what}")
    own = envelope.get("proof")
    if own is not None:
        _check_own(own, envelope["record"], anchor, verification)


def _check_own(own: Any, record: Mapping[str, Any], anchor: Anchor | None, verification: Verification) -> None:
    if not isinstance(own, Mapping):
        verification.add("shape", "/proof", "not what a bundle holds here")
    elif not is_fabric(own):
        verification.add("proof", "/proof", "not a proof from a Fabric network")
    else:
        check_proof(own, record, anchor, verification, path="/proof")


def check_against_proof(
    envelope: Mapping[str, Any],
    verification: Verification,
    proof: Mapping[str, Any],
    anchor: Anchor | None,
    checkpoint: Mapping[str, Any] | None = None,
) -> None:
    """Compare the record with an exported proof; without a key that the reader trusts, only its consistency shows.

    Raises UsageError for a proof from a Fabric network that was given without the network's roots.
    """
    own = envelope.get("proof")
    if is_fabric(proof):
        if not check_proof(proof, envelope["record"], anchor, verification, path="/proof", checkpoint=checkpoint):
            raise UsageError(
                "A proof from a Fabric network is checked against the network's roots",
                where="--trust",
                fix="Get them from somebody you trust (`glassbox ledger trust --out FILE` writes them) and compare the "
                "fingerprint",
            )
        if own is not None and own is not proof:
            _check_own(own, envelope["record"], anchor, verification)
        from glassbox.ledger.fabric.proof import LIMITS

        verification.not_checked.extend(LIMITS)
        if anchor is not None and not isinstance(anchor, str):
            verification.checks.append(
                f"roots with the fingerprint {anchor.fingerprint}: whoever gave them to you can name it another way"
            )
        verification.checks.append(
            "record, policy, endorsements, signatures of the orderers and answers of the peers in the proof, offline"
        )
    else:
        check_proof(proof, envelope["record"], anchor, verification, path="/proof", checkpoint=checkpoint)
        if own is not None:
            compare(verification, "proof", dict(proof), own, "/proof", "not the proof that was given")
        if anchor is None:
            verification.not_checked.append(
                "who signed the proof: give the ledger's public key with --trust; without it anybody could have"
            )
        verification.checks.append("record and policy against the exported proof, without a ledger")
