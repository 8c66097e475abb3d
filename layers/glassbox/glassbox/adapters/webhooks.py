"""Standard Webhooks: signing and checking `webhook-id`, `webhook-timestamp` and `webhook-signature`.

Source: the Standard Webhooks specification, symmetric scheme `v1`: HMAC-SHA256 over `id.timestamp.body`, base64.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Final

from glassbox.errors import SignatureInvalid, UsageError

TOLERANCE: Final = 300
"""Seconds that a timestamp may lie from now, both ways."""
_PREFIX: Final = "whsec_"
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,255}")
_FIX: Final = "Sign `id.timestamp.body` of the body as it is sent, with the secret that was agreed"


def key_of(secret: str) -> bytes:
    """Return the 24 to 64 bytes of a `whsec_` secret; raises UsageError without quoting it."""
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(_PREFIX) or not 24 <= len(key) <= 64:
        raise UsageError(
            "A webhook secret is not `whsec_` and the base64 of 24 to 64 bytes",
            where="the secrets of webhooks",
            fix="Make one with: echo whsec_$(head -c 32 /dev/urandom | base64)",
        )
    return key


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key_of(secret), signed, hashlib.sha256).digest()).decode()


def signed_headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message; it is signed with each secret, so that they can be rotated."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, message_id, timestamp, body) for secret in secrets),
    }


def verify(secrets: Sequence[str], headers: Mapping[str, str], body: bytes, now: float) -> str:
    """Return the message's id where one signature is right under one of the secrets and the time is near.

    `headers` have lower-case names; `body` is as it came, before anything was parsed. Raises SignatureInvalid.
    """
    message_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not _ID.fullmatch(message_id):
        raise _invalid("webhook-id is missing or holds more than letters, digits, - and _")
    if not sent.isascii() or not sent.isdigit() or len(sent) > 12:
        raise _invalid("webhook-timestamp is no number of seconds")
    if abs(now - int(sent)) > TOLERANCE:
        raise _invalid(f"webhook-timestamp lies more than {TOLERANCE} seconds from now")
    right = [signature(secret, message_id, int(sent), body).encode() for secret in secrets]
    given = [part.encode() for part in headers.get("webhook-signature", "")[:4096].split(" ")[:20]]
    # Every pair is compared, so that the time taken tells nothing.
    matches = [hmac.compare_digest(one, other) for one in right for other in given]
    if not any(matches):
        raise _invalid("no signature of webhook-signature is right")
    return message_id


def _invalid(what: str) -> SignatureInvalid:
    return SignatureInvalid(f"The webhook's signature is refused: {what}", where="webhook-signature", fix=_FIX)
