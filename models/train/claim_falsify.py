"""Make a supported claim false in one place, by one of the ways in which answers go wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from claim_meaning import change_modal, change_opposite, change_quantity
from claim_perturb import change_value, flip_comparison, negate, overstate, swap_name, swap_within
from claim_structure import exchange_names, exchange_values, reverse_roles, splice, transplant

CONTRADICTED, UNSUPPORTED, NOT_SUPPORTED = 1, 2, 3


@dataclass(frozen=True)
class Surroundings:
    """What a change may draw on: names as (name, type) of the claim and of ever wider circles, and other sentences."""

    names: Sequence[tuple[str, str]]
    near: Sequence[tuple[str, str]]
    here: Sequence[tuple[str, str]]
    far: Callable[[str], list[str]]
    others: Sequence[str]


def falsify(claim: str, around: Surroundings, ways: Mapping[str, int], rng: Random) -> tuple[str, int] | None:
    """Return the claim with one thing changed and its label, or None; `ways` weighs which way is tried first."""
    held = [(name, kind) for name, kind in around.names if name in claim and kind != "NUM"]
    left = dict(ways)
    while left:
        way = rng.choices(list(left), list(left.values()))[0]
        del left[way]
        changed, label = _change(way, claim, held, around, rng)
        if changed and changed != claim:
            return changed, label
    return None


def _change(
    way: str, claim: str, held: list[tuple[str, str]], around: Surroundings, rng: Random
) -> tuple[str | None, int]:
    plain: dict[str, tuple[Callable[[str, Random], str | None], int]] = {
        "value": (change_value, CONTRADICTED),
        "values": (exchange_values, CONTRADICTED),
        "negate": (negate, CONTRADICTED),
        "compare": (flip_comparison, CONTRADICTED),
        "opposite": (change_opposite, CONTRADICTED),
        "quantity": (change_quantity, NOT_SUPPORTED),
        "modal": (change_modal, NOT_SUPPORTED),
        "overstate": (overstate, UNSUPPORTED),
        "roles": (reverse_roles, CONTRADICTED),
        "splice": (splice, NOT_SUPPORTED),
    }
    if way in plain:
        change, label = plain[way]
        return change(claim, rng), label
    if way == "transplant":
        return transplant(claim, around.others, rng), NOT_SUPPORTED
    if not held:
        return None, CONTRADICTED
    name, wanted = rng.choice(held)
    if way == "exchange":
        return exchange_names(claim, [n for n, _ in held], rng), CONTRADICTED
    if way == "cross":
        return swap_within(claim, [n for n, kind in held if kind == wanted], rng), CONTRADICTED
    near, here = ([n for n, kind in circle if kind == wanted] for circle in (around.near, around.here))
    return swap_name(claim, name, rng.choice((near, near, near, here, around.far(wanted))), rng), CONTRADICTED
