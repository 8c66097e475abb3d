"""Replies of the HTTP face: a status, headers and one JSON document, problems among them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from glassbox.errors import Erased, GlassBoxError, InputError

_NAMES: Final = frozenset(
    {
        *("query", "answer", "retrieved_passages", "session_id", "model", "retrieval_strategy", "retrieved_entities"),
        *("source_documents", "expected_answer", "policy", "callback_url", "payload", "s3", "text", "id", "score"),
        *("source_id", "uri", "provider", "name", "idempotency-key", ""),
    }
)
PROBLEM: Final = "application/problem+json"
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Reply:
    """What an HTTP caller gets."""

    status: int
    document: Any
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> str:
        """The document as JSON; NaN and Infinity are refused."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False)


def problem(error: GlassBoxError, request_id: str) -> Reply:
    """Return the RFC 9457 problem document of an error, with the status that a caller can act on."""
    status = _status(error)
    document = {**error.problem(), "status": status, "instance": f"urn:glassbox:request:{request_id}"}
    if error.where:
        document["where"] = error.where
    return Reply(status, document, PROBLEM, {"retry-after": "5"} if status == 503 else {})


def not_found(request_id: str) -> Reply:
    """Return the answer for what there isn't, and for what belongs to somebody else: both look the same."""
    document = {
        "type": "urn:glassbox:problem:not-found",
        "title": "There is no such evaluation",
        "status": 404,
        "detail": "Check the id; an evaluation is seen by the tenant that asked for it and by nobody else",
        "instance": f"urn:glassbox:request:{request_id}",
    }
    return Reply(404, document, PROBLEM)


def broken(request_id: str) -> Reply:
    """Return the answer where something broke that nobody foresaw; it tells where to look and no text."""
    document = {
        "type": "urn:glassbox:problem:internal",
        "title": "Something broke while the request was handled",
        "status": 500,
        "detail": "Send it again; if it breaks again, the operator finds it in the log under this instance",
        "instance": f"urn:glassbox:request:{request_id}",
    }
    return Reply(500, document, PROBLEM)


def _status(error: GlassBoxError) -> int:
    if isinstance(error, InputError):
        return error.status
    if isinstance(error, Erased):
        return 410
    return 503 if _may_pass(error) else 500


def _may_pass(error: GlassBoxError) -> bool:
    return error.retryable or error.kind == "store"


def api_key(event: Mapping[str, Any]) -> tuple[str, str]:
    """Return (id, key) of the API key that a request came with, each empty where the event doesn't tell."""
    identity = (event.get("requestContext") or {}).get("identity") or {}
    headers = {name.lower(): str(value) for name, value in (event.get("headers") or {}).items()}
    return str(identity.get("apiKeyId") or ""), headers.get("x-api-key", "")


def loggable(error: GlassBoxError) -> dict[str, Any]:
    """Return an error's problem document as it may be logged: a path keeps the names of the contract and no other.

    The name of an unknown field is the sender's own text.
    """
    document = error.problem()
    for item in document.get("errors", ()):
        item["path"] = "".join(
            part if part in _NAMES or not part.strip(".$[]0123456789") else "*"
            for part in re.split(r"([.$\[\]])", str(item["path"]))
        )
        item["message"] = str(item["message"]) if "*" not in item["path"] else "is not known"
    return document
