"""The edge cases of an evaluation by a judge model, one for each row of the table in docs/scoring.md."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.measurement import JudgeResult, Status
from glassbox.errors import JudgeModelError
from glassbox.judges import contextual_precision, semantic_faithfulness
from tests.unit.judges.support import codes, policy, request, value
from tests.unit.judges_llm.support import PRECISION, QUESTION, STATEMENTS, VERDICTS, Scripted, questions, tools

QUERY = "When did the harbour tower open?"
ANSWER = "The harbour tower opened on 3 May 1931."
PASSAGES = ["The harbour tower opened on 3 May 1931.", "Tickets are sold at the pier."]


def both(query: str, answer: str, passages: Any, **more: Any) -> tuple[JudgeResult, JudgeResult, Scripted]:
    model = Scripted({QUESTION: questions(QUERY)})
    asked = request(query, answer, passages, **more)
    first = contextual_precision.judge(asked, policy(), tools(model))
    return first, semantic_faithfulness.judge(asked, policy(), tools(model)), model


@pytest.mark.parametrize("answer", ["", "  \n\t", "\u00a0\u2003"])
@pytest.mark.parametrize("expected", [None, "In May 1931."])
def test_an_empty_answer_asks_nothing_and_scores_nothing(answer: str, expected: str | None) -> None:
    more = {} if expected is None else {"expected_answer": expected}
    for result in both(QUERY, answer, PASSAGES, **more)[:2]:
        assert {m.status for m in result.measurements} == {Status.NOT_APPLICABLE}
        assert {m.reason for m in result.measurements} == {"empty_answer"}
        assert (result.engine, result.calls) == (None, ())


@pytest.mark.parametrize("passages", [[], [""], [" ", "\n\n"]])
def test_without_passages_only_the_relevancy_is_asked(passages: list[str]) -> None:
    first, second, model = both(QUERY, ANSWER, passages)
    assert {m.reason for m in first.measurements} == {"no_context"}
    assert value(second, "faithfulness").reason == "no_context"
    assert value(second, "answer_relevancy").micros == 1_000_000
    assert model.purposes() == [QUESTION] * 3


def test_a_refusal_asks_nothing_of_the_second_judge() -> None:
    refusal = "I'm sorry, but I could not find that in the documents."
    _, second, model = both(QUERY, refusal, PASSAGES)
    assert [m.reason for m in second.measurements] == ["refusal", "refusal"]
    assert "unwarranted_refusal" in codes(second)
    assert "agent_drift" not in codes(second)
    assert (second.engine, second.calls) == ("llm", ())
    assert model.purposes() == [PRECISION]


def test_a_refusal_where_nothing_is_relevant_is_appropriate() -> None:
    _, second, _ = both(QUERY, "The documents do not mention this.", ["Bees dance to tell where flowers are."])
    assert "appropriate_refusal" in codes(second)


def test_a_refusal_without_passages_runs_no_model_at_all() -> None:
    _, second, model = both(QUERY, "I could not find that.", [])
    assert (second.engine, second.models, model.asked) == (None, (), [])
    assert "appropriate_refusal" in codes(second)


@pytest.mark.parametrize(
    ("query", "answer", "passage"),
    [
        ("什么时候开放?", "港口塔于1931年5月3日开放。", "港口塔于1931年5月3日开放。"),
        ("متى افتتح البرج؟", "افتتح برج الميناء في 3 مايو 1931.", "افتتح برج الميناء في 3 مايو 1931."),
        ("Когда открыли башню?", "Башню открыли 3 мая 1931 года.", "Башню открыли 3 мая 1931 года."),
        ("Wann wurde der Turm eröffnet?", "Der Turm wurde am 3. Mai 1931 eröffnet.", "Der Turm wurde 1931 eröffnet."),
    ],
)
def test_verdicts_do_not_depend_on_the_language(query: str, answer: str, passage: str) -> None:
    model = Scripted({PRECISION: {"verdicts": [{"index": 1, "reason": "r", "verdict": "yes"}]}})
    asked = request(query, answer, [passage])
    first = contextual_precision.judge(asked, policy(), tools(model))
    assert value(first, "contextual_precision").micros == 1_000_000
    second = semantic_faithfulness.judge(asked, policy(), tools(model))
    assert value(second, "faithfulness").counts is not None
    assert value(second, "answer_relevancy").reason == "language"


def test_identical_text_in_another_script_is_supported() -> None:
    text = "港口塔于1931年5月3日开放。"
    _, second, _ = both("什么时候开放?", text, [text])
    assert value(second, "faithfulness").micros == 1_000_000


def test_a_statement_in_another_language_than_its_evidence_may_be_supported() -> None:
    claim, quote = "The harbour tower opened on 3 May 1931.", "Der Hafenturm wurde am 3. Mai 1931 für alle eröffnet."
    told = {"index": 1, "statement": claim, "passage": 1, "quote": quote, "reason": "r", "verdict": 1}
    model = Scripted({VERDICTS: {"statements": [told]}, QUESTION: questions(QUERY)})
    result = semantic_faithfulness.judge(request(QUERY, claim, [quote]), policy(), tools(model))
    assert value(result, "faithfulness").micros == 1_000_000


def test_code_and_headings_are_no_claims_and_are_counted() -> None:
    answer = "# Tower\n\nThe harbour tower opened on 3 May 1931.\n\n```\nprint(1)\n```\n"
    _, second, _ = both(QUERY, answer, PASSAGES)
    found = value(second, "faithfulness")
    assert found.detail["not_claims"] == {"code": 1, "heading": 1}
    assert found.den == 1


def test_a_row_of_a_table_is_a_claim() -> None:
    answer = "| part | height |\n|---|---|\n| tower | 381 m |\n"
    _, second, _ = both(QUERY, answer, ["The tower is 381 m high. Each part has a height."])
    assert [item["claim"] for item in value(second, "faithfulness").evidence] == ["part: tower; height: 381 m"]


def test_a_query_that_is_blank_leaves_relevancy_out() -> None:
    _, second, _ = both(" ", ANSWER, PASSAGES)
    assert value(second, "faithfulness").micros == 1_000_000
    assert value(second, "answer_relevancy").reason == "no_query"


def test_very_long_texts_are_asked_in_bounded_questions() -> None:
    passage = " ".join(f"Room {n} holds {n + 2} clocks and a chart of the bay." for n in range(1_200))
    answer = " ".join(f"Room {n} holds {n + 2} clocks." for n in range(40))
    query = "How many clocks are in each room? " * 1_500
    first, second, model = both(query, answer, [passage])
    assert max(len(q.messages[1].content) for q in model.asked) < 75_000
    assert value(first, "contextual_precision").detail["shown_in_part"] == ["query", "passages.0"]
    assert value(second, "faithfulness").detail["shown_in_part"] == ["query"]
    assert value(second, "faithfulness").den == 40


def test_six_calls_with_default_settings() -> None:
    passages = [f"The harbour tower opened on 3 May 193{n}." for n in range(8)]
    _, _, model = both(QUERY, ANSWER, passages)
    assert model.purposes() == [PRECISION, STATEMENTS, VERDICTS, QUESTION, QUESTION, QUESTION]


@pytest.mark.parametrize("code", ["rate_limited", "timeout", "truncated", "refusal"])
def test_a_judge_model_that_gives_up_leaves_no_score_behind(code: str) -> None:
    class Broken(Scripted):
        def ask(self, question: Any) -> Any:
            if question.purpose == VERDICTS:
                raise JudgeModelError("no answer", code=code, retryable=True)
            return super().ask(question)

    with pytest.raises(JudgeModelError) as caught:
        semantic_faithfulness.judge(request(QUERY, ANSWER, PASSAGES), policy(), tools(Broken()))
    assert (caught.value.code, caught.value.retryable) == (code, True)


def test_an_error_of_the_judge_model_is_not_taken_for_one_of_the_library() -> None:
    class Long(Scripted):
        def ask(self, question: Any) -> Any:
            raise JudgeModelError("maximum context length exceeded", code="too_long", retryable=False)

    with pytest.raises(JudgeModelError) as caught:
        contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), policy(), tools(Long()))
    assert caught.value.code == "too_long"


def test_a_type_error_on_the_way_is_not_swallowed() -> None:
    class Confused(Scripted):
        def ask(self, question: Any) -> Any:
            raise TypeError("not a judge model")

    with pytest.raises(TypeError, match="not a judge model"):
        contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), policy(), tools(Confused()))
