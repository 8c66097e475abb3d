"""From the text of a reply to one JSON object: what is ambiguous is refused, never guessed."""

from __future__ import annotations

import json
import math
import re
from json import JSONDecoder
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from glassbox.llm.types import FaultCode, ReplyFault

MAX_REPLY: Final = 1_000_000
"""Characters of a reply that are looked at; a longer one is refused whole."""
_LONGEST: Final = 300
"""Digits of a whole number; a longer one is no float."""
_THOUGHT: Final = ("<think>", "</think>")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_KINDS: Final[dict[str, FaultCode]] = {
    "literal_error": "vocabulary",
    "enum": "vocabulary",
    "finite_number": "not_finite",
    "json_invalid": "invalid_json",
}


class _NotFinite(ValueError):
    """NaN, Infinity or a number too large to be one."""


def read_reply(text: str, model: type[BaseModel]) -> BaseModel:
    """Return the validated object in a reply.

    Takes bare JSON, JSON in a code fence and JSON after a sentence or a model's spoken thoughts; refuses a second
    object, an object inside an array, duplicate keys, NaN and Infinity, and whatever is not valid under `model`
    (strictly: no text for a number, no number for a truth value). Linear in the length. Raises ReplyFault.
    """
    json_text = object_in(text)
    # The library's own errors hold the text: they are left behind before ours is raised.
    fault: FaultCode
    try:
        return model.model_validate_json(json_text, strict=True)
    except ValidationError as error:
        fault = _fault_of(error)
    except (RecursionError, OverflowError):
        fault = "invalid_json"
    raise ReplyFault(fault)


def object_in(text: str) -> str:
    """Return the part of a reply that is its one JSON object; raises ReplyFault where there isn't exactly one."""
    said = text.strip().removeprefix("\ufeff")
    if not said:
        raise ReplyFault("empty")
    if len(said) > MAX_REPLY or _SURROGATE.search(said):
        raise ReplyFault("invalid_json")
    if said.startswith(_THOUGHT[0]):
        said = said.partition(_THOUGHT[1])[2].strip()
    start = said.find("{")
    if start < 0:
        raise ReplyFault("invalid_json")
    end = _end_of_object(said, start)
    before, after = said[:start].rstrip(), said[end:].lstrip()
    # Beside the object stand words or a code fence; anything else makes it a part of something larger.
    if before.endswith(("[", ",", '"', "'")) or after.startswith(("]", "}", ",", ":", '"')) or "{" in after:
        raise ReplyFault("invalid_json")
    return said[start:end]


def _end_of_object(text: str, start: int) -> int:
    fault: FaultCode
    try:
        _, end = _DECODER.raw_decode(text, start)
        return end
    except _NotFinite:
        fault = "not_finite"
    except (ValueError, RecursionError):
        fault = "invalid_json"
    raise ReplyFault(fault)


def _fault_of(error: ValidationError) -> FaultCode:
    kinds = {e["type"] for e in error.errors(include_url=False, include_input=False, include_context=False)}
    return next((fault for kind, fault in _KINDS.items() if kind in kinds), "schema")


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


def _int(text: str) -> int:
    if len(text) > _LONGEST:
        raise _NotFinite
    return int(text)


_DECODER: Final = JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int)


def compact(value: Any) -> str:
    """Return a value as JSON on one line, for an instruction to a model."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
