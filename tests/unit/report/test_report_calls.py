"""What a reader sees of the judge model: who judged, what it was asked, what that cost."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from glassbox.report import READERS, Row, print_scorecard, render, render_index
from tests.unit.report import factory
from tests.unit.report.calls import IDENTITY, call, envelope, usage
from tests.unit.report.pages import Page


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_sees_who_judged_and_what_it_cost(reader: Any) -> None:
    made = envelope()
    shown = Page(render(made, factory.LEDGER, usage(made), reader))
    part = shown.by_id("model").text
    assert IDENTITY in part
    assert "3 calls, 3,606 tokens in, 270 out, 0.0006 USD" in part
    assert IDENTITY in shown.by_id("questions").text


def test_risk_and_engineering_see_every_call_with_its_digests() -> None:
    made = envelope()
    for reader in ("risk", "engineering"):
        part = Page(render(made, factory.LEDGER, usage(made), reader)).by_id("model").text
        for words in ("Which passages are relevant?", "What does the answer claim?", "3 attempts, repaired once"):
            assert words in part
        for number in (1, 2, 3):
            assert f"sha256:{number:02x}" + "d0" * 31 in part
        assert "judge-small-2026-10-01, fp_17" in part


def test_a_page_without_a_judge_model_has_no_such_part() -> None:
    page = render(factory.envelope(), factory.LEDGER, factory.USAGE, "risk")
    assert 'id="model"' not in page
    assert 'href="#model"' not in page


def test_an_unknown_price_is_said_and_not_counted_as_nothing() -> None:
    made = envelope({"contextual_precision": [call("contextual_precision.verdicts", 1, cost_usd=None)]})
    assert "cost unknown" in Page(render(made, None, usage(made))).by_id("model").text
    assert usage(made)["cost_usd"] is None


def test_the_text_of_a_call_is_escaped() -> None:
    odd = call("<script>alert(1)</script>", 1, model="<b>x</b>", served_model="<i>y</i>")
    page = render(envelope({"contextual_precision": [odd]}), None, None, "engineering")
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page


def test_a_page_shows_at_most_a_hundred_calls_and_says_so() -> None:
    many = [call("faithfulness.verdicts", n % 200) for n in range(130)]
    shown = Page(render(envelope({"semantic_faithfulness": many}), None, None, "risk"))
    assert "calls to the judge model: 100 of 130" in shown.text
    assert "130 calls" in shown.by_id("model").text


def test_the_table_in_the_terminal_names_engine_model_and_cost() -> None:
    made = envelope()
    screen = Console(record=True, width=100, file=open("/dev/null", "w"))  # noqa: SIM115
    with screen.file:
        print_scorecard({**made["core"], "usage": usage(made), "ledger": factory.LEDGER}, screen)
        told = screen.export_text()
    assert f"Judge model: {IDENTITY} · 3 calls, 3,606 tokens in, 270 out, 0.0006 USD" in told
    assert " llm" in told


def test_an_overview_names_the_engine_and_warns_where_two_are_listed() -> None:
    asked, local = envelope()["core"], factory.envelope()["core"]
    both = render_index([Row("a", asked), Row("b", local)])
    assert f"llm, {IDENTITY}" in both
    assert "are not comparable" in both
    assert "are not comparable" not in render_index([Row("a", asked), Row("b", asked)])


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_overlooks_that_another_model_answered(reader: Any) -> None:
    other = envelope({"contextual_precision": [call("contextual_precision.verdicts", 1, served_model="<b>tiny</b>")]})
    page = render(other, None, None, reader)
    assert "the endpoint says that" in page
    assert "<b>tiny</b>" not in page
    assert "the endpoint says that" not in render(envelope(), None, None, reader)
