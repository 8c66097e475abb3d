"""The form of a rule of the injection detector."""

from __future__ import annotations

from typing import NamedTuple

import regex


class Rule(NamedTuple):
    """A named pattern, the words one of which must occur for it to be tried, and whether it reads case."""

    name: str
    hints: tuple[str, ...]
    pattern: regex.Pattern[str]
    cased: bool = False


def rule(name: str, hints: str, pattern: str, *, cased: bool = False) -> Rule:
    """Return the rule whose hints are separated by "|"."""
    flags = regex.VERSION1 | regex.MULTILINE
    return Rule(name, tuple(hints.split("|")), regex.compile(pattern, flags), cased)
