"""Canonical JSON (RFC 8785), strict parsing and digests: the only places where bytes are made or read."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any, Final, NoReturn

import rfc8785

from glassbox_contract.errors import CanonicalError

MAX_DEPTH: Final = 64
"""Deepest nesting of arrays and objects that is read or written."""

SAFE_INTEGER: Final = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly (RFC 7493)."""

_STRUCTURE = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_INTEGER_DIGITS: Final = 17
_LONGEST_WHOLE_FLOAT: Final = 22
_TOO_LARGE: Final = "integer beyond 2**53 - 1"
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH}"


def canonical_bytes(value: Any, *, floats: bool = True) -> bytes:
    """Return the RFC 8785 form of ``value`` as UTF-8; without ``floats`` even 1.0, which is written as 1, is refused.

    ``value`` is built of dict (string keys), list, tuple, str, bool, None, finite float and int within 2**53 - 1.
    Raises CanonicalError for anything else, for a lone surrogate and for nesting deeper than 64.
    """
    _check(value, floats=floats)
    return _written(value)


def _written(value: Any) -> bytes:
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise CanonicalError("value has no canonical JSON form") from error


def digest_bytes(data: bytes) -> str:
    """Return ``sha256:`` and the 64 hex digits of the SHA-256 of ``data``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the digest of the canonical bytes of ``value``; errors as `canonical_bytes`."""
    return digest_bytes(canonical_bytes(value))


def hmac_digest(key: bytes, value: Any) -> str:
    """Return ``hmac-sha256:`` and 64 hex digits: HMAC-SHA256 under ``key`` over the canonical bytes of ``value``.

    Raises ValueError for a key shorter than 16 bytes, which would make the text behind a digest guessable.
    """
    if len(key) < 16:
        raise ValueError("an HMAC key needs at least 16 bytes")
    return "hmac-sha256:" + hmac.new(key, canonical_bytes(value), hashlib.sha256).hexdigest()


def parse(data: bytes | str) -> Any:
    """Return the value of one JSON text.

    Raises CanonicalError for bytes that are not UTF-8, a byte order mark, a syntax error, a duplicate key,
    NaN, Infinity, a float that overflows, an integer that no float holds exactly, a lone surrogate, or nesting deeper
    than 64.
    Linear in the length of ``data``; no input causes a recursion error.
    """
    return _load(data, floats=True)


def parse_canonical(data: bytes) -> Any:
    """Return the value of ``data``, which must be canonical JSON without floats; else CanonicalError."""
    value = _load(data, floats=False)
    if _written(value) != data:
        raise CanonicalError("not canonical JSON (RFC 8785)")
    return value


def _load(data: bytes | str, *, floats: bool) -> Any:
    text = _decode(data) if isinstance(data, bytes) else data
    _check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
            parse_int=_whole_number if floats else _integer,
            parse_float=None if floats else _refuse_float,
        )
    except json.JSONDecodeError as error:
        raise CanonicalError(f"not JSON: {error.msg} at character {error.pos}") from None
    _check(value, floats=floats)
    return value


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CanonicalError(f"not UTF-8 at byte {error.start}") from None


def _check_depth(text: str) -> None:
    """Refuse deep nesting before the recursive standard parser sees the text."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth, in_string = 0, False
    for match in _STRUCTURE.finditer(text):
        mark = match.group()
        if mark == '"':
            in_string = not in_string
        elif in_string or len(mark) == 2:
            continue
        elif mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise CanonicalError(f"{_TOO_DEEP} at character {match.start()}")
        else:
            depth -= 1


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise CanonicalError("duplicate key in an object")
    return value


def _integer(digits: str) -> int:
    # The length is checked first: int() of millions of digits is slow, and limited differently by each Python.
    if len(digits) > _INTEGER_DIGITS or abs(value := int(digits)) > SAFE_INTEGER:
        raise CanonicalError(_TOO_LARGE)
    return value


def _whole_number(digits: str) -> int | float:
    """Return an integer, or the float whose canonical form is ``digits``: large floats are written without a point."""
    if len(digits) < _INTEGER_DIGITS - 1:
        return int(digits)
    if len(digits) <= _LONGEST_WHOLE_FLOAT and rfc8785.dumps(value := float(digits)) == digits.encode():
        return value if abs(value) > SAFE_INTEGER else int(digits)
    return _integer(digits)


def _refuse_constant(_: str) -> NoReturn:
    raise CanonicalError("NaN and Infinity are not JSON")


def _refuse_float(_: str) -> NoReturn:
    raise CanonicalError("a fraction or an exponent; the ledger holds integers only")


def _check(value: Any, *, floats: bool) -> None:
    """Refuse what JSON cannot carry exactly, without recursion."""
    level, depth = [value], 0
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, (dict, list, tuple)):
                if depth >= MAX_DEPTH:
                    raise CanonicalError(_TOO_DEEP)
                below.extend(item.values() if isinstance(item, dict) else item)
                if isinstance(item, dict):
                    _check_keys(item)
            else:
                _check_scalar(item, floats=floats)
        level, depth = below, depth + 1


def _check_keys(item: dict[Any, Any]) -> None:
    for key in item:
        if not isinstance(key, str):
            raise CanonicalError("object keys must be strings")
        _check_scalar(key, floats=False)


def _check_scalar(item: Any, *, floats: bool) -> None:
    if item is None or isinstance(item, bool):
        return
    if isinstance(item, str):
        try:
            item.encode("utf-8")
        except UnicodeEncodeError:
            raise CanonicalError("lone surrogate in a string") from None
    elif isinstance(item, int):
        if abs(item) > SAFE_INTEGER:
            raise CanonicalError(_TOO_LARGE)
    elif isinstance(item, float):
        if not floats:
            raise CanonicalError("a float; the ledger holds integers only")
        if item != item or item in (float("inf"), float("-inf")):
            raise CanonicalError("NaN and Infinity are not JSON")
    else:
        raise CanonicalError("a type that JSON does not have")
