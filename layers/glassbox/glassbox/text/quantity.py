"""The quantity: a number with its kind and unit, brought to one canonical form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

QuantityKind = Literal["number", "percent", "money", "date", "year", "time", "ordinal", "measure"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity found at `text[start:end]`.

    `value` is a plain decimal, or an ISO date or time ("2021-03-03", "2021-03", "--03-03", "15:30"); a percentage keeps
    its number ("12.5"), a measure is given in the base unit of its dimension ("1000" with unit "m" for "1 km"), money
    in whole units of its currency. `unit` is that base unit, the currency code, "%" or "". `alternative` is the other
    reading of an ambiguous form ("1.234", "3/4/2021"). `written` is the unit as it was written, `nouns` are the words
    that follow a bare number, `approximate` says that the text itself rounds ("about", "billion"), and `spelled` that
    the number was written in words.
    """

    kind: QuantityKind
    value: str
    unit: str
    start: int
    end: int
    alternative: str = ""
    written: str = ""
    nouns: tuple[str, ...] = ()
    approximate: bool = False
    spelled: bool = False
