"""The one error of the contract: a refusal with a machine-readable code, a reason and a path."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, Literal

Code = Literal["INCOMPLETE", "INVALID", "CONFLICT", "UNAUTHORIZED", "NOTFOUND"]

STATUS: Final[dict[str, int]] = {
    "INCOMPLETE": 400,
    "INVALID": 400,
    "UNAUTHORIZED": 403,
    "NOTFOUND": 404,
    "CONFLICT": 409,
}
"""Status that a chaincode response carries for each code."""

_SPEAKABLE = re.compile(r"[A-Za-z0-9_.:/@-]{1,600}")


class ContractError(Exception):
    """A refusal: ``code`` says what kind, ``reason`` why, ``path`` (a JSON Pointer, "" for the whole) where.

    The text never quotes a submitted value: a refusal is logged by peers, and what is submitted may be private.
    """

    def __init__(self, code: Code, reason: str, path: str = "") -> None:
        self.code: Code = code
        self.reason = reason
        self.path = path
        super().__init__(str(self))

    def __str__(self) -> str:
        return f"{self.code}: {self.path or '/'}: {self.reason}"

    def __reduce__(self) -> tuple[type[ContractError], tuple[Any, ...]]:
        return type(self), (self.code, self.reason, self.path)


class CanonicalError(ContractError):
    """A refusal of bytes that are no JSON text of ours, or of a value that JSON cannot carry; always ``INVALID``."""

    def __init__(self, reason: str) -> None:
        super().__init__("INVALID", reason)

    def __reduce__(self) -> tuple[type[ContractError], tuple[Any, ...]]:
        return type(self), (self.reason,)


def pointer(*parts: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) of ``parts``.

    A part that is no identifier-like name is shown as ``?``: only our own names may appear in a message.
    """
    return "".join("/" + _shown(str(part)) for part in parts)


def names(values: Iterable[str]) -> str:
    """Return up to five of ``values`` in sorted order for a message, those that are no identifiers as ``?``."""
    ordered = sorted(value if _SPEAKABLE.fullmatch(value) else "?" for value in values)
    more = f" and {len(ordered) - 5} more" if len(ordered) > 5 else ""
    return ", ".join(ordered[:5]) + more


def _shown(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1") if _SPEAKABLE.fullmatch(part) else "?"
