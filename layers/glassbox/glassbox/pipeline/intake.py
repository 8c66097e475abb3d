"""Intake: a validated request gets its id, its time and its salt, once, and is stored before anything else happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import KeyReused, StoreError
from glassbox.pipeline.ports import Caller, Chance, Documents, Json
from glassbox.scorecard.identity import evaluation_id, request_hmac, session_hmac, session_id_for

INTAKE = "intake"
SCORECARD = "scorecard"
MAX_ATTEMPTS = 1000


@dataclass(frozen=True, slots=True)
class Accepted:
    """An evaluation that has been taken in."""

    evaluation_id: str
    document: Json
    """What intake stored: identity, time, salt, engine, request, policy."""
    committed: bool
    """Whether its scorecard stands already."""


def accept(
    request: Request,
    policy: Policy,
    engine: str,
    caller: Caller,
    documents: Documents,
    *,
    idempotency_key: str | None = None,
    again: bool = False,
    chance: Chance | None = None,
    on_ledger: Callable[[str], bool] = lambda _: False,
) -> Accepted:
    """Return the accepted evaluation; the same request, policy and engine give the same one at any time.

    `again` asks for a new attempt after a commit; its record will supersede the last one. `on_ledger` says whether
    the ledger holds an id already, which counts even where the documents are gone. Raises StoreError.
    """
    chance = chance or Chance()
    content = request.content()
    hmac = request_hmac(caller.secret, content)
    key = idempotency_key or hmac
    attempt, previous, current = _attempt(documents, caller, key, policy, engine, again, on_ledger)
    if "session_id" not in content:
        content["session_id"] = session_id_for(caller.tenant, key)
    document: dict[str, Any] = {
        "schema_version": "1",
        "evaluation_id": current,
        "attempt": attempt,
        "supersedes": previous,
        "created_at": chance.now(),
        "salt": chance.salt(),
        "identity": {
            "tenant": caller.tenant,
            "idempotency_key": idempotency_key,
            "request_hmac": hmac,
            "session_hmac": session_hmac(caller.secret, content["session_id"]),
        },
        "engine": engine,
        "request": content,
        "policy": policy.document,
    }
    if documents.get(current, INTAKE) is None and on_ledger(current):
        raise StoreError(
            "The ledger holds this evaluation, but its bundle is not in the working folder",
            where=current,
            fix="Use the folder it was made in, or ask for a new attempt with --again",
        )
    stored = documents.put_new(current, INTAKE, document)
    if stored["identity"]["request_hmac"] != hmac:
        raise KeyReused(
            "The idempotency key belongs to another request",
            where=current,
            fix="Send the request under a key of its own; the evaluation under this key stays as it is",
        )
    return Accepted(current, stored, documents.get(current, SCORECARD) is not None)


def _attempt(
    documents: Documents,
    caller: Caller,
    key: str,
    policy: Policy,
    engine: str,
    again: bool,
    on_ledger: Callable[[str], bool],
) -> tuple[int, str | None, str]:
    """Return (attempt, id it supersedes, its id): the newest begun, with `again` the one after the last committed."""
    previous: str | None = None
    newest: tuple[int, str | None, str] | None = None
    for attempt in range(MAX_ATTEMPTS):
        current = evaluation_id(
            tenant=caller.tenant, key=key, policy_digest=policy.digest, engine=engine, attempt=attempt
        )
        committed = documents.get(current, SCORECARD) is not None or on_ledger(current)
        begun = committed or documents.get(current, INTAKE) is not None
        if not begun and newest is not None and not again:
            return newest
        if not committed:
            return attempt, previous, current
        newest = (attempt, previous, current)
        previous = current
    raise StoreError(f"An evaluation has had {MAX_ATTEMPTS} attempts", where=current)
