"""A number while it is being read."""

from __future__ import annotations

from dataclasses import dataclass

from glassbox.text.numerals import Number


@dataclass(slots=True)
class Reading:
    """A number in the making: its place grows while the words beside it are taken in."""

    number: Number
    start: int
    end: int
    spelled: bool
    grouped: bool
    approximate: bool
