"""Quantities in a claim and in its evidence: whether every number of the claim is borne out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

from glassbox.text._unit_tables import UNITS
from glassbox.text.extraction import extract_quantities
from glassbox.text.quantity import Quantity, QuantityKind

__all__ = ["Quantity", "QuantityCheck", "QuantityKind", "extract_quantities", "match_quantities", "same_quantity"]

# A conversion between units is rounded by whoever made it ("5 miles (8 km)").
_CONVERSION_TOLERANCE: Final = Decimal("0.01")
_COUNTED_ON_FINGERS: Final = 10
_ALL_COMPARED: Final = 2_000_000
_LEAST_COMPARED: Final = 200
Verdict = Literal["matched", "missing", "conflicting", ""]


@dataclass(frozen=True, slots=True)
class QuantityCheck:
    """The quantities of a claim in three disjoint groups, each in order of appearance.

    `matched` occur in the evidence; `conflicting` don't, but others of the same kind and unit do ("30 days" against
    "90 days"); `missing` are the rest.
    """

    matched: tuple[Quantity, ...]
    missing: tuple[Quantity, ...]
    conflicting: tuple[Quantity, ...]


def match_quantities(claim: str, evidence: str) -> QuantityCheck:
    """Return which quantities of the claim occur in the evidence, are missing there, or stand against other values.

    A claim may be less precise than its evidence (a year against a full date, "about 2.1 million" against 2,102,650),
    not more precise. A spelled number up to ten without a unit is never missing, since it may count what the evidence
    lists ("the three cities"); it conflicts where the evidence gives another number of the same thing.
    """
    ours = extract_quantities(claim)
    theirs = _distinct(extract_quantities(evidence))
    by_value: defaultdict[str, list[Quantity]] = defaultdict(list)
    for quantity in theirs:
        by_value[quantity.value].append(quantity)
    # Equal values are always compared, all others up to a number that only a hostile claim reaches.
    within = theirs[: max(_LEAST_COMPARED, _ALL_COMPARED // max(1, len(ours)))]
    verdicts: dict[Quantity, Verdict] = {}
    groups: dict[Verdict, list[Quantity]] = {"matched": [], "missing": [], "conflicting": [], "": []}
    for quantity in ours:
        key = _placeless(quantity)
        if key not in verdicts:
            verdicts[key] = _verdict(key, (*by_value.get(key.value, ())[:_LEAST_COMPARED], *within))
        groups[verdicts[key]].append(quantity)
    return QuantityCheck(tuple(groups["matched"]), tuple(groups["missing"]), tuple(groups["conflicting"]))


def _placeless(quantity: Quantity) -> Quantity:
    return replace(quantity, start=0, end=0)


def _distinct(quantities: Sequence[Quantity]) -> tuple[Quantity, ...]:
    return tuple(dict.fromkeys(map(_placeless, quantities)))


def _verdict(quantity: Quantity, theirs: Sequence[Quantity]) -> Verdict:
    if any(same_quantity(quantity, other) for other in theirs):
        return "matched"
    if any(_opposes(quantity, other) for other in theirs):
        return "conflicting"
    return "" if _may_count(quantity) else "missing"


def same_quantity(claim: Quantity, evidence: Quantity) -> bool:
    """Return whether the evidence's quantity bears out the claim's: the same value, or a more precise one."""
    if claim.kind in ("date", "year") or evidence.kind == "date":
        return _same_date(claim, evidence)
    if claim.kind == "time" or evidence.kind == "time":
        return claim.kind == evidence.kind and claim.value == evidence.value
    if claim.unit == "version" or evidence.unit == "version":
        return claim.value == evidence.value
    if {claim.kind, evidence.kind} == {"number", "percent"}:
        return _percent_is_share(claim, evidence)
    if not _comparable(claim, evidence):
        return False
    ours, theirs = _values_as(claim, evidence), _values_as(evidence, claim)
    return any(_equal(one, other, claim, evidence) for one in ours for other in theirs)


def _values(quantity: Quantity) -> tuple[Decimal, ...]:
    return tuple(Decimal(value.removesuffix("s")) for value in (quantity.value, quantity.alternative) if value)


def _values_as(quantity: Quantity, other: Quantity) -> tuple[Decimal, ...]:
    """Return the values of the quantity, a bare one in the unit of the other ("Days: 30" beside "30 days")."""
    if other.kind != "measure" or quantity.kind == "measure" or other.written not in UNITS:
        return _values(quantity)
    unit = UNITS[other.written]
    return tuple(value * unit.factor + unit.offset for value in _values(quantity))


def _comparable(claim: Quantity, evidence: Quantity) -> bool:
    """Return whether equal values of the two mean the same thing."""
    if claim.kind == evidence.kind:
        if claim.unit == evidence.unit:
            return True
        return "lb|£" in (claim.unit, evidence.unit)
    # Pounds are money or a weight; a table gives its unit in the heading, so a number beside nothing has any unit.
    if "lb|£" in (claim.unit, evidence.unit):
        return {claim.kind, evidence.kind} <= {"money", "measure"} and {claim.unit, evidence.unit} <= {"lb|£", "GBP"}
    bare = [quantity for quantity in (claim, evidence) if quantity.kind in ("number", "year")]
    if len(bare) == 2:
        return True
    return len(bare) == 1 and not bare[0].nouns and {claim.kind, evidence.kind} != {"number", "ordinal"}


def _equal(ours: Decimal, theirs: Decimal, claim: Quantity, evidence: Quantity) -> bool:
    if ours == theirs:
        return True
    if claim.kind == evidence.kind == "measure" and claim.written != evidence.written:
        return abs(ours - theirs) <= _CONVERSION_TOLERANCE * abs(theirs)
    return claim.approximate and _rounds_to(theirs, ours)


def _rounds_to(exact: Decimal, rounded: Decimal) -> bool:
    """Return whether `rounded`, at the digits it is written with, is the rounded form of `exact`."""
    digits = rounded.normalize()
    exponent = digits.as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    return abs(exact - rounded) * 2 <= step and abs(exact - rounded) * 10 <= abs(exact)


def _percent_is_share(claim: Quantity, evidence: Quantity) -> bool:
    """Return whether one is a percentage and the other the same share, or the bare number of a percent column."""
    percent, number = (claim, evidence) if claim.kind == "percent" else (evidence, claim)
    if number.nouns:
        return False
    shares = [value / 100 for value in _values(percent)]
    plain = [value for value in _values(number) if value != value.to_integral_value()]
    return any(value in shares for value in plain) or any(value in _values(percent) for value in _values(number))


def _same_date(claim: Quantity, evidence: Quantity) -> bool:
    for ours in filter(None, (claim.value, claim.alternative)):
        for theirs in filter(None, (evidence.value, evidence.alternative)):
            if _date_covers(ours, theirs, evidence):
                return True
    return False


def _date_covers(ours: str, theirs: str, evidence: Quantity) -> bool:
    if evidence.kind not in ("date", "year", "number"):
        return False
    if ours == theirs:
        return True
    if ours.endswith("s") and len(ours) == 5:
        return theirs[:3] == ours[:3] and (evidence.kind == "date" or len(theirs) == 4)
    if evidence.kind != "date":
        return False
    return theirs.startswith(f"{ours}-") or (ours.startswith("--") and theirs.endswith(ours[1:]))


def _opposes(claim: Quantity, other: Quantity) -> bool:
    """Return whether another value of the same thing stands in the evidence."""
    if claim.kind in ("number", "ordinal"):
        return other.kind == claim.kind and claim.unit == other.unit and bool(set(claim.nouns) & set(other.nouns))
    if claim.kind in ("date", "year"):
        return other.kind in ("date", "year")
    if claim.kind == "measure":
        return other.kind == "measure" and other.unit == claim.unit
    return other.kind == claim.kind


def _may_count(quantity: Quantity) -> bool:
    return (
        quantity.spelled
        and quantity.kind in ("number", "ordinal")
        and abs(Decimal(quantity.value)) <= _COUNTED_ON_FINGERS
    )
