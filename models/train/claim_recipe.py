"""How much of what the claim checker is trained on: the recipe of the bundled weights, and a harder one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """Shares and sizes of the generated examples."""

    ways: Mapping[str, int]
    """How often each way of making a claim false is tried first."""
    widest: int
    """Most sentences in a window."""
    longest: tuple[int, ...]
    """Most words in a window; one of these by chance."""
    per_relation: int
    fewrel: int
    captions: int
    retold: bool
    """Whether true claims are also told in another voice, by one clause alone, or with a list in another order."""
    people_false: int
    """Falsified variants of each claim that people found supported."""


PLAIN = Recipe(
    ways={"name": 4, "value": 4, "negate": 2, "compare": 3, "cross": 2, "overstate": 1},
    widest=6,
    longest=(100,),
    per_relation=60,
    fewrel=120,
    captions=5000,
    retold=False,
    people_false=0,
)
"""What the bundled weights were trained on."""
HARD = Recipe(
    # Names weigh most: they are what answers confuse and what a model finds hardest.
    ways={
        "name": 5, "value": 4, "exchange": 5, "values": 2, "negate": 2, "compare": 2, "opposite": 3, "quantity": 2,
        "modal": 2, "roles": 3, "splice": 2, "transplant": 2, "cross": 1, "overstate": 1,
    },
    widest=7,
    longest=(60, 90, 120),
    per_relation=90,
    fewrel=200,
    captions=3000,
    retold=True,
    people_false=4,
)  # fmt: skip
"""Exchanged names and values, turned roles, spliced clauses, opposites, quantities, modals, and freer true claims."""
RECIPES = {"plain": PLAIN, "hard": HARD}
