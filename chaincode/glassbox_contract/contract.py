"""The face of the contract: a function's name and arguments in, a response out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox_contract import queries, rules
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.errors import STATUS, ContractError
from glassbox_contract.schema import FUNCTIONS
from glassbox_contract.stub import Stub

_HANDLERS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    "RegisterPolicy": rules.register_policy,
    "OpenEvaluation": rules.open_evaluation,
    "CommitScorecard": rules.commit_scorecard,
    "GetPolicy": queries.get_policy,
    "GetScorecard": queries.get_scorecard,
    "GetHistory": queries.get_history,
    "VerifyDigest": queries.verify_digest,
    "ListBySession": queries.list_by_session,
    "ListByDay": queries.list_by_day,
    "ListOpen": queries.list_open,
    "GetSchema": queries.get_schema,
}
_DOCUMENTS: Final = ("policy", "record")
"""Parameters that stay bytes, since their exact bytes are what is checked."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a peer gets: 200 and a canonical JSON payload, or another status and ``CODE: path: reason``."""

    status: int
    payload: bytes
    message: str

    @property
    def ok(self) -> bool:
        """Whether the transaction may be committed."""
        return self.status == 200


def invoke(stub: Stub, function: str, args: Sequence[bytes | str]) -> Response:
    """Return the contract's response to one call; a refusal is a response, a broken ledger an exception."""
    try:
        return Response(200, canonical_bytes(call(stub, function, args)), "")
    except ContractError as refusal:
        return Response(STATUS[refusal.code], b"", str(refusal))


def call(stub: Stub, function: str, args: Sequence[bytes | str]) -> dict[str, Any]:
    """Return the answer of one call as a JSON object; raises ContractError for a refusal.

    A document argument is canonical JSON, the others are strings. Nothing may be written when this raises.
    """
    if function not in _HANDLERS:
        raise ContractError("INVALID", "no such function; see GetSchema")
    parameters = FUNCTIONS[function]
    if len(args) != len(parameters):
        raise ContractError("INVALID", f"{function} takes {len(parameters)} arguments: {', '.join(parameters)}")
    typed = [_argument(name, value) for name, value in zip(parameters, args, strict=True)]
    return _HANDLERS[function](stub, *typed)


def _argument(name: str, value: bytes | str) -> bytes | str:
    if name in _DOCUMENTS:
        return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    if isinstance(value, str):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise ContractError("INVALID", "not UTF-8", "/" + name) from None
