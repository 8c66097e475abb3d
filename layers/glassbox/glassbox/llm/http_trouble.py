"""What an HTTP status, a refusal's words and a broken connection mean; nothing of a body goes further than here."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from glassbox.llm.backend import BackendError, Code, Parameter

_WORDS: Final = 600
"""Characters of an endpoint's message that are looked at: some repeat the whole request after them."""
_TOO_LONG: Final = (
    "context_length",
    "context length",
    "maximum context",
    "context size",
    "context window",
    "too many tokens",
    "is too large",
)
_FILTERED: Final = ("content_filter", "content management policy", "content_policy")
_NAMED: Final[tuple[tuple[Parameter, tuple[str, ...]], ...]] = (
    (
        "schema",
        ("response_format", "json_schema", "json_object", "grammar", "guided", "structured output", "response format"),
    ),
    ("max_tokens", ("max_completion_tokens",)),
    ("seed", ("seed",)),
    ("temperature", ("temperature",)),
)
_LONGEST_WAIT: Final = 86_400.0


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> BackendError:
    """Return the error for a status other than 200."""
    wait = _wait(headers)
    if status in (401, 403):
        return BackendError("auth", status=status)
    if status == 404:
        return BackendError("not_found", status=status)
    if 300 <= status < 400:
        return BackendError("config", detail="redirect", status=status)
    if status == 413:
        return BackendError("too_long", status=status)
    if status == 429:
        # A quota that is used up does not come back by waiting.
        code: Code = "quota" if "insufficient_quota" in _told(body) else "rate_limited"
        return BackendError(code, status=status, retry_after=wait)
    if status in (408, 409, 425) or status >= 500:
        return BackendError("unavailable", status=status, retry_after=wait)
    if status in (400, 422):
        return _bad_request(status, _told(body))
    return BackendError("config", status=status)


def broken(error: Exception) -> BackendError:
    """Return the error for a request that ended without a status; the library's own words are left behind."""
    import httpx

    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return BackendError("timeout", status="no connection")
    if isinstance(error, httpx.TimeoutException):
        return BackendError("timeout", billed=True)
    if isinstance(error, httpx.ConnectError):
        return _not_connected(error)
    if isinstance(error, httpx.LocalProtocolError | UnicodeError):
        return BackendError("config", detail="bad_key")
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | ValueError):
        return BackendError("config", status="the address")
    return BackendError("unavailable", detail="disconnected", billed=True)


def _not_connected(error: BaseException) -> BackendError:
    seen: BaseException | None = error
    for _ in range(8):
        if isinstance(seen, socket.gaierror):
            return BackendError("unavailable", detail="dns")
        if isinstance(seen, ssl.SSLError):
            return BackendError("unavailable", detail="tls")
        if seen is None:
            break
        seen = seen.__cause__ or seen.__context__
    return BackendError("unavailable", detail="connection")


def _bad_request(status: int, told: str) -> BackendError:
    if any(words in told for words in _FILTERED):
        return BackendError("filtered", status=status)
    if any(words in told for words in _TOO_LONG):
        return BackendError("too_long", status=status)
    for parameter, words in _NAMED:
        if any(word in told for word in words):
            return BackendError("parameter", status=status, parameter=parameter)
    return BackendError("config", status=status)


def _told(body: bytes) -> str:
    """Return the endpoint's own words in lower case, to look for what it names; what it repeats of ours is left out."""
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body[:_WORDS].decode("utf-8", "replace").lower()
    error = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(error, str):
        return error[:_WORDS].lower()
    if not isinstance(error, dict):
        return ""
    parts = [error.get(name) for name in ("code", "type", "param", "message")]
    detail = error.get("detail")
    if isinstance(detail, str):
        parts.append(detail)
    elif isinstance(detail, list):
        for fault in detail[:4]:
            if isinstance(fault, dict):
                place = fault.get("loc")
                parts += [".".join(map(str, place)) if isinstance(place, list) else None, fault.get("msg")]
    return " ".join(str(part)[:_WORDS] for part in parts if isinstance(part, str | int)).lower()


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an endpoint asks to wait: in milliseconds, in seconds or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            wait = float(text) * unit
        except ValueError:
            wait = _until(text, headers.get("date"))
        if 0 <= wait <= _LONGEST_WAIT:
            return wait
    return None


def _until(text: str, date: str | None) -> float:
    """Return the seconds from the endpoint's own present to a date, -1 for what is none."""
    try:
        now = time.time() if date is None else parsedate_to_datetime(date).timestamp()
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return -1.0
