"""Judge 1 as a whole, with the bundled embedder."""

from __future__ import annotations

import pytest

from glassbox.contract.measurement import Status
from glassbox.judges.contextual_precision import judge
from glassbox.judges.tools import Tools

from .support import Models, codes, policy, request, tools, value

FERRY = "The ferry to Norrholm leaves from pier 4 every morning at seven."
FERRY_PRICE = "A return ticket for the Norrholm ferry costs 24 euros for adults."
BEES = "Bees keep the temperature of their hive close to 35 degrees."
PAINT = "The cathedral's ceiling was painted again after the fire of 1811."
QUESTION = "When does the ferry to Norrholm leave?"
ANSWER = "The ferry leaves at seven every morning."


def test_the_relevant_passage_first_gives_one() -> None:
    result = judge(request(QUESTION, ANSWER, [FERRY, BEES, PAINT]), policy(), tools())
    precision = value(result, "contextual_precision")
    assert (precision.bits, precision.micros) == ("100", 1_000_000)
    assert result.engine == "local" and len(result.models) == 1


def test_the_relevant_passage_second_of_two_gives_a_half() -> None:
    result = judge(request(QUESTION, ANSWER, [BEES, FERRY]), policy(), tools())
    assert (value(result, "contextual_precision").bits, value(result, "contextual_precision").micros) == ("01", 500_000)
    assert value(result, "reciprocal_rank").micros == 500_000
    assert value(result, "share_relevant").micros == 500_000


def test_no_relevant_passage_gives_zero() -> None:
    result = judge(request(QUESTION, ANSWER, [BEES, PAINT]), policy(), tools())
    assert value(result, "contextual_precision").micros == 0
    assert value(result, "reciprocal_rank").micros == 0


def test_copies_are_judged_once_counted_at_every_rank_and_reported() -> None:
    result = judge(request(QUESTION, ANSWER, [FERRY, FERRY, f"[doc-2] {FERRY}", BEES]), policy(), tools())
    precision = value(result, "contextual_precision")
    assert precision.bits == "1110" and precision.micros == 1_000_000
    assert [e.get("duplicate_of") for e in precision.evidence] == [None, 0, 0, None]
    assert precision.detail["unique_bits"] == "10"
    assert codes(result) == ["duplicate_passages"]


@pytest.mark.parametrize("passages", [[], ["   ", "\n\t"]])
def test_without_context_nothing_applies_and_no_model_is_opened(passages: list[str]) -> None:
    models = Models()
    result = judge(request(QUESTION, ANSWER, passages), policy(), Tools(models=models))
    assert {(m.status, m.reason) for m in result.measurements} == {(Status.NOT_APPLICABLE, "no_context")}
    assert models.opened == [] and result.engine is None


@pytest.mark.parametrize("answer", ["", " \n "])
def test_an_empty_answer_makes_everything_not_applicable(answer: str) -> None:
    models = Models()
    result = judge(request(QUESTION, answer, [FERRY]), policy(), Tools(models=models))
    assert {(m.status, m.reason) for m in result.measurements} == {(Status.NOT_APPLICABLE, "empty_answer")}
    assert models.opened == []


def test_a_blank_passage_keeps_its_rank_and_is_not_relevant() -> None:
    result = judge(request(QUESTION, ANSWER, [" ", FERRY]), policy(), tools())
    assert value(result, "contextual_precision").bits == "01"


def test_the_expected_answer_is_the_reference_where_there_is_one() -> None:
    wrong = "It never leaves, because the harbour is closed."
    own = judge(request(QUESTION, wrong, [FERRY]), policy(), tools())
    expected = judge(request(QUESTION, wrong, [FERRY], expected_answer=ANSWER), policy(), tools())
    assert value(own, "contextual_precision").detail["reference_mode"] == "answer"
    assert value(expected, "contextual_precision").detail["reference_mode"] == "expected"
    assert "reference:expected" in value(expected, "contextual_precision").signature


def test_a_refusal_is_no_reference() -> None:
    result = judge(request(QUESTION, "I could not find that in the documents.", [FERRY]), policy(), tools())
    assert value(result, "contextual_precision").detail["reference_mode"] == "query"
    assert value(result, "contextual_precision").bits == "1"


def test_scores_in_the_right_order_agree_and_reversed_ones_do_not() -> None:
    texts = [FERRY, FERRY_PRICE, BEES]
    right = [{"text": t, "score": s} for t, s in zip(texts, (27.5, 14.0, 0.3), strict=True)]
    wrong = [{"text": t, "score": s} for t, s in zip(texts, (-9.0, -4.0, -1.0), strict=True)]
    agreed = judge(request(QUESTION, ANSWER, right), policy(), tools())
    opposed = judge(request(QUESTION, ANSWER, wrong), policy(), tools())
    assert value(agreed, "rank_agreement").micros == 1_000_000
    assert value(opposed, "rank_agreement").micros == 0
    assert (value(agreed, "distribution_agreement").micros or 0) > 800_000
    assert (value(opposed, "distribution_agreement").micros or 0) < 400_000
    assert value(agreed, "mean_similarity").reason == "scores_reported"


@pytest.mark.parametrize(
    ("scores", "rank", "distribution"),
    [
        ([0.5, 0.5, 0.5], "equal_scores", "equal_scores"),
        ([0.9, 0.1, None], "too_few_scores", "too_few_scores"),
        ([0.9, None, None], "too_few_scores", "too_few_scores"),
        ([None, None, None], "no_scores", "no_scores"),
    ],
)
def test_scores_that_say_nothing_are_no_calibration(scores: list[float | None], rank: str, distribution: str) -> None:
    passages = [{"text": t, "score": s} for t, s in zip((FERRY, FERRY_PRICE, BEES), scores, strict=True)]
    result = judge(request(QUESTION, ANSWER, passages), policy(), tools())
    assert value(result, "rank_agreement").reason == rank
    assert value(result, "distribution_agreement").reason == distribution


def test_without_any_score_the_mean_similarity_stands_in() -> None:
    near = judge(request(QUESTION, ANSWER, [FERRY]), policy(), tools())
    mixed = judge(request(QUESTION, ANSWER, [FERRY, BEES]), policy(), tools())
    far = judge(request(QUESTION, ANSWER, [BEES]), policy(), tools())
    values = [value(result, "mean_similarity").micros or 0 for result in (far, mixed, near)]
    assert values == sorted(values) and values[0] < 100_000 and values[2] > 800_000
    assert "basis:similarity-only" in value(near, "mean_similarity").signature


def test_retrieved_entities_are_looked_up_under_their_short_and_long_forms() -> None:
    passages = ["The Port Authority of Norrholm (PAN) runs the ferry since 3 March 2021.", BEES]
    asked = ["PAN", "port authority of Norrholm", "2021-03-03", "Queen Ingrid"]
    result = judge(request(QUESTION, ANSWER, passages, retrieved_entities=asked), policy(), tools())
    rate = value(result, "entity_hit_rate")
    assert (rate.num, rate.den) == (3, 4)
    assert [e["found"] for e in rate.evidence] == [True, True, True, False]


def test_no_retrieved_entities_is_no_hit_rate() -> None:
    for more in ({}, {"retrieved_entities": []}, {"retrieved_entities": [" "]}):
        result = judge(request(QUESTION, ANSWER, [FERRY], **more), policy(), tools())
        assert value(result, "entity_hit_rate").reason == "no_retrieved_entities"


def test_what_the_policy_switches_off_is_skipped() -> None:
    off = policy(disable=["contextual_precision/retrieval_calibration"])
    result = judge(request(QUESTION, ANSWER, [FERRY]), off, tools())
    parts = ("rank_agreement", "distribution_agreement", "entity_hit_rate", "mean_similarity")
    assert {value(result, name).status for name in parts} == {Status.SKIPPED}
    assert value(result, "contextual_precision").status is Status.SCORED


def test_another_language_is_decided_by_words_or_not_at_all() -> None:
    passage = "Łódź na wyspę odpływa z czwartego pomostu codziennie o siódmej rano."
    near = judge(
        request("Kiedy odpływa łódź na wyspę?", "Łódź odpływa codziennie o siódmej rano.", [passage]), policy(), tools()
    )
    assert value(near, "contextual_precision").bits == "1"
    assert value(near, "mean_similarity").reason == "language"
    assert codes(near) == ["language_unmeasured"]
    half = judge(
        request("Kiedy odpływa łódź?", "Łódź odpływa dopiero wieczorem po zachodzie słońca.", [passage]),
        policy(),
        tools(),
    )
    assert value(half, "contextual_precision").status is Status.INCONCLUSIVE


def test_two_hundred_passages_are_all_judged() -> None:
    passages = [f"{BEES} Hive number {i} was opened on day {i}." for i in range(199)] + [FERRY]
    result = judge(request(QUESTION, ANSWER, passages), policy(), tools())
    assert value(result, "contextual_precision").bits == "0" * 199 + "1"


def test_equal_requests_give_equal_bytes() -> None:
    made = request(QUESTION, ANSWER, [FERRY, BEES, FERRY_PRICE], retrieved_entities=["Norrholm"])
    assert judge(made, policy(), tools()).model_dump_json() == judge(made, policy(), tools()).model_dump_json()
