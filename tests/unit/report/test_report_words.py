"""Every code that a scorecard can hold has plain words; a code that is not known is shown as it is."""

from __future__ import annotations

import pytest

from glassbox.contract.measurement import Status
from glassbox.report import words
from glassbox.report.read import comparison, decimal, moment, percent
from glassbox_contract.conclusion import DECISIONS, EVIDENCE, OPERATIONAL, PUBLICATION
from glassbox_contract.default_policy import default_policy, default_tree
from glassbox_contract.policy_tree import walk


def test_every_node_of_the_default_policy_has_a_name_and_a_meaning() -> None:
    judges = {child.name for child in default_tree().children}
    assert judges == set(words.JUDGES)
    for path, node in walk(default_tree()):
        assert node.name in words.MEASUREMENTS or node.name in judges, path


def test_every_flag_status_decision_and_state_has_words() -> None:
    assert set(default_policy()["flag_effects"]) <= set(words.FLAGS)
    assert set(default_policy()["flag_effects"].values()) <= set(words.SEVERITIES)
    assert {s.value for s in Status} == set(words.STATUSES)
    assert set(DECISIONS) == set(words.DECISIONS)
    assert {*OPERATIONAL, *EVIDENCE, *DECISIONS, *PUBLICATION} == set(words.STATE_VALUES)


def test_unknown_codes_are_shown_as_they_are() -> None:
    for speak in (words.status, words.reason, words.engine):
        assert speak("some_new_code") == "some_new_code"
    for name in (words.judge, words.measurement, words.flag):
        assert name("some_new_code").title == "some_new_code"


def test_an_absence_of_parts_names_the_parts() -> None:
    assert words.reason("absent:rank_agreement,mean_similarity") == "no value for Rank agreement, Mean similarity"


@pytest.mark.parametrize(
    ("value", "against", "shown"),
    [
        (0.95, 0.95, "0.950"),
        (0.9496, 0.95, "0.9496"),
        (0.949999, 0.95, "0.949999"),
        (0.9500004, 0.95, "0.950000"),
        (1, 0.9, "1.000"),
    ],
)
def test_numbers_carry_as_many_digits_as_the_comparison_needs(value: float, against: float, shown: str) -> None:
    assert decimal(value, against) == shown


def test_targets_and_times_read_like_sentences() -> None:
    assert comparison(">", 0.85) == "above 0.85"
    assert comparison(">=", 0.8) == "at least 0.8"
    assert moment("2026-11-30T22:00:00.000Z") == "30 November 2026, 22:00 UTC"
    assert moment("yesterday") == "yesterday"
    assert percent(0.886667) == "88.6667%"
