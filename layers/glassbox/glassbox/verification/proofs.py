"""Proofs of either ledger, checked against what the reader trusts: a key, or the roots of a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from glassbox.errors import UsageError
from glassbox.ledger.port import Finding
from glassbox.verification.findings import Verification

if TYPE_CHECKING:
    from glassbox.ledger.fabric.trust import Trust

    Anchor = str | Trust
    """What a reader trusts: `ed25519:` and the key of an embedded ledger, or the roots of a Fabric network."""

FABRIC_FORMAT: Final = "glassbox-fabric-proof/1"


def is_fabric(proof: Mapping[str, Any]) -> bool:
    """Return whether a proof says that it comes from a Fabric network."""
    return proof.get("format") == FABRIC_FORMAT


def check_proof(
    proof: Mapping[str, Any],
    record: Mapping[str, Any],
    anchor: Anchor | None,
    verification: Verification,
    *,
    path: str,
    checkpoint: Mapping[str, Any] | None = None,
) -> bool:
    """Note what is wrong with a proof of `record`, below `path`; return whether it could be checked at all.

    Raises UsageError where the reader trusts something that proofs of this kind have nothing to do with.
    """
    code = path.strip("/")
    if is_fabric(proof):
        if anchor is None:
            return False
        if isinstance(anchor, str):
            raise _mismatch("from a Fabric network", "the roots that `glassbox ledger trust` wrote")
        from glassbox.ledger.fabric.proof import verify_fabric_proof

        _note(verify_fabric_proof(dict(proof), record, anchor, checkpoint=checkpoint), code, path, verification)
        return True
    if checkpoint is not None:
        raise UsageError(
            "The proof is from an embedded ledger, whose proofs lead to no checkpoint",
            where="--checkpoint",
            fix="Leave it out; `glassbox ledger fsck --checkpoint` compares the ledger itself",
        )
    own = proof.get("public_key")
    if anchor is not None and not isinstance(anchor, str):
        raise _mismatch("from an embedded ledger", "the key that `glassbox ledger key` prints")
    from glassbox.ledger.proof import verify_proof

    key = anchor or (own if isinstance(own, str) else "")
    _note(verify_proof(proof, record, key), code, path, verification)
    return True


def _mismatch(origin: str, needed: str) -> UsageError:
    return UsageError(f"The proof is {origin}, which --trust says nothing about", where="--trust", fix=f"Give {needed}")


def _note(findings: list[Finding], code: str, path: str, verification: Verification) -> None:
    for finding in findings:
        where = path if finding.height is None else f"{path}/{finding.height}"
        verification.add(f"{code}-{finding.code}", where, finding.detail)
