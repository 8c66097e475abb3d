"""However large an evaluation is, its page stays small enough to open and says what it leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.report import READERS, render
from glassbox.report.html import Reader
from glassbox.report.marking import Span, highlight, runs
from glassbox.report.read import facts, listed
from glassbox.report.told import numbered
from tests.unit.report import factory
from tests.unit.report.pages import Page

MOST_BYTES = 6_000_000


@pytest.fixture(scope="module")
def huge() -> dict[str, Any]:
    envelope = factory.envelope()
    words = "A long & <winding> text\u200b that goes on. " * 25
    request = envelope["content"]["request"]
    request["answer"] = words * 2_000
    request["query"] = words * 40
    request["retrieved_passages"] = [{"text": words * 100, "score": i} for i in range(200)]
    judges = envelope["core"]["judges"]
    claim = {"claim": words * 10, "verdict": "supported", "passage": 3, "quote": words[:300], "reason": words}
    claims = [claim | {"start": 30 * i, "end": 30 * i + 29} for i in range(4_000)]
    claims[3_999] = claims[3_999] | {"verdict": "contradicted", "claim": "the very last claim"}
    judges["semantic_faithfulness"]["measurements"][0]["evidence"] = claims
    entity = {"entity": words, "label": words, "start": 3, "end": 9, "found": True, "match": words}
    entities = [entity] * 3_000 + [entity | {"found": False, "entity": "the novel one"}]
    judges["structural_fidelity"]["measurements"][3]["evidence"] = entities
    judges["structural_fidelity"]["measurements"][3]["detail"] = {f"key{i}": words for i in range(500)}
    envelope["core"]["flags"] += [{"code": "novel_entity", "severity": "review", "detail": {"entity": words}}] * 3_000
    return envelope


@pytest.fixture(scope="module")
def shown(huge: dict[str, Any]) -> Page:
    return Page(render(huge))


@pytest.mark.parametrize("reader", READERS)
def test_a_huge_evaluation_gives_a_bounded_page(huge: dict[str, Any], reader: Reader) -> None:
    assert len(render(huge, reader=reader).encode()) < MOST_BYTES


def test_whatever_is_shortened_is_said_at_its_place_and_at_the_end(huge: dict[str, Any], shown: Page) -> None:
    size = len(huge["content"]["request"]["answer"])
    assert f"The first 30,000 of {size:,} characters are shown." in shown.text
    notes = shown.all("section", "shortened")[0].text
    for note in (
        f"answer: the first 30,000 of {size:,} characters",
        "claims, the worst verdicts first: 300 of 4,000",
        "names: 200 of 3,001",
        "flags: 100 of",
        "texts of 200 passages",
    ):
        assert note in notes


def test_long_lists_inside_a_sentence_end_with_how_many_more() -> None:
    assert numbered(list(range(200))).endswith("23, 24 and 176 more")
    assert numbered([0, 1, 2]) == "1, 2 and 3"
    assert numbered([4]) == "5"
    assert numbered([]) == ""
    shown = facts({f"k{i}": i for i in range(9)}, limit=4, characters=10)
    assert [f.value for f in shown] == ["0", "1", "2", "3", "5 more"]
    assert listed(["a", "b", "c"], 2) == ("a", "b", "… 1 more")


def test_what_is_wrong_is_never_what_is_left_out(shown: Page) -> None:
    assert "the very last claim" in shown.by_id("wrong").text
    assert "the novel one" in shown.by_id("wrong").text
    assert shown.by_id("claim-4000").text


def test_counts_are_those_of_the_whole_evaluation(shown: Page) -> None:
    legend = shown.all("p", "legend")[0].text
    assert "supported 3999" in legend and "contradicted 1" in legend


def test_a_page_that_shows_everything_says_nothing_about_shortening() -> None:
    assert not Page(render(factory.envelope())).all("section", "shortened")


def test_runs_hold_the_whole_text_whatever_the_spans() -> None:
    text = "abcdefghij"
    cases = [
        [],
        [Span(0, 10, 1)],
        [Span(2, 5, 1), Span(4, 8, 2), Span(3, 4, 3)],
        [Span(5, 50, 1), Span(-3, 2, 2), Span(7, 7, 3)],
    ]
    for claims in cases:
        for marks in cases:
            found = runs(text, claims, marks)
            assert "".join(piece.text for run in found for piece in run.pieces) == text
            assert all(piece.text for run in found for piece in run.pieces)


def test_overlapping_claims_are_cut_where_the_next_begins() -> None:
    found = runs("abcdefghij", [Span(0, 6, 1), Span(4, 8, 2)], [Span(5, 7, 0)])
    assert [(run.key, [(p.text, p.marked) for p in run.pieces]) for run in found] == [
        (1, [("abcde", False), ("f", True)]),
        (2, [("g", True), ("h", False)]),
        (None, [("ij", False)]),
    ]


def test_quotes_are_marked_where_they_stand() -> None:
    assert [tuple(p) for p in highlight("one two three", ["two", "absent", ""])] == [
        ("one ", False),
        ("two", True),
        (" three", False),
    ]
