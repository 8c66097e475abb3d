"""Several judge models, or one that is asked repeatedly: from the options of a call to what stands on the ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.errors import JudgeModelError
from glassbox.models.registry import Registry
from glassbox.verification import verify_bundle
from tests.support.judge_server import Fail, JudgeServer
from tests.support.reading_judge import name_of, reading
from tests.unit.adapters.test_runner_judge_model import ASKING, Bench, comparable

THREE = "openai:one,openai:two,openai:three"


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The bundled models, opened once for all evaluations here."""
    return Registry()


@pytest.fixture
def bench(registry: Registry, tmp_path: Path) -> Bench:
    return Bench(registry, tmp_path / "home")


def member(name: str, answer: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    """An endpoint of several models, one of which answers in a way of its own."""
    return lambda payload: answer(payload) if payload["model"] == name else reading(payload)


def contrary(payload: dict[str, Any]) -> Any:
    """Call every passage the opposite of what a reading judge calls it."""
    said = json.dumps(reading(payload))
    if not name_of(payload).startswith("contextual_precision"):
        return said
    return said.replace('"yes"', '"?"').replace('"no"', '"yes"').replace('"?"', '"no"')


def test_a_jury_votes_and_stands_in_policy_scorecard_and_bundle(bench: Bench) -> None:
    with JudgeServer(member("three", contrary)) as server:
        outcome = bench.run(server, jury=THREE)
    content = outcome.envelope["content"]
    named = set(content["policy"]["judge_models"].values())
    assert len(named) == 1
    assert next(iter(named)).startswith("jury:3:")
    precision = outcome.scorecard["judges"]["contextual_precision"]["measurements"][0]
    assert precision["value"] == 1.0, "two of three call the first passage relevant and the second not"
    assert [m["judge"] for m in precision["detail"]["jury"]["members"]] == THREE.split(",")
    assert precision["detail"]["jury"]["sigma"] > 0
    calls = [call for judge in ASKING for call in content["results"][judge]["calls"]]
    assert {call["model"] for call in calls} == {"one", "two", "three"}
    assert outcome.scorecard["usage"]["llm_calls"] == len(calls)
    assert verify_bundle(outcome.envelope, scorecard=outcome.scorecard).findings == []


def test_a_member_that_fails_is_left_out_and_named(bench: Bench) -> None:
    with JudgeServer(member("two", lambda _: Fail(401))) as server:
        outcome = bench.run(server, jury=THREE)
    members = outcome.scorecard["judges"]["contextual_precision"]["measurements"][0]["detail"]["jury"]["members"]
    assert [m["error"] for m in members] == [None, "auth", None]
    assert members[1]["score"] is None


def test_a_jury_that_mostly_fails_judges_nothing(bench: Bench) -> None:
    with (
        JudgeServer(lambda p: reading(p) if p["model"] == "one" else Fail(401)) as server,
        pytest.raises(JudgeModelError),
    ):
        bench.run(server, jury=THREE)
    assert bench.stored("bundle") == []


def test_repeats_show_how_far_one_model_scatters(bench: Bench) -> None:
    with JudgeServer(reading) as server:
        outcome = bench.run(server, repeats=3)
    assert outcome.envelope["content"]["policy"]["judge_models"] == dict.fromkeys(
        ASKING, "openai:judge-small;repeats:3"
    )
    for judge in ASKING:
        detail = outcome.scorecard["judges"][judge]["measurements"][0]["detail"]
        assert detail["stability"]["openai:judge-small"]["sigma"] == 0.0
        assert len(detail["stability"]["openai:judge-small"]["scores"]) == 3
    seeds = [
        call["seed"]
        for call in outcome.envelope["content"]["results"]["contextual_precision"]["calls"]
        if call["purpose"] == "contextual_precision.verdicts"
    ]
    assert len(set(seeds)) == 3
    assert verify_bundle(outcome.envelope, scorecard=outcome.scorecard).findings == []


def test_how_often_it_is_asked_and_by_which_consensus_are_evaluations_of_their_own(bench: Bench) -> None:
    with JudgeServer(reading) as server:
        ways: list[dict[str, Any]] = [
            {},
            {"repeats": 2},
            {"jury": THREE},
            {"jury": THREE, "consensus": "median"},
            {"consensus": "median"},
        ]
        ids = [bench.run(server, **way).scorecard["evaluation_id"] for way in ways]
    assert len(set(ids)) == 4
    assert ids[0] == ids[4], "one model's scores need no consensus"


def test_a_jury_with_repeats_is_replayed_and_run_again(bench: Bench, tmp_path: Path) -> None:
    cassettes = tmp_path / "cassettes"
    with JudgeServer(member("three", contrary)) as server:
        recorded = bench.run(server, jury=THREE, repeats=2, record=cassettes)
    replayed = bench.run(None, repeats=2, replay=cassettes, home=tmp_path / "other")
    assert comparable(replayed) == comparable(recorded)
    again = verify_bundle(
        recorded.envelope, models=bench.registry, recorded=LocalJudgeModel(Asking(replay=cassettes), {})
    )
    assert again.findings == []
    assert not any("judge model" in gap for gap in again.not_checked)
