"""Answer relevancy by the local engine, with the bundled embedder."""

from __future__ import annotations

import pytest

from glassbox.contract.measurement import Measurement, Status
from glassbox.judges.relevancy import calibrated_relevancy
from glassbox.judges.semantic_faithfulness import judge

from .support import ScriptedChecker, codes, policy, request, tools, value

TOWER = "The radio tower at Norrholm was built in 1954 and is 212 metres tall."
TARGET = 800_000


def relevancy(query: str, answer: str, *passages: str) -> Measurement:
    made = request(query, answer, passages or (TOWER,))
    return value(judge(made, policy(), tools(claims=ScriptedChecker())), "answer_relevancy")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("How tall is the radio tower at Norrholm?", "The radio tower at Norrholm is 212 metres tall."),
        (
            "How do I descale the kettle?",
            "Fill the kettle with equal parts of water and vinegar, boil it, and rinse it.",
        ),
        ("What does the warranty cover?", "The warranty covers faults of material and manufacture for two years."),
        ("Who may borrow books?", "Every resident of the county with a library card may borrow up to ten books."),
    ],
)
def test_an_answer_to_the_question_passes(query: str, answer: str) -> None:
    assert (relevancy(query, answer).micros or 0) > TARGET


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("How tall is the radio tower at Norrholm?", "Sourdough needs twelve hours to rise in a cool kitchen."),
        ("How do I descale the kettle?", "Our company was founded in 1932 and has three offices."),
        ("What does the warranty cover?", "%%% ### !!!"),
        ("asdf qwer?", "Bees make honey from the nectar of flowers."),
    ],
)
def test_an_answer_to_something_else_drifts(query: str, answer: str) -> None:
    made = request(query, answer, [TOWER])
    result = judge(made, policy(), tools(claims=ScriptedChecker()))
    assert (value(result, "answer_relevancy").micros or 0) < 400_000
    assert "agent_drift" in codes(result)


def test_a_short_answer_is_read_in_the_passage_that_holds_its_words() -> None:
    measured = relevancy("How tall is the radio tower at Norrholm?", "212 metres.")
    assert measured.detail["rule"] == "in_passage" and (measured.micros or 0) > TARGET
    assert measured.evidence[0]["passage"] == 0


def test_a_bare_yes_belongs_to_a_question_that_asks_for_it() -> None:
    assert relevancy("Is the tower taller than 200 metres?", "Yes.").micros == 1_000_000
    assert relevancy("How tall is the tower?", "Yes.").micros != 1_000_000


def test_a_negative_cosine_gives_zero_and_stays_on_record() -> None:
    assert calibrated_relevancy(-0.4) == 0.0
    measured = relevancy("asdf qwer?", "%%%", "Bees make honey.")
    assert -1.0 <= measured.detail["cosine"] <= 1.0 and 0 <= (measured.micros or 0) <= 1_000_000


def test_the_map_rises_over_the_whole_range() -> None:
    values = [calibrated_relevancy(x / 100) for x in range(-100, 101)]
    assert values == sorted(values) and values[0] == 0.0 and values[-1] == 1.0


def test_details_do_not_make_a_long_answer_irrelevant() -> None:
    answer = "The radio tower at Norrholm is 212 metres tall. " + "Its paint is renewed every nine years. " * 30
    assert (relevancy("How tall is the radio tower at Norrholm?", answer).micros or 0) > TARGET


def test_an_answer_of_many_parts_says_how_many_were_read() -> None:
    answer = " ".join(f"Ship number {i} carried grain to the north." for i in range(300))
    detail = relevancy("What did the ships carry?", answer).detail
    assert detail["parts"] > 300 and detail["parts_read"] == 48


def test_an_empty_question_asks_for_nothing() -> None:
    measured = relevancy(" ", "The tower is tall.")
    assert (measured.status, measured.reason) == (Status.NOT_APPLICABLE, "no_query")
