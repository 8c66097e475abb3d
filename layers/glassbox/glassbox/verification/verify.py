"""All checks of one bundle, in the order in which a difference explains the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from glassbox.ledger.port import LedgerPort
from glassbox.verification.bundle import check_content, check_identity, check_scorecard, check_shape
from glassbox.verification.calls import check_calls
from glassbox.verification.findings import Verification
from glassbox.verification.leaves import check_leaves
from glassbox.verification.ledger import check_against_ledger, check_against_proof

if TYPE_CHECKING:
    from glassbox.judges.tools import Models
    from glassbox.verification.proofs import Anchor
    from glassbox.verification.recompute import Recorded


def verify_bundle(
    envelope: Mapping[str, Any],
    *,
    ledger: LedgerPort | None = None,
    proof: Mapping[str, Any] | None = None,
    trusted: Anchor | None = None,
    checkpoint: Mapping[str, Any] | None = None,
    scorecard: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    models: Models | None = None,
    recorded: Recorded | None = None,
) -> Verification:
    """Return what checking a bundle finds, against a ledger or an exported proof where one is given.

    `trusted` is what the reader trusts: the embedded ledger's public key as the reader got it, or the roots of a Fabric
    network, whose proofs may have to lead to a `checkpoint`. A stored `scorecard` is compared with the core. With
    the tenant's `secret` the digests of request and session are checked too; with `models` every local judge runs
    again, and with `recorded` answers of a judge model the others too.
    Raises LedgerError where the ledger itself can't be read, UsageError where `trusted` is not what the proof needs.
    """
    content = envelope.get("content")
    named = content.get("evaluation_id") if isinstance(content, Mapping) else None
    verification = Verification(str(named) if isinstance(named, str) else "unknown")
    if not check_shape(envelope, verification):
        return verification
    check_content(envelope, verification)
    if scorecard is not None:
        check_scorecard(scorecard, envelope["core"], verification)
    check_identity(envelope["content"], verification, secret)
    check_leaves(envelope["content"], verification)
    check_calls(envelope["content"], scorecard, verification)
    if proof is not None:
        check_against_proof(envelope, verification, proof, trusted, checkpoint)
    elif ledger is not None:
        check_against_ledger(envelope, verification, ledger, trusted)
    else:
        verification.not_checked.append("the ledger: none was given, and no proof")
    if models is None:
        verification.not_checked.append("scores of the models themselves: --recompute runs them again")
    else:
        from glassbox.verification.recompute import recompute

        recompute(envelope["content"], verification, models, recorded)
    return verification
