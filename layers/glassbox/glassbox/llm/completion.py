"""Reading the body of a chat completion: the text, how it ended, what it cost, who gave it."""

from __future__ import annotations

import json
from typing import Any, Final

from glassbox.llm.backend import BackendError, Raw, count_of, word_of

_REFUSED: Final = ("content_filter", "refusal", "safety")
_CUT: Final = ("length", "max_tokens")


def completion(body: bytes) -> Raw:
    """Return what a body of status 200 holds; raises BackendError for one that is no chat completion."""
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and isinstance(document.get("error"), dict):
        raise _error_inside(document["error"])
    try:
        choice = document["choices"][0]
        message = choice["message"]
        content, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise BackendError("unavailable", detail="no_completion", billed=True) from None
    usage = document.get("usage") if isinstance(document.get("usage"), dict) else {}
    return Raw(
        text=_text(content),
        finish="refusal" if refusal or reason in _REFUSED else "length" if reason in _CUT else "stop",
        finish_reason=word_of(reason),
        served_model=word_of(document.get("model")),
        system_fingerprint=word_of(document.get("system_fingerprint")),
        input_tokens=count_of(usage.get("prompt_tokens")),
        output_tokens=count_of(usage.get("completion_tokens")),
    )


def _error_inside(error: dict[str, Any]) -> BackendError:
    """Return the error that a gateway wrapped into a status of 200."""
    status = count_of(error.get("code"))
    if status == 429:
        return BackendError("rate_limited", status=status)
    return BackendError("unavailable", status=status, billed=True)


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
