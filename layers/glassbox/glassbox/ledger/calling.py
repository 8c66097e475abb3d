"""Calling the contract, with its refusals and a damaged state told apart and put into our own errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from glassbox.errors import LedgerConflict, LedgerNotFound, LedgerRejected
from glassbox.ledger.reading import damaged
from glassbox.ledger.state import TableStub
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.contract import call
from glassbox_contract.errors import CanonicalError, ContractError
from glassbox_contract.schema import TRANSACTIONS

_FIXES: Final = {
    "CommitScorecard": "The record does not follow from its leaves and its policy; evaluate again",
    "RegisterPolicy": "Correct the policy; `glassbox policy validate` lists all that is wrong with it",
}


def document(value: Mapping[str, Any] | Sequence[str]) -> str:
    """Return the canonical JSON of what is sent to the contract; raises LedgerRejected where there is none."""
    try:
        return canonical_bytes(value, floats=False).decode()
    except ContractError as error:
        raise LedgerRejected(
            f"The ledger takes no such value ({error.code}): {error.reason}",
            code=error.code,
            where=error.path or "/",
            fix="Only JSON of whole numbers and well-formed Unicode can be sent to it",
        ) from None


def submit(stub: TableStub, path: Path, function: str, args: Sequence[str]) -> dict[str, Any]:
    """Return the contract's answer to a transaction; raises LedgerRejected, LedgerConflict or LedgerDamaged."""
    document(args)
    try:
        return call(stub, function, args)
    except CanonicalError as error:
        # Every argument is canonical by now, so what can't be read is the state.
        raise damaged(f"The ledger's state can't be read ({error.reason})", path) from None
    except ContractError as error:
        raise _refusal(error, function) from None
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(f"The ledger's state is not what the contract wrote ({type(error).__name__})", path) from None


def ask(stub: TableStub, path: Path, function: str, args: Sequence[str]) -> dict[str, Any]:
    """Return the contract's answer to a question; raises LedgerNotFound, LedgerRejected or LedgerDamaged."""
    try:
        answer = submit(stub, path, function, args)
    except LedgerRejected as error:
        if error.code == "NOTFOUND":
            raise LedgerNotFound(
                "Nothing stands on the ledger under this id", where=str(path), fix="Check the id"
            ) from None
        raise
    if function in ("GetScorecard", "GetPolicy") and not _as_written(answer):
        raise damaged("The ledger's state is not what the contract wrote", path)
    return answer


def _as_written(stored: Mapping[str, Any]) -> bool:
    """Whether a stored object has what its readers rely on; whether it is true is for `fsck` to say."""
    held = stored.get("record", stored.get("document"))
    return (
        isinstance(held, dict)
        and isinstance(stored.get("tx_id"), str)
        and ("record" not in stored or isinstance(held.get("policy_digest"), str))
    )


def _refusal(error: ContractError, function: str) -> LedgerRejected:
    where = error.path or "/"
    if function not in TRANSACTIONS:
        return LedgerRejected(
            f"The ledger can't answer this ({error.code}): {error.reason}",
            code=error.code,
            where=where,
            fix="Correct the argument that is named; nothing was changed",
        )
    if error.code == "CONFLICT":
        return LedgerConflict(
            f"The ledger refused the transaction: {error.reason}",
            where=where,
            fix="What stands on the ledger is never changed; a correction is a new attempt that supersedes it",
        )
    return LedgerRejected(
        f"The ledger refused the transaction ({error.code}): {error.reason}",
        code=error.code,
        where=where,
        fix=_FIXES.get(function, "Correct the argument that is named"),
    )
