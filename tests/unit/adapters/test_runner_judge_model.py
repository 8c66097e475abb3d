"""An evaluation that asks a judge model, from request to ledger: nothing half-done, nothing mixed, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.adapters.local.runner import ATTENTION, LocalRunner, Outcome
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import compile_policy
from glassbox.errors import JudgeModelError
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.models.registry import Registry
from glassbox.settings import Settings
from glassbox.verification import verify_bundle
from tests.support.judge_server import Fail, Hang, JudgeServer
from tests.support.reading_judge import name_of, reading

ASKING = ("contextual_precision", "semantic_faithfulness")
POLICY = compile_policy({"name": "asking", "extends": "default", "disable": ["structural_fidelity"]})
REQUEST = {
    "query": "Who opened the bridge over the Sarn, and when?",
    "answer": "The mayor opened the bridge over the Sarn. It was opened in May 1931.",
    "retrieved_passages": [
        "The mayor opened the bridge over the Sarn, and a band played. It was opened in May 1931.",
        "Ferries crossed the Sarn at two places before that.",
    ],
}
REFUSED = {**REQUEST, "answer": "I'm sorry, I can't answer that from the documents."}


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The bundled models, opened once for all evaluations here."""
    return Registry()


class Bench:
    """Runs evaluations against an endpoint, each in a runner of its own."""

    def __init__(self, registry: Registry, home: Path) -> None:
        self.registry = registry
        self.home = home
        self.env = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "judge-small", "GLASSBOX_LLM_ATTEMPTS": "1"}

    def run(
        self,
        server: JudgeServer | None,
        request: Any = None,
        *,
        home: Path | None = None,
        **how: Any,
    ) -> Outcome:
        more = how.pop("env", {})
        if server is not None:
            more = {"GLASSBOX_LLM_BASE_URL": server.url, **more}
        model = LocalJudgeModel(Asking(**how), {**self.env, **more} if server is not None else {})
        runner = LocalRunner(Settings.from_env({}, home=home or self.home), judge_model=model)
        runner.__dict__["registry"] = self.registry
        try:
            return runner.evaluate(request_from(request or REQUEST), POLICY)
        finally:
            runner.close()

    def stored(self, name: str, home: Path | None = None) -> list[str]:
        folder = (home or self.home) / "evaluations"
        return sorted(path.parent.name for path in folder.glob(f"*/{name}.json"))


@pytest.fixture
def bench(registry: Registry, tmp_path: Path) -> Bench:
    return Bench(registry, tmp_path / "home")


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(reading) as server:
        yield server


def asked(server: JudgeServer) -> list[str]:
    """What the endpoint was asked for, in order."""
    return [name_of(seen.payload) for seen in server.seen]


def away(payload: dict[str, Any]) -> Any:
    """A model that answers the first judge, and is gone when the second one asks."""
    return Fail(503) if name_of(payload).startswith("faithfulness") else reading(payload)


def test_the_scorecard_says_who_judged_what_it_used_and_under_which_policy(bench: Bench, server: JudgeServer) -> None:
    outcome = bench.run(server)
    card, content = outcome.scorecard, outcome.envelope["content"]
    assert content["engine"] == "llm"
    assert content["policy"]["judge_models"] == dict.fromkeys(ASKING, "openai:judge-small")
    assert card["policy"]["digest"] not in (POLICY.digest,)
    assert [card["judges"][j]["judge_model"] for j in ASKING] == ["openai:judge-small"] * 2
    calls = [call for judge in ASKING for call in content["results"][judge]["calls"]]
    assert len(calls) == len(server.seen) == card["usage"]["llm_calls"] == 6
    assert card["usage"]["input_tokens"] == 600
    assert card["usage"]["output_tokens"] == 120
    assert card["usage"]["cost_usd"] is None
    assert card["usage"]["price_table"] == calls[0]["price_table"]
    faithfulness = card["judges"]["semantic_faithfulness"]["measurements"][0]
    assert (faithfulness["num"], faithfulness["den"]) == (2, 2)
    assert all(item["quote"] in REQUEST["retrieved_passages"][item["passage"]] for item in faithfulness["evidence"])


def test_what_was_committed_is_intact_and_a_changed_call_or_sum_is_found(bench: Bench, server: JudgeServer) -> None:
    outcome = bench.run(server)
    with EmbeddedLedger(bench.home / "ledger.sqlite", read_only=True) as ledger:
        sound = verify_bundle(outcome.envelope, ledger=ledger, scorecard=outcome.scorecard)
        assert sound.findings == []
        cheaper = {**outcome.scorecard, "usage": {**outcome.scorecard["usage"], "cost_usd": 0.0}}
        assert [f.path for f in verify_bundle(outcome.envelope, ledger=ledger, scorecard=cheaper).findings] == [
            "/scorecard/usage/cost_usd"
        ]
        call = outcome.envelope["content"]["results"]["contextual_precision"]["calls"][0]
        call["model"] = "judge-large"
        paths = [f.path for f in verify_bundle(outcome.envelope, ledger=ledger).findings]
    assert "/content/results/contextual_precision/calls/0/model" in paths


def test_a_judge_model_that_goes_away_leaves_what_was_judged_and_the_next_call_goes_on(bench: Bench) -> None:
    with JudgeServer(away) as server, pytest.raises(JudgeModelError) as caught:
        bench.run(server)
    assert caught.value.retryable
    assert bench.stored("judge.contextual_precision") == bench.stored(ATTENTION) != []
    assert bench.stored("judge.semantic_faithfulness") == bench.stored("bundle") == []
    with JudgeServer(reading) as server:
        outcome = bench.run(server)
        assert not any(name.startswith("contextual_precision") for name in asked(server))
    assert outcome.scorecard["usage"]["llm_calls"] == 6
    assert bench.stored(ATTENTION) == []


def test_another_judge_model_makes_another_evaluation_and_takes_nothing_of_the_first(bench: Bench) -> None:
    with JudgeServer(away) as server, pytest.raises(JudgeModelError):
        bench.run(server)
    with JudgeServer(reading) as server:
        other = bench.run(server, env={"GLASSBOX_LLM_MODEL": "judge-large"})
        assert any(name.startswith("contextual_precision") for name in asked(server))
    models = {c["model"] for r in other.envelope["content"]["results"].values() for c in r["calls"]}
    assert models == {"judge-large"}
    assert len(bench.stored("intake")) == 2
    assert bench.stored("scorecard") == [other.scorecard["evaluation_id"]]


def test_a_judge_never_asks_another_model_than_the_evaluation_is_bound_to(registry: Registry) -> None:
    bound = POLICY.with_judge_model(ASKING, "openai:judge-small;repeats:2")
    for model, fits in (("judge-small", True), ("judge-large", False)):
        env = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": model, "GLASSBOX_LLM_BASE_URL": "http://127.0.0.1:9/v1"}
        tools = LocalJudgeModel(Asking(), env).tools(registry, b"salt" * 8)
        if fits:
            assert tools.asked(bound, ASKING[0]) is not None
            continue
        with pytest.raises(JudgeModelError, match="bound to the judge model openai:judge-small") as caught:
            tools.asked(bound, ASKING[0])
        assert not caught.value.retryable


def test_a_committed_evaluation_is_shown_again_without_a_call(bench: Bench, server: JudgeServer) -> None:
    first = bench.run(server)
    before = len(server.seen)
    again = bench.run(server)
    assert (again.already, again.scorecard, len(server.seen)) == (True, first.scorecard, before)


@pytest.mark.parametrize(
    "request_",
    [REFUSED, {**REQUEST, "answer": " "}, {**REQUEST, "retrieved_passages": []}],
    ids=["refusal", "blank", "none"],
)
def test_what_the_ledger_demands_of_the_engine_holds_where_little_or_nothing_was_asked(
    bench: Bench, server: JudgeServer, request_: Any
) -> None:
    outcome = bench.run(server, request_)
    assert outcome.scorecard["ledger"]["block"] > 0
    assert not any(name.startswith("faithfulness") for name in asked(server))


def comparable(outcome: Outcome) -> dict[str, Any]:
    """What two runs of one evaluation have in common."""
    own = {"evaluation_id", "created_at", "evidence", "ledger", "usage", "session_id"}
    usage = {k: v for k, v in outcome.scorecard["usage"].items() if k != "duration_ms"}
    return {**{k: v for k, v in outcome.scorecard.items() if k not in own}, "usage": usage}


def test_a_replay_gives_the_same_scorecard_and_the_same_calls_without_model_key_or_configuration(
    bench: Bench, tmp_path: Path
) -> None:
    with JudgeServer(reading) as server:
        recorded = bench.run(server, record=tmp_path / "cassettes")
    replayed = bench.run(None, replay=tmp_path / "cassettes", home=tmp_path / "other")
    assert comparable(replayed) == comparable(recorded)
    assert replayed.envelope["content"]["salt"] != recorded.envelope["content"]["salt"]
    for judge in ASKING:
        one, two = (o.envelope["content"]["results"][judge]["calls"] for o in (recorded, replayed))
        assert one == two


def test_a_question_that_was_not_recorded_ends_the_replay(bench: Bench, tmp_path: Path) -> None:
    with JudgeServer(reading) as server:
        bench.run(server, record=tmp_path / "cassettes")
    other = {**REQUEST, "query": "Who closed the bridge over the Sarn?"}
    with pytest.raises(JudgeModelError) as caught:
        bench.run(None, other, replay=tmp_path / "cassettes", home=tmp_path / "other")
    assert not caught.value.retryable
    assert bench.stored("bundle", tmp_path / "other") == []


def test_recorded_answers_let_anybody_run_the_judges_again(bench: Bench, tmp_path: Path) -> None:
    with JudgeServer(reading) as server:
        outcome = bench.run(server, record=tmp_path / "cassettes")
    recorded = LocalJudgeModel(Asking(replay=tmp_path / "cassettes"), {})
    again = verify_bundle(outcome.envelope, models=bench.registry, recorded=recorded)
    assert again.findings == []
    assert any("recorded answers" in check for check in again.checks)
    assert not any("judge model" in gap for gap in again.not_checked)
    evidence = outcome.envelope["content"]["results"]["semantic_faithfulness"]["measurements"]
    evidence[1]["micros"] = 999_999
    found = verify_bundle(outcome.envelope, models=bench.registry, recorded=recorded).findings
    assert any(f.code == "recompute" for f in found)


def test_the_time_of_an_evaluation_is_bounded(bench: Bench) -> None:
    # Without the bound this would wait for 20 attempts of 30 seconds.
    with JudgeServer(lambda _: Hang(30)) as server, pytest.raises(JudgeModelError) as caught:
        bench.run(server, timeout=0.6, env={"GLASSBOX_LLM_ATTEMPTS": "20"})
    assert caught.value.retryable


def muttering(payload: dict[str, Any]) -> Any:
    """A model that finds the claims of an answer, and then says nothing usable about them."""
    return "well, well" if name_of(payload) == "faithfulness_verdicts" else reading(payload)


def tokens(*servers: JudgeServer) -> tuple[int, int]:
    """What the endpoints charged: each reply the same."""
    replies = sum(len(server.seen) for server in servers)
    return 100 * replies, 20 * replies


def told_of(usage: Any) -> tuple[int, int]:
    return usage["input_tokens"], usage["output_tokens"]


@pytest.mark.parametrize("recorded", [False, True], ids=["asked", "recorded"])
def test_every_token_is_told_of_where_a_judge_ends_in_an_error_and_goes_on(
    bench: Bench, tmp_path: Path, recorded: bool
) -> None:
    how: dict[str, Any] = {"record": tmp_path / "cassettes"} if recorded else {}
    env = {"GLASSBOX_LLM_ATTEMPTS": "3"}
    with JudgeServer(muttering) as first, pytest.raises(JudgeModelError) as caught:
        bench.run(first, env=env, **how)
    assert caught.value.spent is not None
    assert told_of(caught.value.spent) == tokens(first)
    assert caught.value.problem()["spent"] == caught.value.spent
    with JudgeServer(muttering) as second, pytest.raises(JudgeModelError) as caught:
        bench.run(second, env=env, **how)
    assert told_of(caught.value.spent) == tokens(first, second)
    with JudgeServer(reading) as third:
        outcome = bench.run(third, env=env, **how)
    assert told_of(outcome.scorecard["usage"]) == tokens(first, second, third)
    lost = outcome.envelope["content"]["results"]["semantic_faithfulness"]["lost"]
    assert [told["error"] for told in lost if told["error"]] == ["invalid_json"] * 2
    assert "lost" not in outcome.envelope["content"]["results"]["contextual_precision"]
    assert "Sarn" not in str(lost)
    with EmbeddedLedger(bench.home / "ledger.sqlite", read_only=True) as ledger:
        assert verify_bundle(outcome.envelope, ledger=ledger, scorecard=outcome.scorecard).findings == []


def test_a_model_that_nobody_reaches_cost_nothing(bench: Bench) -> None:
    with JudgeServer(lambda _: Fail(503)) as server, pytest.raises(JudgeModelError) as caught:
        bench.run(server)
    assert caught.value.spent is None
    assert "spent" not in caught.value.problem()
