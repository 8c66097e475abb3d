"""The arguments of `glassbox ledger`, checked before the ledger is opened."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glassbox.errors import StoreError, UsageError
from glassbox_contract import checks
from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError

if TYPE_CHECKING:
    from glassbox.ledger.port import LedgerPort

_CHECKPOINTS = ("glassbox-checkpoint/1", "glassbox-fabric-checkpoint/1")


def identifier(value: str, where: str) -> str:
    """Return an id of the form that evaluations have; raises UsageError without repeating what may be a text."""
    try:
        return checks.identifier(value, "")
    except ContractError:
        raise UsageError(
            "Not the id of an evaluation",
            where=where,
            fix="An id is a UUID in lower case, 8-4-4-4-12 hex digits; `glassbox ledger show` lists them",
        ) from None


def day(value: str) -> str:
    """Return a UTC day YYYY-MM-DD; raises UsageError."""
    try:
        return checks.calendar_day(value, "")
    except ContractError:
        raise UsageError(
            "Not a day YYYY-MM-DD", where="--day", fix="Give a day as in 2026-01-31; days are UTC"
        ) from None


def refuse_both(*options: tuple[str, bool]) -> None:
    """Raise UsageError where more than one of the options is given."""
    given = [name for name, is_given in options if is_given]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} don't go together", where=given[-1], fix="Give one of them")


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return the checkpoint in a file, which may be a damaged one; raises UsageError for a file of anything else."""
    try:
        value = parse(path.read_bytes())
    except OSError as error:
        raise UsageError(
            error.strerror or type(error).__name__, where=str(path), fix="Check the path after --checkpoint"
        ) from None
    except ContractError:
        value = None
    if not isinstance(value, dict) or value.get("format") not in _CHECKPOINTS:
        raise UsageError(
            "Not a checkpoint of a ledger", where=str(path), fix="Name a file that `glassbox ledger checkpoint` wrote"
        )
    return value


def write_text(path: Path, text: str) -> None:
    """Write a file for `--out`; raises StoreError."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise StoreError(
            error.strerror or "can't be written", where=str(path), fix="Name another file with --out"
        ) from None


def proof_of(ledger: LedgerPort, evaluation_id: str, checkpoint: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the proof of an evaluation, leading to a checkpoint where one is given; raises UsageError."""
    if checkpoint is None:
        return ledger.proof(evaluation_id)
    number = checkpoint.get("number")
    prove = getattr(ledger, "proof_until", None)
    if prove is None or not isinstance(number, int):
        raise UsageError(
            "Only a proof from a Fabric channel leads to a checkpoint, which has to be one of that channel",
            where="--checkpoint",
            fix="Leave it out, or name a file that `glassbox ledger checkpoint --ledger fabric` wrote",
        )
    proof: dict[str, Any] = prove(evaluation_id, number)
    return proof
