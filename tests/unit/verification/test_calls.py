"""Calls of a judge model in a bundle: what can be checked about them is, and what can't is said."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from glassbox.contract.served import is_another
from glassbox.contract.spending import COSTS
from glassbox.verification import verify_bundle
from glassbox.verification.calls import check_calls
from glassbox.verification.findings import Verification
from tests.unit.report import factory
from tests.unit.report.calls import CALLS, call, envelope, usage

SOUND = envelope()
SCORECARD = {**SOUND["core"], "usage": usage(SOUND), "ledger": factory.LEDGER}


def findings(made: dict[str, Any], scorecard: dict[str, Any] | None = None) -> list[str]:
    verification = Verification("x")
    check_calls(made["content"], scorecard, verification)
    return [f.path for f in verification.findings]


def test_sound_calls_and_their_sums_are_checked_and_nothing_is_found() -> None:
    assert findings(SOUND, SCORECARD) == []
    verification = Verification("x")
    check_calls(SOUND["content"], SCORECARD, verification)
    assert any("judge model" in check for check in verification.checks)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("prompt_digest", "sha256:short"),
        ("schema_digest", None),
        ("reply_digest", 17),
        ("price_table", "md5:" + "0" * 64),
        ("purpose", "Tell me <b>more</b>"),
        ("attempts", 0),
        ("repaired", "no"),
        ("input_tokens", -1),
        ("output_tokens", 1.5),
        ("cost_usd", -0.1),
        ("duration_ms", None),
    ],
)
def test_a_member_that_no_call_can_have_is_named(member: str, value: Any) -> None:
    made = envelope({"contextual_precision": [call("contextual_precision.verdicts", 1) | {member: value}]})
    assert findings(made) == [f"/content/results/contextual_precision/calls/0/{member}"]


def test_a_member_that_is_missing_is_named() -> None:
    made = copy.deepcopy(SOUND)
    del made["content"]["results"]["semantic_faithfulness"]["calls"][1]["prompt_digest"]
    assert findings(made) == ["/content/results/semantic_faithfulness/calls/1/prompt_digest"]


def test_a_call_of_another_model_than_the_policy_names_is_found() -> None:
    made = envelope({"contextual_precision": [call("contextual_precision.verdicts", 1, model="judge-large")]})
    assert findings(made) == ["/content/results/contextual_precision/calls/0/model"]


def test_calls_of_a_judge_that_asked_nobody_are_found() -> None:
    made = copy.deepcopy(factory.envelope())
    made["content"]["results"]["structural_fidelity"]["calls"] = CALLS["contextual_precision"]
    assert "/content/results/structural_fidelity/calls" in findings(made)


@pytest.mark.parametrize("member", ["llm_calls", "input_tokens", "output_tokens", "cost_usd", "price_table"])
def test_a_usage_that_the_calls_do_not_sum_to_is_found(member: str) -> None:
    changed = {**SCORECARD, "usage": {**SCORECARD["usage"], member: 1}}
    assert findings(SOUND, changed) == [f"/scorecard/usage/{member}"]


def test_the_time_it_took_follows_from_nothing_and_is_not_compared() -> None:
    assert findings(SOUND, {**SCORECARD, "usage": {**SCORECARD["usage"], "duration_ms": 1}}) == []


def test_a_scorecard_from_before_price_tables_is_still_intact() -> None:
    made = factory.envelope()
    old = {**made["core"], "usage": {k: v for k, v in factory.USAGE.items() if k != "price_table"}}
    assert findings(made, old) == []


def test_the_whole_verification_says_that_the_judge_model_is_not_asked_again() -> None:
    class NoModels:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    made = copy.deepcopy(SOUND)
    for name in ("structural_fidelity",):
        made["content"]["results"][name]["engine"] = "llm"
    verification = verify_bundle(made, models=NoModels())  # type: ignore[arg-type]
    told = [gap for gap in verification.not_checked if "judge model said" in gap]
    assert len(told) == 3
    assert all("--replay" in gap for gap in told)


LOST = {
    **{name: call("faithfulness.verdicts", 1)[name] for name in COSTS},
    "error": "truncated",
}


def with_lost(**changes: Any) -> dict[str, Any]:
    made = copy.deepcopy(SOUND)
    made["content"]["results"]["semantic_faithfulness"]["lost"] = [LOST | changes]
    return made


def test_questions_that_gave_nothing_are_part_of_the_sum() -> None:
    made = with_lost()
    assert findings(made, {**SCORECARD, "usage": usage(made)}) == []
    assert findings(made, SCORECARD) == [
        f"/scorecard/usage/{name}" for name in ("cost_usd", "input_tokens", "output_tokens")
    ]


@pytest.mark.parametrize(
    ("member", "value"), [("input_tokens", -1), ("cost_usd", "free"), ("error", "said: <b>"), ("model", "another")]
)
def test_a_member_that_no_lost_question_can_have_is_named(member: str, value: Any) -> None:
    assert f"/content/results/semantic_faithfulness/lost/0/{member}" in findings(with_lost(**{member: value}))


def test_another_model_than_the_one_that_was_asked_is_a_warning_and_no_difference() -> None:
    made = envelope({"contextual_precision": [call("contextual_precision.verdicts", 1, served_model="small\x1b[2J")]})
    verification = Verification("x")
    check_calls(made["content"], None, verification)
    assert verification.verdict == "intact"
    [warning] = verification.warnings
    assert "judge-small" in warning
    assert "\x1b" not in warning
    assert verification.to_json()["warnings"] == [warning]


def test_a_dated_release_of_the_model_that_was_asked_is_none_other() -> None:
    verification = Verification("x")
    check_calls(SOUND["content"], SCORECARD, verification)
    assert verification.warnings == []


@pytest.mark.parametrize(
    ("asked", "served", "other"),
    [
        ("gpt-4o", "gpt-4o", False),
        ("gpt-4o", "gpt-4o-2024-08-06", False),
        ("gpt-4", "gpt-4-0613", False),
        ("qwen2", "Qwen/Qwen2", False),
        ("qwen2", "qwen2:latest", False),
        ("gpt-4", "gpt-4.1", True),
        ("gpt-4o", "gpt-4o-mini", True),
        ("gpt-4o-mini", "gpt-4o", True),
        ("llama-3", "llama-3-70b", True),
        ("my-deployment", "gpt-4o", True),
    ],
)
def test_what_counts_as_another_model(asked: str, served: str, other: bool) -> None:
    assert is_another(asked, served) is other
