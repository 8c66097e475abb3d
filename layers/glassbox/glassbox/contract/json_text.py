"""Reading JSON strictly: what the contract's parser refuses is named with its path, line and column, all at once.

The contract's parser decides what is legal; only a text that it refuses is read again here, to say where and why.
Both readings are linear in the length of the text and do not recurse on its depth.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from glassbox.contract.faults import Location, path_of
from glassbox.errors import Violation
from glassbox_contract.canonical import MAX_DEPTH, parse
from glassbox_contract.errors import ContractError

MOST_FAULTS = 100
"""Faults of one text that are listed; after them the rest of it is not searched."""

_PIECE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},:"]|-?[0-9][0-9.eE+-]*+|-?Infinity|NaN', re.DOTALL)
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_SAFE = 15
"""Digits of an integer that is certainly within 2**53 - 1."""
_LONGEST_FLOAT = 310
"""Digits beyond which every integer exceeds the largest float."""
_MARKS = {
    b"\xef\xbb\xbf": "begins with a byte order mark; save the file as UTF-8 without it",
    b"\xff\xfe": "begins with the byte order mark of UTF-16; save the file as UTF-8 without a mark",
    b"\xfe\xff": "begins with the byte order mark of UTF-16; save the file as UTF-8 without a mark",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds: the value where there are no faults, else what could be read of it, None if nothing could."""

    value: Any
    faults: tuple[Violation, ...] = ()


def read_json(data: bytes, *, any_scale: Callable[[Location], bool] = lambda _: False) -> Reading:
    """Return the JSON value in `data`, or every fault of the text with its path, line and column.

    Faults are duplicate keys, NaN, Infinity, numbers that a float or an exact integer can't hold, lone surrogates,
    nesting deeper than the contract allows, the first breach of JSON's grammar, and bytes that are not UTF-8.
    Where `any_scale` holds of a location, an integer beyond 2**53 - 1 is read as the nearest float. In a value with
    faults every number is 0: it serves to check names and kinds.
    """
    try:
        return Reading(parse(data))
    except ContractError as refused:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            mark = next((says for mark, says in _MARKS.items() if data.startswith(mark)), None)
            return _unreadable(mark or f"not UTF-8 at byte {error.start}")
        if text.startswith("\ufeff"):
            return _unreadable(_MARKS[b"\xef\xbb\xbf"])
        return _read_again(text, any_scale, refused.reason)


def _unreadable(message: str) -> Reading:
    return Reading(None, (Violation("$", message),))


def _read_again(text: str, any_scale: Callable[[Location], bool], reason: str) -> Reading:
    scan = _Scan(text, any_scale)
    scan.run()
    value: Any = None
    if not scan.too_deep:
        try:
            value = json.loads(text, parse_int=_zero, parse_float=_zero, parse_constant=_zero)
        except json.JSONDecodeError as error:
            scan.faults = [fault for fault in scan.faults if fault[0] < error.pos]
            what = error.msg.removesuffix(" at").removesuffix(" starting")
            scan.faults.append((error.pos, "$", f"not JSON: {what}" if text.strip() else "holds no JSON at all"))
    if not scan.faults and scan.floats:
        try:
            return Reading(parse(_with_floats(text, scan.floats)))
        except ContractError as refused:
            reason = refused.reason
    if not scan.faults:
        return Reading(value, (Violation("$", reason),))
    return Reading(value, tuple(_placed(text, scan.faults)))


def _zero(_: str) -> int:
    return 0


def _with_floats(text: str, floats: list[tuple[int, int, float]]) -> str:
    parts, done = [], 0
    for start, end, value in floats:
        parts += [text[done:start], repr(value)]
        done = end
    return "".join([*parts, text[done:]])


def _placed(text: str, faults: list[tuple[int, str, str]]) -> list[Violation]:
    """Name line and column of each fault, counting lines once through the text."""
    placed, line, begin, done = [], 1, 0, 0
    for at, path, message in faults:
        line += text.count("\n", done, at)
        begin = max(begin, text.rfind("\n", done, at) + 1)
        done = at
        placed.append(Violation(path, f"{message}, at line {line}, column {at - begin + 1}"))
    return placed


@dataclass(slots=True)
class _Level:
    """An object or array that is open: the key or index that is being read, and the keys read so far."""

    is_object: bool
    here: int | str | None
    awaits_key: bool
    keys: set[str] = field(default_factory=set)


class _Scan:
    """One pass over the pieces of a text, keeping the path; it lists what the contract's parser refuses."""

    def __init__(self, text: str, any_scale: Callable[[Location], bool]) -> None:
        self.text = text
        self.any_scale = any_scale
        self.faults: list[tuple[int, str, str]] = []
        """Offset, path and message, in the order of the text."""
        self.floats: list[tuple[int, int, float]] = []
        """Start, end and value of each integer that is read as a float."""
        self.too_deep = False
        self._levels: list[_Level] = []

    def run(self) -> None:
        """Read the text to its end, to nesting that is too deep, or to a string or bracket that has no partner."""
        for match in _PIECE.finditer(self.text):
            piece, at = match.group(), match.start()
            if len(self.faults) >= MOST_FAULTS or not self._take(piece, at):
                return

    def _take(self, piece: str, at: int) -> bool:
        top = self._levels[-1] if self._levels else None
        if piece in "[{":
            if len(self._levels) == MAX_DEPTH:
                self.too_deep = True
                self.faults.append((at, "$", f"nested deeper than {MAX_DEPTH} levels"))
                return False
            is_object = piece == "{"
            self._levels.append(_Level(is_object, None if is_object else 0, is_object))
        elif piece in "]}":
            if top is None:
                return False
            self._levels.pop()
        elif piece == ",":
            if top is not None and top.is_object:
                top.awaits_key = True
            elif top is not None and isinstance(top.here, int):
                top.here += 1
        elif piece == ":":
            if top is not None:
                top.awaits_key = False
        elif piece == '"':
            return False
        elif piece[0] == '"':
            self._string(piece, at, top)
        else:
            self._number(piece, at)
        return True

    def _fault(self, at: int, message: str) -> None:
        self.faults.append((at, path_of(self._location()), message))

    def _location(self) -> Location:
        return tuple(level.here for level in self._levels if level.here is not None)

    def _string(self, piece: str, at: int, top: _Level | None) -> None:
        value = piece[1:-1]
        if "\\" in value:
            try:
                value = json.loads(piece, strict=False)
            except ValueError:  # A wrong escape breaks the grammar, and is named as such.
                return
        if top is not None and top.is_object and top.awaits_key:
            top.here = value
            if value in top.keys:
                self._fault(at, "the key stands twice in one object")
            top.keys.add(value)
        if _ESCAPED_SURROGATE.search(piece) and _SURROGATE.search(value):
            self._fault(at, "holds a lone surrogate")

    def _number(self, piece: str, at: int) -> None:
        whole = piece.removeprefix("-").isdigit()
        if piece[-1] in "yN":
            self._fault(at, "NaN or Infinity, which JSON does not have")
        elif not whole:
            if math.isinf(_float(piece)):
                self._fault(at, "a number beyond the range of a 64-bit float")
        elif len(piece) > _LONGEST_SAFE and not _accepted(piece):
            if not self.any_scale(self._location()):
                self._fault(at, "an integer beyond 2**53 - 1, which not every reader keeps exactly")
            elif len(piece) > _LONGEST_FLOAT or math.isinf(value := _float(piece)):
                self._fault(at, "a number beyond the range of a 64-bit float")
            else:
                self.floats.append((at, at + len(piece), value))


def _float(piece: str) -> float:
    try:
        return float(piece)
    except ValueError:  # Such as 1-2: a breach of the grammar, named as such.
        return 0.0


def _accepted(piece: str) -> bool:
    try:
        parse(piece)
    except ContractError as error:
        return error.reason.startswith("not JSON")  # Such as 007: named as a breach of the grammar.
    return True
