"""Answer relevancy by Ragas on a judge model and the bundled embedder: three draws, no NaN, nothing below zero."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.measurement import Status
from glassbox.errors import JudgeError, JudgeModelError
from glassbox.judges import semantic_faithfulness
from tests.unit.judges.support import codes, policy, real_models, request, value
from tests.unit.judges_llm.support import QUESTION, STATEMENTS, Scripted, questions, tools

QUERY = "When did the harbour tower open?"
ANSWER = "The harbour tower opened on 3 May 1931."
PASSAGES = ["The harbour tower opened on 3 May 1931."]


def judged(script: Any, answer: str = ANSWER, query: str = QUERY, **scripts: Any) -> tuple[Any, Any]:
    model = Scripted({QUESTION: script, **scripts})
    return semantic_faithfulness.judge(request(query, answer, PASSAGES), policy(), tools(model)), model


def test_the_same_question_three_times_is_fully_relevant() -> None:
    result, model = judged(questions(QUERY))
    found = value(result, "answer_relevancy")
    assert (found.micros, found.detail["cosine"]) == (1_000_000, 1.0)
    assert model.purposes().count(QUESTION) == 3


def test_each_draw_has_a_seed_of_its_own() -> None:
    _, model = judged(questions("When?", "Where?", "Why?"))
    assert [q.sample for q in model.asked if q.purpose == QUESTION] == [0, 1, 2]
    assert len({q.messages for q in model.asked if q.purpose == QUESTION}) == 1


def test_the_value_is_the_mean_cosine_of_the_questions() -> None:
    told = ("When did the tower open?", "What opened in 1931?", "Which tower stands at the harbour?")
    result, _ = judged(questions(*told))
    vectors = real_models().embedder().embed([QUERY])[0]
    cosines = [float(real_models().embedder().embed([text])[0] @ vectors) for text in told]
    found = value(result, "answer_relevancy")
    assert found.micros == pytest.approx(1e6 * sum(cosines) / 3, abs=2)
    assert [item["question"] for item in found.evidence] == list(told)
    assert "|questions:3|model:embed-minilm-l6-v2@sha256:" in found.signature


class _Opposed:
    """An embedder under which everything but the query points the other way, or nowhere."""

    def __init__(self, other: float) -> None:
        self.entry = real_models().entry("embed")
        self._other = other

    def embed(self, texts: Any) -> Any:
        import numpy

        return numpy.array([[1.0 if text == QUERY else self._other, 0.0] for text in texts], dtype=numpy.float32)


def test_a_negative_cosine_is_zero_and_stays_visible() -> None:
    model = Scripted({QUESTION: questions("Where?")})
    result = semantic_faithfulness.judge(
        request(QUERY, ANSWER, PASSAGES), policy(), tools(model, embedder=_Opposed(-1.0), embed=_Opposed(-1.0))
    )
    found = value(result, "answer_relevancy")
    assert (found.micros, found.detail["cosine"]) == (0, -1.0)
    assert "agent_drift" in codes(result)


def test_a_vector_of_zeros_is_an_error_and_never_nan() -> None:
    model = Scripted({QUESTION: questions("Where?")})
    used = tools(model, embedder=_Opposed(0.0), embed=_Opposed(0.0))
    with pytest.raises(JudgeError, match="not what its questions give"):
        semantic_faithfulness.judge(request(QUERY, ANSWER, PASSAGES), policy(), used)


def test_drift_is_flagged_at_or_below_the_target() -> None:
    result, _ = judged(questions("How do bees dance?"))
    assert "agent_drift" in codes(result)
    result, _ = judged(questions(QUERY))
    assert "agent_drift" not in codes(result)


def test_noncommittal_by_all_questions_is_zero_as_ragas_has_it() -> None:
    result, _ = judged(questions(QUERY, noncommittal=1))
    found = value(result, "answer_relevancy")
    assert (found.micros, found.detail["noncommittal"]) == (0, 3)


def test_noncommittal_by_two_of_three_changes_nothing() -> None:
    def script(asked: Any) -> Any:
        return {"question": QUERY, "noncommittal": int(asked.question.sample < 2)}

    result, _ = judged(script)
    assert value(result, "answer_relevancy").micros == 1_000_000


def test_an_answer_that_evades_and_claims_nothing_is_a_refusal() -> None:
    result, _ = judged(
        questions(QUERY, noncommittal=1), "Why would you want to know?", **{STATEMENTS: {"statements": []}}
    )
    assert [m.reason for m in result.measurements] == ["refusal", "refusal"]
    assert "unwarranted_refusal" in codes(result)
    assert "agent_drift" not in codes(result)
    assert result.engine == "llm"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ({"question": " ", "noncommittal": 0}, "empty"),
        ({"question": "Why?", "noncommittal": 2}, "vocabulary"),
        ({"question": "Why?", "noncommittal": -1}, "vocabulary"),
        ({"question": "Why?", "noncommittal": None}, "vocabulary"),
        ({"question": ["Why?"], "noncommittal": 0}, "schema"),
        ({"question": "Why?"}, "schema"),
    ],
)
def test_a_question_that_is_none_is_refused(reply: Any, fault: str) -> None:
    with pytest.raises(JudgeModelError) as caught:
        judged(reply)
    assert caught.value.code == fault


def test_outside_the_embedders_languages_nothing_is_asked_and_nothing_scored() -> None:
    result, model = judged(
        questions("Wann?"), "Der Turm am Hafen wurde am 3. Mai 1931 eröffnet.", "Wann wurde der Turm am Hafen eröffnet?"
    )
    found = value(result, "answer_relevancy")
    assert (found.status, found.reason) == (Status.INCONCLUSIVE, "language")
    assert QUESTION not in model.purposes()
    assert "language_unmeasured" in codes(result)


def test_a_blank_query_has_no_relevancy() -> None:
    result, model = judged(questions(QUERY), query="  ")
    assert value(result, "answer_relevancy").reason == "no_query"
    assert QUESTION not in model.purposes()
