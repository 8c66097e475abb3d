from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.negation import comparison_conflict, negation_conflict, polarity
from tests.unit.text.strategies import texts


@pytest.mark.parametrize(
    "text", ["It is not covered.", "It isn't covered.", "No pets.", "It never opened.", "It works without power."]
)
def test_a_negated_text(text: str) -> None:
    assert polarity(text)


@pytest.mark.parametrize(
    "text",
    [
        "It is covered.",
        "Not only fire is covered.",
        "No. 5 is alive.",
        "There is no doubt.",
        "Der Pool ist nicht beheizt und auch nicht offen.",
    ],
)
def test_a_text_that_negates_nothing_or_is_not_english(text: str) -> None:
    assert not polarity(text)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Water damage is covered.", "Water damage is not covered."),
        ("The plan covers water damage.", "The plan does not cover water damage."),
        ("Water damage is covered.", "Fire is covered but water damage is not."),
        ("The pool is heated.", "The pool isn't heated."),
        ("He can swim.", "He cannot swim."),
        ("Pets are allowed.", "No pets are allowed."),
        ("The bridge opened in 1932.", "The bridge never opened."),
        ("Sales increased in 2020.", "Sales decreased in 2020."),
        ("The form must be sent before 5 May.", "The form must be sent after 5 May."),
        ("The tower is the highest in Europe.", "The tower is the lowest in Europe."),
        ("It is served with sugar.", "It is served without sugar."),
    ],
)
def test_opposites_conflict_both_ways(claim: str, evidence: str) -> None:
    assert negation_conflict(claim, evidence)
    assert negation_conflict(evidence, claim)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Water damage is not covered.", "Water damage is not covered under this plan."),
        ("Fire is covered.", "Fire is covered, but water damage is not."),
        ("Not only fire is covered.", "Fire is covered."),
        ("Sales increased in 2020.", "Sales increased in 2020 and decreased in 2021."),
        ("The vaccine is safe.", "The vaccine is not unsafe."),
        ("Oslo is the capital.", "Bees do not make bread."),
        ("The pool is open.", "The pool is open."),
        ("Der Pool ist beheizt und das ist gut.", "Der Pool ist nicht beheizt."),
    ],
)
def test_sentences_that_agree_or_speak_of_other_things_do_not_conflict(claim: str, evidence: str) -> None:
    assert not negation_conflict(claim, evidence)
    assert not negation_conflict(evidence, claim)


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The tower is larger than the bridge.", "The bridge is larger than the tower.", True),
        ("The tower is larger than the bridge.", "The tower is smaller than the bridge.", True),
        ("It takes more than 5 days.", "It takes less than 5 days.", True),
        ("The tower is larger than the bridge.", "The tower is larger than the bridge by far.", False),
        ("The tower is larger than the bridge.", "The bridge is smaller than the tower.", False),
        ("The tower is not larger than the bridge.", "The bridge is larger than the tower.", False),
        ("At least 10 people came.", "More than 10 people came.", False),
        ("The tower is larger than the bridge.", "The tower is red.", False),
    ],
)
def test_turned_comparisons_conflict(claim: str, evidence: str, expected: bool) -> None:
    assert comparison_conflict(claim, evidence) is expected
    assert comparison_conflict(evidence, claim) is expected


@given(texts)
def test_no_text_conflicts_with_itself(text: str) -> None:
    assert not negation_conflict(text, text)
    assert not comparison_conflict(text, text)
