"""Contextual precision by DeepEval on a judge model: every passage once, by its number, and nothing made up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from glassbox.contract.measurement import Status
from glassbox.errors import JudgeModelError, UsageError
from glassbox.judges import contextual_precision
from glassbox.judges.llm.asking import Asker
from glassbox.judges.llm.deepeval import batches, measure_precision
from glassbox.judges.tools import Tools
from glassbox.llm.schema import strict_schema
from tests.unit.judges.support import codes, policy, request, value
from tests.unit.judges_llm.support import PRECISION, SALT, Asked, Scripted, tools

PASSAGES = [
    "The harbour tower opened on 3 May 1931.",
    "Tickets are sold at the pier.",
    "The tower opened with a parade in 1931.",
    "The pier has a café.",
]
QUERY = "When did the harbour tower open?"
ANSWER = "The harbour tower opened on 3 May 1931."


def said(*words: str) -> dict[str, Any]:
    return {"verdicts": [{"index": n, "reason": "r", "verdict": word} for n, word in enumerate(words, start=1)]}


def judged(reply: Any, passages: list[str] | None = None, **more: Any) -> Any:
    model = Scripted({PRECISION: reply})
    result = contextual_precision.judge(
        request(QUERY, ANSWER, PASSAGES if passages is None else passages, **more), policy(), tools(model)
    )
    return result, model


def test_the_score_is_deepevals_average_precision_of_the_verdicts() -> None:
    result, model = judged(said("yes", "no", "yes", "no"))
    found = value(result, "contextual_precision")
    assert (found.micros, found.bits) == (833333, "1010")
    assert measure_precision(Asker(model, SALT), QUERY, ANSWER, list(enumerate(PASSAGES))).score == pytest.approx(5 / 6)
    assert (result.engine, model.purposes()) == ("llm", [PRECISION] * 2)


def test_no_relevant_passage_gives_zero_and_all_of_them_one() -> None:
    assert value(judged(said("no", "no", "no", "no"))[0], "contextual_precision").micros == 0
    assert value(judged(said("yes", "yes", "yes", "yes"))[0], "contextual_precision").micros == 1_000_000


def test_verdicts_count_by_their_number_and_not_by_their_place() -> None:
    reply = said("yes", "no", "yes", "no")
    reply["verdicts"].reverse()
    result, _ = judged(reply)
    assert value(result, "contextual_precision").bits == "1010"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (said("yes", "no", "yes"), "count"),
        (said("yes", "no", "yes", "no", "no"), "count"),
        ({"verdicts": []}, "count"),
        ({"verdicts": [{"index": 1, "reason": "r", "verdict": "yes"}] * 4}, "index"),
        ({"verdicts": [{"index": n, "reason": "r", "verdict": "yes"} for n in (0, 1, 2, 3)]}, "index"),
        ({"verdicts": [{"index": n, "reason": "r", "verdict": "yes"} for n in (1, 2, 3, -1)]}, "index"),
        (said("yes", "no", "maybe", "no"), "vocabulary"),
        (said("yes", "no", "Yes", "no"), "vocabulary"),
        (said("yes", "no", "yes.", "no"), "vocabulary"),
        ({"verdicts": [{"index": n, "reason": "r", "verdict": True} for n in (1, 2, 3, 4)]}, "vocabulary"),
        ({"verdicts": [{"reason": "r", "verdict": "yes"}] * 4}, "schema"),
        ({"verdicts": [{"index": str(n), "reason": "r", "verdict": "yes"} for n in (1, 2, 3, 4)]}, "schema"),
        ({"verdicts": None}, "schema"),
        ({"results": []}, "schema"),
        ("I'd rather not.", "invalid_json"),
        ("", "empty"),
        ('{"verdicts": [{"index": 1, "reason": "r", "verdict": NaN}]}', "not_finite"),
    ],
)
def test_a_reply_that_does_not_cover_the_passages_is_never_scored(reply: Any, fault: str) -> None:
    with pytest.raises(JudgeModelError) as caught:
        judged(reply)
    assert (caught.value.code, caught.value.retryable) == (fault, True)


def named(*words: str) -> dict[str, Any]:
    return {"verdicts": {f"passage_{n}": {"reason": "r", "verdict": word} for n, word in enumerate(words, start=1)}}


def test_a_reply_that_names_each_passage_is_the_one_that_is_asked_for() -> None:
    result, model = judged(named("yes", "no", "yes", "no"))
    assert value(result, "contextual_precision").bits == "1010"
    schema = strict_schema(model.asked[0].response)["properties"]["verdicts"]
    assert schema["required"] == ["passage_1", "passage_2", "passage_3", "passage_4"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (named("yes", "no", "yes"), "count"),
        (named("yes", "no", "yes", "no", "no"), "schema"),
        ({"verdicts": {f"passage_{n}": {"reason": "r", "verdict": "yes"} for n in (0, 1, 2, 3)}}, "schema"),
        ({"verdicts": {f"item_{n}": {"reason": "r", "verdict": "yes"} for n in (1, 2, 3, 4)}}, "schema"),
        ({"verdicts": {f"passage_{n}": "yes" for n in (1, 2, 3, 4)}}, "schema"),
        (named("yes", "no", "yes", "No"), "vocabulary"),
        (json.dumps(named("yes", "no", "yes", "no")).replace("passage_2", "passage_1"), "invalid_json"),
    ],
)
def test_a_reply_that_names_other_passages_is_never_scored(reply: Any, fault: str) -> None:
    with pytest.raises(JudgeModelError) as caught:
        judged(reply)
    assert caught.value.code == fault


def test_a_second_and_exact_reply_is_taken() -> None:
    result, _ = judged([said("yes"), said("no", "yes", "no", "no")])
    assert value(result, "contextual_precision").bits == "0100"
    assert result.calls[0]["attempts"] == 2


def test_equal_passages_are_judged_once_and_count_at_every_rank() -> None:
    passages = [PASSAGES[1], PASSAGES[0], f"[2] {PASSAGES[0]}", PASSAGES[0].upper()]
    result, model = judged(said("no", "yes"), passages)
    found = value(result, "contextual_precision")
    assert (found.bits, found.detail["unique_bits"]) == ("0111", "01")
    assert found.evidence[3]["duplicate_of"] == 1
    assert "duplicate_passages" in codes(result)
    assert len(model.asked) == 1


def test_blank_passages_are_not_asked_about_and_not_relevant() -> None:
    result, model = judged(said("yes", "no"), ["", PASSAGES[0], " \n", PASSAGES[1]])
    assert value(result, "contextual_precision").bits == "0100"
    assert model.prompts(PRECISION)[0].count("Passage ") == 2


def test_long_lists_are_asked_in_batches_of_eight() -> None:
    passages = [f"Passage number {n} speaks of matter {n * n}." for n in range(19)]

    def every_second(asked: Asked) -> Any:
        return said(*("yes" if int(text.split()[2]) % 2 else "no" for _, text in asked.passages))

    result, model = judged(every_second, passages)
    assert value(result, "contextual_precision").bits == "0101010101010101010"
    assert [prompt.count("\nGB-") for prompt in model.prompts(PRECISION)] == [10, 10, 5]
    assert len(result.calls) == 3


def test_batches_are_bounded_by_characters_too() -> None:
    found = batches([(n, "x" * 20_000) for n in range(5)])
    assert [len(batch) for batch in found] == [2, 2, 1]


def test_a_very_long_passage_is_shown_by_the_parts_that_matter_and_reported() -> None:
    long = "Nothing of note happened. " * 3_000 + "The harbour tower opened on 3 May 1931. " + "Quiet. " * 3_000
    result, model = judged(said("yes", "no"), [long, PASSAGES[1]])
    prompt = model.prompts(PRECISION)[0]
    assert "opened on 3 May 1931" in prompt
    assert len(prompt) < 40_000
    assert value(result, "contextual_precision").detail["shown_in_part"] == ["passages.0"]


def test_the_reference_is_the_expected_answer_where_one_is_given() -> None:
    result, model = judged(said("yes", "no", "no", "no"), expected_answer="It opened in May 1931.")
    assert value(result, "contextual_precision").detail["reference_mode"] == "expected"
    assert "It opened in May 1931." in model.prompts(PRECISION)[0]
    assert "|reference:expected|" in value(result, "contextual_precision").signature


def test_a_refusal_is_no_reference_so_that_the_question_alone_decides() -> None:
    model = Scripted({PRECISION: said("yes", "no", "yes", "no")})
    refused = request(QUERY, "I'm sorry, I could not find that in the documents.", PASSAGES)
    result = contextual_precision.judge(refused, policy(), tools(model))
    assert value(result, "contextual_precision").detail["reference_mode"] == "query"
    assert "could not find" not in model.prompts(PRECISION)[0]
    assert "Any correct and complete answer to the input." in model.prompts(PRECISION)[0]


def test_one_passage_says_little_and_says_so() -> None:
    result, _ = judged(said("yes"), [PASSAGES[0]])
    found = value(result, "contextual_precision")
    assert (found.micros, found.detail["low_information"]) == (1_000_000, True)


def test_calibration_stays_the_embedders() -> None:
    result, _ = judged(said("yes", "no", "yes", "no"))
    assert value(result, "mean_similarity").status is Status.SCORED
    assert any(model.startswith("embed-minilm") for model in result.models)
    assert "|engine:local|" in value(result, "mean_similarity").signature


def test_without_calibration_no_model_of_ours_is_opened() -> None:
    model = Scripted({PRECISION: said("yes", "no", "yes", "no")})
    used = tools(model)
    changed = policy(disable=["contextual_precision/retrieval_calibration"])
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), changed, used)
    assert value(result, "contextual_precision").micros == 833333
    assert used.models.opened == []  # type: ignore[attr-defined]


def test_what_is_switched_off_is_not_asked() -> None:
    model = Scripted()
    changed = policy(disable=["contextual_precision/contextual_precision"])
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), changed, tools(model))
    assert model.asked == []
    assert value(result, "contextual_precision").status is Status.SKIPPED


def test_the_policy_decides_whether_the_judge_model_is_asked() -> None:
    model = Scripted()
    local = policy().with_engines({"contextual_precision": "local"})
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), local, tools(model))
    assert (result.engine, result.calls, model.asked) == ("local", (), [])


def test_a_policy_that_demands_a_judge_model_does_not_fall_back() -> None:
    bound = policy().with_judge_model(["contextual_precision"], "openai:other")
    with pytest.raises(UsageError, match="none is at hand"):
        contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), bound, Tools(models=tools(None).models))


def test_the_record_names_judge_library_and_every_call() -> None:
    result, _ = judged(said("yes", "no", "yes", "no"))
    assert value(result, "contextual_precision").signature.startswith(
        "contextual_precision|engine:llm|reference:answer|passages:4|lib:deepeval-4.3.1|judge:openai:scripted-1|"
    )
    assert result.libraries == ("deepeval 4.3.1",)
    assert any(model.startswith("openai:scripted-1@sha256:") for model in result.models)
    assert [call["purpose"] for call in result.calls] == [PRECISION]
