"""From bytes to a validated request: every fault of it at once, each with its path and none with its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from glassbox.contract.faults import Location, counted, message_of, ordered, path_of
from glassbox.contract.json_text import Reading, read_json
from glassbox.contract.limits import INLINE, Limits
from glassbox.contract.request import Request
from glassbox.errors import RequestInvalid, Violation

_FIX = "Correct the paths listed and send the request again"


def parse_json(data: bytes, *, where: str = "request", limits: Limits = INLINE) -> Any:
    """Return the JSON value in `data`.

    Refuses more bytes than `limits` allow, text that is not UTF-8, NaN, Infinity, duplicate keys, lone
    surrogates and nesting deeper than the contract allows; raises RequestInvalid with every place.
    """
    reading = _read(data, where, limits)
    if reading.faults:
        raise RequestInvalid(
            "The body is not JSON that can be evaluated",
            where=where,
            fix="Send one JSON object in UTF-8 (RFC 8259), without NaN, duplicate keys or lone surrogates",
            violations=reading.faults,
        )
    return reading.value


def parse_request(data: bytes, *, where: str = "request", limits: Limits = INLINE) -> Request:
    """Return the validated request in a JSON body; raises RequestInvalid naming every offending path."""
    reading = _read(data, where, limits)
    if reading.faults and isinstance(reading.value, dict):
        named = {fault.path for fault in reading.faults}
        _, others = _validated(reading.value, limits)
        raise _invalid([*reading.faults, *(fault for fault in others if fault.path not in named)], where)
    return request_from(parse_json(data, where=where, limits=limits), where=where, limits=limits)


def request_from(value: Any, *, where: str = "request", limits: Limits = INLINE) -> Request:
    """Return the validated request in a JSON value; raises RequestInvalid naming every offending path."""
    request, faults = _validated(value, limits)
    if faults or request is None:
        raise _invalid(faults, where)
    return request


def _read(data: bytes, where: str, limits: Limits) -> Reading:
    if len(data) > limits.bytes:
        raise RequestInvalid(
            f"The body has {len(data):,} bytes; the limit is {limits.bytes:,}",
            where=where,
            fix="Send fewer or shorter documents",
            violations=[Violation("$", f"{len(data)} bytes, at most {limits.bytes}")],
        )
    return read_json(data, any_scale=_is_score)


def _is_score(location: Location) -> bool:
    """Scores are on the retriever's own scale, so a large integer there is a measure and not an exact number."""
    return len(location) == 3 and location[0] == "retrieved_passages" and location[2] == "score"


def _invalid(faults: Iterable[Violation], where: str) -> RequestInvalid:
    violations = ordered(faults)
    return RequestInvalid(counted("request", len(violations)), where=where, fix=_FIX, violations=violations)


def _validated(value: Any, limits: Limits) -> tuple[Request | None, list[Violation]]:
    faults = list(_hostile_characters(value))
    request: Request | None = None
    try:
        request = Request.model_validate(value)
    except ValidationError as error:
        faults += [Violation(path_of(e["loc"]), message_of(e)) for e in error.errors(include_url=False)]
    return request, faults + _size(value, limits)


def _hostile_characters(value: Any) -> Iterator[Violation]:
    """Name each string that holds NUL or a lone surrogate: both break stores and hide text."""
    stack: list[tuple[tuple[int | str, ...], Any]] = [((), value)]
    while stack:
        loc, item = stack.pop()
        if isinstance(item, str):
            if "\x00" in item:
                yield Violation(path_of(loc), f"holds a NUL character at offset {item.index(chr(0))}")
            if any("\ud800" <= c <= "\udfff" for c in item) if not item.isascii() else False:
                yield Violation(path_of(loc), "holds a lone surrogate")
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
