"""From bytes to a validated request: every fault of it at once, each with its path and none with its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from glassbox.contract.limits import INLINE, Limits
from glassbox.contract.request import Request
from glassbox.errors import RequestInvalid, Violation
from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_FIX = "Correct the paths listed and send the request again"


def parse_json(data: bytes, *, where: str = "request", limits: Limits = INLINE) -> Any:
    """Return the JSON value in `data`.

    Refuses more bytes than `limits` allow, text that is not UTF-8, NaN, Infinity, duplicate keys, lone
    surrogates and nesting deeper than the contract allows; raises RequestInvalid with the place.
    """
    if len(data) > limits.bytes:
        raise RequestInvalid(
            f"The body has {len(data):,} bytes; the limit is {limits.bytes:,}",
            where=where,
            fix="Send fewer or shorter documents",
            violations=[Violation("$", f"{len(data)} bytes, at most {limits.bytes}")],
        )
    try:
        return parse(data)
    except ContractError as error:
        raise RequestInvalid(
            "The body is not JSON that can be evaluated",
            where=where,
            fix="Send one JSON object in UTF-8 (RFC 8259), without NaN, duplicate keys or lone surrogates",
            violations=[Violation("$", str(error))],
        ) from None


def request_from(value: Any, *, where: str = "request", limits: Limits = INLINE) -> Request:
    """Return the validated request in a JSON value; raises RequestInvalid naming every offending path."""
    violations = list(_hostile_characters(value))
    request: Request | None = None
    try:
        request = Request.model_validate(value)
    except ValidationError as error:
        violations += [Violation(_path(e["loc"]), _message(e)) for e in error.errors(include_url=False)]
    violations += _size(value, limits)
    if violations or request is None:
        unique = sorted({(v.path, v.message) for v in violations})
        raise RequestInvalid(
            f"The request has {len(unique)} fault{'s' if len(unique) != 1 else ''}",
            where=where,
            fix=_FIX,
            violations=[Violation(path, message) for path, message in unique],
        ) from None
    return request


def parse_request(data: bytes, *, where: str = "request", limits: Limits = INLINE) -> Request:
    """Return the validated request in a JSON body; raises RequestInvalid naming every offending path."""
    return request_from(parse_json(data, where=where, limits=limits), where=where, limits=limits)


def _path(loc: tuple[int | str, ...]) -> str:
    path = "$"
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{_name(part)}"
    return path


def _name(part: str) -> str:
    """A field name is the caller's own text too: show it only where it is plain and short."""
    return part if _PLAIN_NAME.fullmatch(part) else f"<name of {len(part)} characters>"


_KINDS = {
    "missing": "required, but absent",
    "extra_forbidden": "unknown field; remove it or check its spelling",
    "string_type": "must be a string",
    "tuple_type": "must be an array",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
}


def _message(error: Any) -> str:
    """Say what is wrong from the error's kind and limits alone; pydantic's own text may quote the input."""
    kind = str(error["type"])
    context = error.get("ctx") or {}
    if kind in _KINDS:
        return _KINDS[kind]
    if kind == "too_long":
        return f"has {context.get('actual_length')} items, at most {context.get('max_length')}"
    if kind == "string_too_long":
        return f"longer than {context.get('max_length')} characters"
    if kind == "string_too_short":
        return f"shorter than {context.get('min_length')} character"
    if kind == "value_error":
        return str(context.get("error", "not a legal value"))
    return f"not a legal value ({kind})"


def _hostile_characters(value: Any) -> Iterator[Violation]:
    """Name each string that holds NUL or a lone surrogate: both break stores and hide text."""
    stack: list[tuple[tuple[int | str, ...], Any]] = [((), value)]
    while stack:
        loc, item = stack.pop()
        if isinstance(item, str):
            if "\x00" in item:
                yield Violation(_path(loc), f"holds a NUL character at offset {item.index(chr(0))}")
            if any("\ud800" <= c <= "\udfff" for c in item) if not item.isascii() else False:
                yield Violation(_path(loc), "holds a lone surrogate")
        elif isinstance(item, dict):
            stack.extend(((*loc, str(k)), v) for k, v in item.items())
        elif isinstance(item, list | tuple):
            stack.extend(((*loc, i), v) for i, v in enumerate(item))


def _size(value: Any, limits: Limits) -> list[Violation]:
    faults = []
    total = 0
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            total += len(item)
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list | tuple):
            stack.extend(item)
    if total > limits.characters:
        faults.append(Violation("$", f"holds {total:,} characters of text, at most {limits.characters:,}"))
    for field in ("retrieved_passages", "source_documents"):
        texts = value.get(field) if isinstance(value, dict) else None
        if isinstance(texts, list | tuple) and len(texts) > limits.passages:
            faults.append(Violation(f"$.{field}", f"has {len(texts)} items, at most {limits.passages}"))
    return faults
