"""How the faults of an input are named: paths in one syntax, plain words, and none of the input's text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from glassbox.errors import Violation

Location = tuple[int | str, ...]
"""The keys and indices that lead from the whole input to one value."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_./-]{1,64}")


def path_of(location: Location) -> str:
    """Return a location as `$.field[index].field`; a key that is not plain and short is shown by its length."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{_name(part)}" for part in location)


def pointer_location(pointer: str) -> Location:
    """Return the location that a JSON Pointer of the contract names; only children are counted in a policy."""
    location: list[int | str] = []
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        indexed = name.isdecimal() and location[-1:] == ["children"]
        location.append(int(name) if indexed else name)
    return tuple(location)


def counted(what: str, number: int) -> str:
    """Return how many faults an input has, such as `The policy has 1 fault`."""
    return f"The {what} has {number} fault{'' if number == 1 else 's'}"


def ordered(faults: Iterable[Violation]) -> list[Violation]:
    """Return the faults by path, each once."""
    return [Violation(path, message) for path, message in sorted({(v.path, v.message) for v in faults})]


def _name(part: str) -> str:
    """A field name is the caller's own text too: show it only where it is plain and short."""
    return part if _PLAIN_NAME.fullmatch(part) else f"<name of {len(part)} characters>"


_NUMBER, _INTEGER, _BOOLEAN = "must be a number", "must be a whole number", "must be true or false"

_KINDS = {
    "missing": "required, but absent",
    "extra_forbidden": "unknown field; remove it or check its spelling",
    "string_type": "must be a string",
    "tuple_type": "must be an array",
    "float_type": _NUMBER,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "finite_number": "must be a finite number",
    "int_type": _INTEGER,
    "int_parsing": _INTEGER,
    "int_from_float": _INTEGER,
    "bool_type": _BOOLEAN,
    "bool_parsing": _BOOLEAN,
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
}


def message_of(error: Any) -> str:
    """Say what is wrong from a pydantic error's kind and limits alone; its own text may quote the input."""
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
    if kind == "string_pattern_mismatch":
        return f"must match {context.get('pattern')}"
    if kind == "greater_than_equal":
        return f"must be at least {context.get('ge')}"
    if kind == "less_than_equal":
        return f"must be at most {context.get('le')}"
    if kind == "literal_error":
        return f"must be {context.get('expected')}"
    if kind == "value_error":
        return str(context.get("error", "not a legal value"))
    return f"not a legal value ({kind})"
