"""How far judges lie apart, as a reader sees it."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from glassbox.report import READERS, print_scorecard, render
from glassbox.report.scatter import scatter_of, without_scatter
from tests.unit.report.calls import envelope
from tests.unit.report.pages import Page

JURY = {
    "members": [
        {"judge": "openai:a", "weight": 2.0, "score": 0.9, "error": None},
        {"judge": "openai:b", "weight": 1.0, "score": 0.2, "error": None},
        {"judge": "bedrock:c", "weight": 1.0, "score": None, "error": "rate_limited"},
    ],
    "consensus": "mean",
    "mean": 0.55,
    "median": 0.55,
    "sigma": 0.35,
    "outliers": [1],
}
STABILITY = {"openai:a": {"scores": [0.9, 0.9, None], "sigma": 0.0125}}


def test_a_jury_names_each_member_its_score_and_who_was_left_out() -> None:
    assert scatter_of({"jury": JURY}) == (
        "Jury of 3: openai:a 0.900; openai:b 0.200; bedrock:c left out (rate_limited) · mean 0.550 · median 0.550 · "
        "sigma 0.350 · stands apart: openai:b",
    )


def test_repeated_runs_show_their_scores_and_sigma() -> None:
    assert scatter_of({"stability": STABILITY}) == ("openai:a, 3 runs: 0.900, 0.900, no score · sigma 0.013",)


def test_what_is_said_in_words_is_not_listed_again() -> None:
    assert without_scatter({"jury": JURY, "stability": STABILITY, "runs": [], "exact": "1/2"}) == {"exact": "1/2"}


@pytest.mark.parametrize("odd", [{}, {"jury": 3}, {"jury": {"members": "x"}}, {"stability": {"a": 7}}, {"jury": []}])
def test_nothing_odd_breaks_a_page(odd: dict[str, Any]) -> None:
    assert all(isinstance(line, str) for line in scatter_of(odd))


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_and_the_terminal_see_it(reader: Any) -> None:
    made = envelope()
    judge = made["core"]["judges"]["contextual_precision"]
    judge["measurements"][0]["detail"] = {"jury": JURY, "stability": STABILITY}
    shown = Page(render(made, None, None, reader)).by_id("questions").text
    assert "sigma 0.350" in shown
    screen = Console(record=True, width=300, file=open("/dev/null", "w"))  # noqa: SIM115
    with screen.file:
        print_scorecard(made["core"], screen)
        assert "contextual_precision: Jury of 3: openai:a 0.900" in screen.export_text()
