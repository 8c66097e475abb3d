"""Changes of who did what, and of single words that carry a sentence's meaning."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "models" / "train"))

import claim_meaning as meaning
import claim_structure as structure
from claim_falsify import Surroundings, falsify
from claim_recipe import HARD, PLAIN, RECIPES

OPENED = "The Harland Bridge was opened in 1932 and repainted in 1960."
WON = "Brunholm defeated Port Ansel in the final of 1931."
WROTE = "The novel was written by Elena Marsh in 1990."


def test_roles_are_reversed_and_voices_turned_in_both_directions() -> None:
    reversed_, turned = ({change(WON, Random(seed)) for seed in range(9)} for change in (
        structure.reverse_roles, structure.turn_voice))  # fmt: skip
    assert reversed_ == {
        "Port Ansel defeated Brunholm in the final of 1931.",
        "Brunholm was defeated by Port Ansel in the final of 1931.",
    }
    assert turned == {"Port Ansel was defeated by Brunholm in the final of 1931."}
    assert structure.turn_voice(WROTE, Random(0)) == "Elena Marsh wrote the novel in 1990."


def test_the_end_of_one_clause_is_joined_to_the_start_of_another() -> None:
    assert structure.splice(OPENED, Random(0)) == "The Harland Bridge was opened in 1960."


def test_two_values_change_places() -> None:
    expected = "The Harland Bridge was opened in 1960 and repainted in 1932."
    assert structure.exchange_values(OPENED, Random(0)) == expected


def test_names_of_one_list_change_places_only_where_that_changes_nothing() -> None:
    listed, names = "Ada Rowan and Ivo Keller founded it.", ["Ada Rowan", "Ivo Keller"]
    assert structure.exchange_names(listed, names, Random(0)) is None
    assert structure.reorder_list(listed, names, Random(0)) == "Ivo Keller and Ada Rowan founded it."
    told = "Ada Rowan taught Ivo Keller."
    assert structure.exchange_names(told, names, Random(0)) == "Ivo Keller taught Ada Rowan."
    assert structure.reorder_list(told, names, Random(0)) is None


def test_one_clause_is_told_alone() -> None:
    told = {
        structure.extract_clause("Elena Marsh, a Swiss engineer, designed the bridge.", Random(s)) for s in range(9)
    }
    assert told == {"Elena Marsh was a Swiss engineer.", "Elena Marsh designed the bridge."}


def test_a_predicate_is_said_of_the_subject_of_another_sentence() -> None:
    moved = structure.transplant("Elena Marsh was born in Oslo.", ["Ivo Keller moved to Rome."], Random(0))
    assert moved == "Ivo Keller was born in Oslo."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (meaning.change_opposite, "The guarantee is optional."),
        (meaning.change_quantity, "In summer most of the rooms are let."),
        (meaning.change_modal, "Guests may leave by noon."),
    ],
)
def test_one_word_is_exchanged_and_nothing_else(change: object, sentence: str) -> None:
    changed = change(sentence, Random(1))  # type: ignore[operator]
    assert changed and changed != sentence
    assert change("Water boils.", Random(1)) is None  # type: ignore[operator]


def test_every_way_of_a_recipe_is_known_and_the_harder_one_has_more() -> None:
    around = Surroundings(
        [("Brunholm", "LOC")], [("Tarnow", "LOC")], [("Tarnow", "LOC")], lambda _: ["Oxley"], [OPENED]
    )
    for recipe in RECIPES.values():
        for way in recipe.ways:
            falsify(WON, around, {way: 1}, Random(0))
    assert set(PLAIN.ways) < set(HARD.ways)
    assert falsify("Water boils.", Surroundings([], [], [], lambda _: [], []), HARD.ways, Random(0)) is None
