"""Ranges of quantities, whose unit is written once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

import regex

from glassbox.text._unit_tables import UNITS
from glassbox.text.numerals import canonical
from glassbox.text.quantity import Quantity

_RANGE_RE: Final = regex.compile(r"\s?(?:-|–|—|~|to|bis|a|à|至|到)\s?|\s(?:and|und|et|y|e|i)\s", regex.IGNORECASE)
_BETWEEN_RE: Final = regex.compile(r"(?:between|zwischen|entre|tra|fra|między)\s$", regex.IGNORECASE)


def share_units(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Yield the quantities, the first of a range with the unit of the second ("10-20 km"), and the other way round.

    In "$3-4 million" the sign stands before the first number and the scale behind the second.
    """
    for index, quantity in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        previous = found[index - 1] if index else None
        if following is not None and _is_range(text, quantity, following, ("percent", "money", "measure", "date")):
            yield _with_unit(quantity, following)
        elif previous is not None and previous.kind == "money" and _is_range(text, quantity, previous, ("money",)):
            yield _with_unit(quantity, previous)
        else:
            yield quantity


def _is_range(text: str, quantity: Quantity, other: Quantity, kinds: tuple[str, ...]) -> bool:
    first, second = (quantity, other) if quantity.start < other.start else (other, quantity)
    if second.start - first.end > 5:
        return False
    link = text[first.end : second.start]
    joins_two = link.strip().isalpha() and link.strip().lower() in ("and", "und", "et", "y", "e", "i")
    return (
        quantity.kind == "number"
        and not quantity.unit
        and not quantity.nouns
        and other.kind in kinds
        and _RANGE_RE.fullmatch(link) is not None
        and (not joins_two or _BETWEEN_RE.search(text, max(0, first.start - 10), first.start) is not None)
    )


def _with_unit(quantity: Quantity, following: Quantity) -> Quantity:
    if following.kind == "date":
        day = Decimal(quantity.value)
        if day != day.to_integral_value() or not 1 <= day <= 31 or len(following.value) < len("--03-03"):
            return quantity
        return replace(quantity, kind="date", value=f"{following.value[:-2]}{int(day):02d}", nouns=())
    if following.kind != "measure":
        return replace(quantity, kind=following.kind, unit=following.unit, written=following.written, nouns=())
    unit = UNITS[following.written]

    def scaled(value: str) -> str:
        return canonical(Decimal(value) * unit.factor + unit.offset) if value else ""

    return replace(
        quantity,
        kind="measure",
        unit=following.unit,
        written=following.written,
        value=scaled(quantity.value),
        alternative=scaled(quantity.alternative),
        nouns=(),
    )
