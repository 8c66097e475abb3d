"""Who an evaluation is: ids that are the same however often the same thing is asked."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from glassbox_contract.canonical import canonical_bytes, hmac_digest

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:glassbox:evaluation")
SESSION_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:glassbox:session")


def request_hmac(secret: bytes, request: Mapping[str, Any]) -> str:
    """Return the HMAC-SHA256 of a canonical request under the tenant's secret; the callback address stays out of it."""
    return hmac_digest(secret, {k: v for k, v in request.items() if k != "callback_url"})


def session_hmac(secret: bytes, session_id: str) -> str:
    """Return what the ledger lists a session by; without the secret it can't be guessed back."""
    return hmac_digest(secret, {"session_id": session_id})


def evaluation_id(*, tenant: str, key: str, policy_digest: str, engine: str, attempt: int) -> str:
    """Return the UUIDv5 of an evaluation; `key` is the idempotency key or the request's HMAC."""
    return str(uuid.uuid5(NAMESPACE, canonical_bytes([tenant, key, policy_digest, engine, attempt]).decode()))


def session_id_for(tenant: str, key: str) -> str:
    """Return the session id that a request without one gets: the same at every retry."""
    return str(uuid.uuid5(SESSION_NAMESPACE, canonical_bytes([tenant, key]).decode()))
