"""What an evaluation used: sums that are never smaller than the truth."""

from __future__ import annotations

from typing import Any

from glassbox.contract.measurement import JudgeResult
from glassbox.scorecard.usage import usage_of

PRICES = "sha256:" + "5e" * 32


def judged(*calls: dict[str, Any]) -> JudgeResult:
    return JudgeResult(judge="j", question="q", engine="llm" if calls else "local", measurements=(), calls=calls)


def call(tokens: int | None, cost: float | None, table: str = PRICES) -> dict[str, Any]:
    return {"input_tokens": tokens, "output_tokens": tokens, "cost_usd": cost, "price_table": table}


def test_without_a_judge_model_nothing_was_used_and_no_prices_applied() -> None:
    assert usage_of([judged()], 12) == {
        "llm_calls": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost_usd": 0.0,
        "price_table": None,
        "duration_ms": 12,
    }


def test_calls_of_all_judges_are_summed_without_a_digit_of_dust() -> None:
    usage = usage_of([judged(call(10, 0.1), call(5, 0.2)), judged(call(1, 0.3))], 0)
    assert (usage["llm_calls"], usage["input_tokens"], usage["cost_usd"]) == (3, 16, 0.6)
    assert usage["price_table"] == PRICES


def test_what_one_call_does_not_know_makes_its_sum_unknown_and_no_other() -> None:
    usage = usage_of([judged(call(None, 0.1), call(5, 0.2))], 0)
    assert (usage["input_tokens"], usage["cost_usd"]) == (None, 0.3)
    assert usage_of([judged(call(5, None), call(5, 0.2))], 0)["cost_usd"] is None


def test_two_price_tables_in_one_evaluation_have_no_common_digest() -> None:
    usage = usage_of([judged(call(1, 0.1), call(1, 0.1, "sha256:" + "00" * 32))], 0)
    assert usage["price_table"] is None


def test_what_was_paid_for_and_gave_nothing_is_in_the_sums() -> None:
    ended = call(7, 0.07) | {"error": "truncated"}
    of_a_run_that_broke = call(2, 0.02) | {"error": None}
    used = usage_of([judged(call(10, 0.1)).model_copy(update={"lost": (ended, of_a_run_that_broke)})], 0)
    assert (used["llm_calls"], used["input_tokens"], used["cost_usd"]) == (2, 19, 0.19)
    assert used["price_table"] == PRICES


def test_a_result_without_lost_questions_reads_and_is_written_as_before() -> None:
    assert "lost" not in judged(call(1, 0.1)).model_dump(mode="json")
    assert JudgeResult.model_validate(judged().model_dump(mode="json")).lost == ()
