"""From bytes to a validated request: every fault of it at once, each with its path and none with its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError
from pydantic import ValidationError

from glassbox.contract.request import MAX_CHARACTERS, MAX_INLINE_BYTES, Request
from glassbox.errors import RequestInvalid, Violation

_FIX = "Correct the paths listed and send the request again"


def parse_json(data: bytes, *, where: str = "request", limit: int = MAX_INLINE_BYTES) -> Any:
    """Return the JSON value in `data`.

    Refuses more than `limit` bytes, text that is not UTF-8, NaN, Infinity, duplicate keys, lone
    surrogates and nesting deeper than the contract allows; raises RequestInvalid with the place.
    """
    if len(data) > limit:
        raise RequestInvalid(
            f"The body has {len(data):,} bytes; the limit is {limit:,}",
            where=where,
            fix="Send fewer or shorter documents",
            violations=[Violation("$", f"{len(data)} bytes, at most {limit}")],
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


def request_from(value: Any, *, where: str = "request") -> Request:
    """Return the validated request in a JSON value; raises RequestInvalid naming every offending path."""
    violations = list(_hostile_characters(value))
    request: Request | None = None
    try:
        request = Request.model_validate(value)
    except ValidationError as error:
        violations += [Violation(_path(e["loc"]), _message(e)) for e in error.errors(include_url=False)]
    violations += _size(value)
    if violations or request is None:
        unique = sorted({(v.path, v.message) for v in violations})
        raise RequestInvalid(
            f"The request has {len(unique)} fault{'s' if len(unique) != 1 else ''}",
            where=where,
            fix=_FIX,
            violations=[Violation(path, message) for path, message in unique],
        ) from None
    return request


def parse_request(data: bytes, *, where: str = "request", limit: int = MAX_INLINE_BYTES) -> Request:
    """Return the validated request in a JSON body; raises RequestInvalid naming every offending path."""
    return request_from(parse_json(data, where=where, limit=limit), where=where)


def _path(loc: tuple[int | str, ...]) -> str:
    path = "$"
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{_name(part)}"
    return path


def _name(part: str) -> str:
    """A field name is the caller's own text too: show it only where it is plain and short."""
    plain = part.isascii() and part.isprintable() and len(part) <= 64
    return part if plain else f"<name of {len(part)} characters>"


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


def _size(value: Any) -> list[Violation]:
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
    if total > MAX_CHARACTERS:
        return [Violation("$", f"holds {total:,} characters of text, at most {MAX_CHARACTERS:,}")]
    return []
