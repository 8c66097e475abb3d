"""The table of a scorecard in a terminal, a pipe, or without colour."""

from __future__ import annotations

import io
import re
from typing import Any

from rich.console import Console

from glassbox.report import print_scorecard
from tests.unit.report import factory


def printed(scorecard: dict[str, Any], width: int = 80, **options: Any) -> str:
    out = io.StringIO()
    print_scorecard(scorecard, Console(file=out, width=width, **options))
    return out.getvalue()


def test_every_weighed_measurement_has_value_target_result_and_engine() -> None:
    core = factory.envelope()["core"]
    out = printed(core)
    for name, value, target, result in (
        ("contextual_precision", "0.887", "> 0.85", "target met"),
        ("faithfulness", "0.400", "> 0.95", "target missed"),
        ("entity_precision", "0.750", "> 0.9", "target missed"),
    ):
        assert re.search(rf"^ +{name} +{value} +{re.escape(target)} +\S {result} +local", out, re.MULTILINE)
    assert re.search(r"^ +rank_agreement +0\.833 +· no target +local", out, re.MULTILINE)


def test_decision_trust_states_and_what_is_wrong_are_said() -> None:
    out = printed(factory.envelope()["core"] | {"ledger": factory.LEDGER})
    assert "FAIL  trust score 0.665, the bar is at least 0.8" in out
    assert "Use: withheld" in out
    for words in ("Henrik Dahl", "“You may borrow up to 20 books at a time.”", "passage 2: “borrow up to 12 books"):
        assert words in out
    assert "embedded, block 12" in out


def test_absences_are_words() -> None:
    out = printed(factory.unanswered_envelope()["core"])
    assert "no trust score" in out
    assert "does not arise: the answer" in out
    assert not re.search(r"\b[01]\.\d{3}\b", out)
    assert "Flags: none" in out
    assert "nothing was found" in out
    assert "not committed" in out


def test_eighty_columns_are_enough() -> None:
    for envelope in (factory.envelope(), factory.good_envelope(), factory.hostile_envelope()):
        assert max(len(line) for line in printed(envelope["core"]).splitlines()) <= 80


def test_without_a_terminal_no_escape_sequence_is_written() -> None:
    assert "\x1b" not in printed(factory.envelope()["core"])


def test_colour_says_nothing_that_words_do_not() -> None:
    core = factory.envelope()["core"]
    coloured = printed(core, force_terminal=True, color_system="truecolor")
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == printed(core)


def test_hostile_text_sends_no_command_to_the_terminal_and_styles_nothing() -> None:
    core = factory.hostile_envelope()["core"]
    ledger = factory.mapped(factory.LEDGER, lambda _, text: factory.hostile() + text)
    out = printed(core | {"ledger": ledger}, force_terminal=True, color_system="standard")
    ours = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", ours)
    assert "\x1b]8" not in out
    assert "31mred" in ours.replace("\n", "") or "[U+001B]" in ours or "<script>" in ours


def test_rich_markup_in_evaluated_text_is_printed_as_it_stands() -> None:
    envelope = factory.envelope()
    evidence = envelope["core"]["judges"]["semantic_faithfulness"]["measurements"][0]["evidence"]
    evidence[1]["claim"] = "[bold red]loud[/] [link=http://x]here[/link] \x1b[2J end"
    out = printed(envelope["core"])
    assert "[bold red]loud[/] [link=http://x]here[/link] [U+001B][2J end" in out.replace("\n    ", " ")


def test_a_long_list_of_findings_is_cut_with_a_count() -> None:
    envelope = factory.envelope()
    evidence = envelope["core"]["judges"]["semantic_faithfulness"]["measurements"][0]["evidence"]
    evidence.extend([evidence[3]] * 40)
    assert "more: see the report" in printed(envelope["core"])
