"""Checks of single fields, each refusing with a code, a reason and the path of the field."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from glassbox_contract.errors import ContractError, names, pointer

T = TypeVar("T", bound=str)

DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
HMAC_DIGEST: Final = re.compile(r"hmac-sha256:[0-9a-f]{64}")
IDENTIFIER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, since 1970."""
NAME: Final = re.compile(r"[a-z0-9_]{1,64}")
_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def fields(value: Any, expected: Collection[str], path: str) -> dict[str, Any]:
    """Return ``value`` if it is an object with exactly the ``expected`` keys.

    Refuses ``INVALID`` when it is no object, then ``INCOMPLETE`` for missing keys, then ``INVALID`` for unknown ones.
    """
    if not isinstance(value, dict):
        raise ContractError("INVALID", "must be an object", path)
    missing = [name for name in expected if name not in value]
    if missing:
        raise ContractError("INCOMPLETE", f"missing: {names(missing)}", path)
    if len(value) != len(expected):
        raise ContractError("INVALID", f"unknown: {names(key for key in value if key not in expected)}", path)
    return value


def listing(value: Any, path: str, most: int) -> list[Any]:
    """Return ``value`` if it is an array of at most ``most`` items."""
    if not isinstance(value, list):
        raise ContractError("INVALID", "must be an array", path)
    if len(value) > most:
        raise ContractError("INVALID", f"more than {most} items", path)
    return value


def integer(value: Any, path: str, low: int, high: int) -> int:
    """Return ``value`` if it is an integer (no bool, no float) in low..high."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ContractError("INVALID", "must be an integer", path)
    if not low <= value <= high:
        raise ContractError("INVALID", f"must lie in {low}..{high}", path)
    return value


def boolean(value: Any, path: str) -> bool:
    """Return ``value`` if it is true or false."""
    if not isinstance(value, bool):
        raise ContractError("INVALID", "must be true or false", path)
    return value


def text(value: Any, path: str, pattern: re.Pattern[str], meaning: str) -> str:
    """Return ``value`` if it is a string that ``pattern`` matches from end to end; ``meaning`` says what it must be."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ContractError("INVALID", f"must be {meaning}", path)
    return value


def choice(value: Any, path: str, options: Collection[T]) -> T:
    """Return ``value`` if it is one of ``options``."""
    for option in options:
        if isinstance(value, str) and value == option:
            return option
    raise ContractError("INVALID", f"must be one of {', '.join(options)}", path)


def ordered(value: Any, path: str, pattern: re.Pattern[str], meaning: str, most: int) -> list[str]:
    """Return ``value`` if it is an array of at most ``most`` different strings in sorted order."""
    items = [text(item, path + pointer(at), pattern, meaning) for at, item in enumerate(listing(value, path, most))]
    if items != sorted(set(items)):
        raise ContractError("INVALID", "must be sorted, without repetition", path)
    return items


def timestamp(value: Any, path: str) -> int:
    """Return the milliseconds since 1970 of a time in the form ``YYYY-MM-DDTHH:MM:SS.mmmZ``."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match:
        year, month, day, hour, minute, second, milli = (int(part) for part in match.groups())
        try:
            moment = datetime(year, month, day, hour, minute, second, milli * 1000, tzinfo=UTC)
        except ValueError:
            moment = _EPOCH.replace(year=1)
        if moment >= _EPOCH:
            since = moment - _EPOCH
            return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    raise ContractError("INVALID", "must be a UTC time YYYY-MM-DDTHH:MM:SS.mmmZ, 1970 or later", path)


def calendar_day(value: Any, path: str) -> str:
    """Return ``value`` if it is a calendar day ``YYYY-MM-DD``."""
    match = _DAY.fullmatch(value) if isinstance(value, str) else None
    if match:
        try:
            datetime(*(int(part) for part in match.groups()), tzinfo=UTC)  # type: ignore[misc, arg-type]
        except ValueError:
            pass
        else:
            return str(value)
    raise ContractError("INVALID", "must be a day YYYY-MM-DD", path)


def identifier(value: Any, path: str) -> str:
    """Return ``value`` if it is a UUID in lower case with dashes."""
    return text(value, path, IDENTIFIER, "a UUID in lower case")


def sha256(value: Any, path: str) -> str:
    """Return ``value`` if it has the form ``sha256:`` and 64 hex digits."""
    return text(value, path, DIGEST, "sha256: and 64 hex digits")


def hmac_sha256(value: Any, path: str) -> str:
    """Return ``value`` if it has the form ``hmac-sha256:`` and 64 hex digits."""
    return text(value, path, HMAC_DIGEST, "hmac-sha256: and 64 hex digits")


def format_timestamp(milliseconds: int) -> str:
    """Return a time in milliseconds since 1970 in the form that `timestamp` reads; refuses years 10000 and later."""
    integer(milliseconds, "/timestamp", 0, LATEST)
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return (
        f"{moment.year:04}-{moment.month:02}-{moment.day:02}T"
        f"{moment.hour:02}:{moment.minute:02}:{moment.second:02}.{moment.microsecond // 1000:03}Z"
    )
