"""From the text of a reply to one JSON object: what is ambiguous is refused, never guessed."""

from __future__ import annotations

import json
import math
from json import JSONDecoder
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from glassbox.llm.types import ReplyFault

MAX_REPLY: Final = 1_000_000
_STARTS: Final = 64
_WORDS: Final = ("literal_error", "enum")


class _NotFinite(ValueError):
    """NaN, Infinity or a number too large to be one."""


def read_reply(text: str, model: type[BaseModel]) -> BaseModel:
    """Return the validated object in a reply.

    Takes bare JSON, JSON in a code fence and JSON after a sentence; refuses two objects, duplicate keys, NaN and
    Infinity, and whatever is not valid under `model` (strictly: no text for a number, no number for a truth value).
    Raises ReplyFault.
    """
    value = _object_in(text)
    try:
        return model.model_validate(value, strict=True)
    except ValidationError as error:
        wrong_word = any(e["type"] in _WORDS for e in error.errors(include_url=False, include_input=False))
        raise ReplyFault("vocabulary" if wrong_word else "schema") from None
    except RecursionError:
        raise ReplyFault("invalid_json") from None


def _object_in(text: str) -> dict[str, Any]:
    stripped = text.strip().removeprefix("\ufeff")
    if not stripped:
        raise ReplyFault("empty")
    if len(stripped) > MAX_REPLY:
        raise ReplyFault("invalid_json")
    found: dict[str, Any] | None = None
    at = stripped.find("{")
    starts = 0
    while at >= 0:
        starts += 1
        if starts > _STARTS:
            raise ReplyFault("invalid_json")
        decoded = _decode(stripped, at)
        if decoded is None:
            at = stripped.find("{", at + 1)
            continue
        value, end = decoded
        if found is not None:
            raise ReplyFault("invalid_json")
        found = value
        at = stripped.find("{", end)
    if found is None:
        raise ReplyFault("invalid_json")
    return found


def _decode(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except _NotFinite:
        raise ReplyFault("not_finite") from None
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate keys")
    return value


def _constant(_name: str) -> Any:
    raise _NotFinite


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _NotFinite
    return value


_DECODER: Final = JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, strict=False)


def compact(value: Any) -> str:
    """Return a value as JSON on one line, for an instruction to a model."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
