"""Reading a bundle that anybody may have written: every accessor answers for a value of any type."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from glassbox.report.plain import shorten

_MOMENT: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}:[0-9]{2})(?::[0-9.]{2,16})?(?:Z|\+00:00)")
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Fact(NamedTuple):
    """A key and a value to show, both evaluated text."""

    key: str
    value: str


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def array(value: Any) -> Sequence[Any]:
    """Return the value where it is an array, else an empty one."""
    return value if isinstance(value, list | tuple) else ()


def objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of an array."""
    return [item for item in array(value) if isinstance(item, Mapping)]


def number(value: Any) -> float | None:
    """Return a finite number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        converted = float(value)
    except OverflowError:
        return None
    return converted if math.isfinite(converted) else None


def share(value: Any) -> float | None:
    """Return a number in [0, 1], or None for anything else."""
    found = number(value)
    return found if found is not None and 0.0 <= found <= 1.0 else None


def index(value: Any, size: int) -> int | None:
    """Return a whole number that indexes something of that size, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < size else None


def text(value: Any) -> str:
    """Return a text as it is, None as an empty text, and anything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def facts(value: Any, *, limit: int, characters: int) -> list[Fact]:
    """Return the members of an object as text; where there are more than `limit`, the last one says how many."""
    members = list(mapping(value).items())
    shown = [Fact(shorten(text(k), characters), shorten(text(v), characters)) for k, v in members[:limit]]
    return shown + ([Fact("…", f"{len(members) - limit:,} more")] if len(members) > limit else [])


def listed(values: Sequence[str], limit: int) -> tuple[str, ...]:
    """Return the first `limit` texts; where there are more, the last one says how many."""
    return (*values[:limit], *([f"… {len(values) - limit:,} more"] if len(values) > limit else []))


def decimal(value: float, against: float | None = None) -> str:
    """Return a number with three decimals, or with as many (up to six) as it takes to differ from `against`."""
    if against is None or value == against:
        return f"{value:.3f}"
    for digits in (3, 4, 5):
        if f"{value:.{digits}f}" != f"{against:.{digits}f}":
            return f"{value:.{digits}f}"
    return f"{value:.6f}"


def plain_number(value: float) -> str:
    """Return a number of any scale without needless digits."""
    return f"{value:.6g}"


def percent(value: float) -> str:
    """Return a number in [0, 1] as a CSS percentage with the four decimals that millionths need."""
    return f"{value * 100:.4f}%"


def comparison(comparator: Any, target: float) -> str:
    """Return a target in words: `above 0.85`, `at least 0.8`."""
    return f"{'at least' if comparator == '>=' else 'above'} {target:g}"


def moment(value: str) -> str:
    """Return an ISO 8601 time in UTC as `30 November 2026, 22:00 UTC`; anything else as it is."""
    found = _MOMENT.fullmatch(value)
    if found is None or not 1 <= int(found.group(2)) <= len(_MONTHS):
        return value
    year, month, day, time = found.groups()
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}, {time} UTC"


def sentence(value: str) -> str:
    """Return a phrase with a capital and a full stop; an empty one stays empty."""
    return value[:1].upper() + value[1:].rstrip(".") + "." if value else ""


def of_n(count: int, singular: str, plural: str | None = None) -> str:
    """Return a count with its noun: `1 claim`, `3 claims`."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
