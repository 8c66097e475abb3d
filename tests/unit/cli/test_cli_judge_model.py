"""A judge model from the command line, against a scripted endpoint: what a user types, meets and reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.support.judge_server import Fail, Hang, JudgeServer, obedient
from tests.support.reading_judge import name_of, reading
from tests.unit.cli.test_cli import as_json, run

REQUEST = {
    "query": "Who opened the bridge over the Sarn, and when?",
    "answer": "The mayor opened the bridge over the Sarn. It was opened in May 1931.",
    "retrieved_passages": [
        "The mayor opened the bridge over the Sarn, and a band played. It was opened in May 1931.",
        "Ferries crossed the Sarn at two places before that.",
    ],
}
POLICY = {"name": "asking", "extends": "default", "disable": ["structural_fidelity"]}


def configured(server: JudgeServer, **more: str) -> dict[str, str]:
    base = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "judge-small", "GLASSBOX_LLM_BASE_URL": server.url}
    return {**base, "GLASSBOX_LLM_API_KEY": "sk-canary", **more}


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str, ...]:
    """Arguments that evaluate one request by the two judges that ask a judge model."""
    (tmp_path / "request.json").write_text(json.dumps(REQUEST), "utf-8")
    (tmp_path / "policy.json").write_text(json.dumps(POLICY), "utf-8")
    return ("evaluate", str(tmp_path / "request.json"), "--policy", str(tmp_path / "policy.json"))


def away(payload: dict[str, Any]) -> Any:
    """A model that answers the first judge, and is gone when the second one asks."""
    return Fail(503) if name_of(payload).startswith("faithfulness") else reading(payload)


def test_an_evaluation_fails_halfway_goes_on_is_replayed_and_verified(tmp_path: Path, asked: tuple[str, ...]) -> None:
    home, cassettes = tmp_path / "home", tmp_path / "cassettes"
    keeping = (*asked, "--record", str(cassettes), "--json")
    with JudgeServer(away) as server:
        broken = run(*keeping, home=home, **configured(server, GLASSBOX_LLM_ATTEMPTS="1"))
    assert broken.returncode == 1
    assert "What was judged is kept: the same command goes on from there" in broken.stderr
    problem = as_json(broken)["error"]
    assert (problem["type"], problem["retryable"]) == ("urn:glassbox:problem:judge-model", True)

    with JudgeServer(reading) as server:
        done = run(*keeping, home=home, **configured(server))
        assert not any(name_of(seen.payload).startswith("contextual") for seen in server.seen)
    recorded = as_json(done)
    assert recorded["usage"]["llm_calls"] == 6
    another = "the judge model judge-small was asked, and the endpoint says that served-judge-1 answered"
    assert done.stderr.count(another) == 1

    replay = run(*asked, "--replay", str(cassettes), "--json", home=tmp_path / "other")
    repeated = as_json(replay)
    assert replay.returncode == done.returncode
    for same in ("judges", "trust_score", "decision", "states", "flags", "policy"):
        assert repeated[same] == recorded[same]
    own = {"duration_ms": 0}
    assert {**repeated["usage"], **own} == {**recorded["usage"], **own}

    verified = run("verify", recorded["evaluation_id"], home=home)
    assert verified.returncode == 0
    assert "checked: calls of the judge model" in verified.stdout
    assert "the endpoint says that 'served-judge-1' answered" in verified.stdout


def test_what_a_failed_evaluation_cost_is_said_at_its_end(tmp_path: Path, asked: tuple[str, ...]) -> None:
    def muttering(payload: dict[str, Any]) -> Any:
        return "well, well" if name_of(payload) == "faithfulness_verdicts" else reading(payload)

    with JudgeServer(muttering) as server:
        broken = run(*asked, home=tmp_path / "home", **configured(server, GLASSBOX_LLM_ATTEMPTS="2"))
        replies = len(server.seen)
    assert broken.returncode == 1
    spent = f"{replies - 2} calls, {100 * replies} tokens in, {20 * replies} out, cost unknown"
    assert f"Spent on the judge model until then: {spent}\n" in broken.stderr


def test_check_says_in_plain_words_what_works(tmp_path: Path) -> None:
    with JudgeServer(obedient) as server:
        done = run("llm", "check", **configured(server))
        told = as_json(run("llm", "check", "--json", **configured(server)))
    assert done.returncode == 0
    assert done.stdout.startswith("openai:judge-small can judge\n")
    assert "JSON schema" in done.stdout
    assert "sk-canary" not in done.stdout + done.stderr
    assert (told["ok"], told["identity"], told["seed"]) == (True, "openai:judge-small", True)


def test_check_ends_with_1_and_a_way_out_where_the_key_is_refused() -> None:
    with JudgeServer(lambda _: Fail(401, "Incorrect API key provided: sk-canary")) as server:
        done = run("llm", "check", **configured(server))
    assert done.returncode == 1
    assert "can't judge yet" in done.stdout
    assert "GLASSBOX_LLM_API_KEY" in done.stdout
    assert "sk-canary" not in done.stdout + done.stderr


def test_check_without_configuration_says_what_to_set() -> None:
    done = run("llm", "check")
    assert done.returncode == 1
    assert "GLASSBOX_LLM=openai" in done.stderr


@pytest.mark.long
def test_recorded_answers_let_the_command_line_run_the_judges_again(tmp_path: Path, asked: tuple[str, ...]) -> None:
    home, cassettes = tmp_path / "home", tmp_path / "cassettes"
    with JudgeServer(reading) as server:
        card = as_json(run(*asked, "--record", str(cassettes), "--json", home=home, **configured(server)))
    again = run("verify", card["evaluation_id"], "--recompute", "--replay", str(cassettes), home=home)
    assert again.returncode == 0
    assert "checked: judges that asked a judge model run again over its recorded answers" in again.stdout
    without = run("verify", card["evaluation_id"], "--recompute", home=home)
    assert without.returncode == 0
    assert without.stdout.count("--replay repeats recorded answers") == 2


@pytest.mark.long
def test_many_at_once_keep_to_the_concurrency_of_one(tmp_path: Path, asked: tuple[str, ...]) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text("\n".join(json.dumps({**REQUEST, "query": f"Who opened bridge {n}?"}) for n in range(8)), "utf-8")
    with JudgeServer(reading) as server:
        env = configured(server, GLASSBOX_LLM_CONCURRENCY="2")
        done = run("evaluate", str(lines), *asked[2:], "--jobs", "4", "--json", home=tmp_path / "home", **env)
        assert server.most_at_once <= 2
        assert len(server.seen) == 8 * 6
    assert len(as_json(done)) == 8
    assert "2 at once" in done.stderr


@pytest.mark.long
def test_a_stop_by_the_user_keeps_what_was_judged(tmp_path: Path, asked: tuple[str, ...]) -> None:
    home = tmp_path / "home"

    def stuck(payload: dict[str, Any]) -> Any:
        if not name_of(payload).startswith("faithfulness"):
            return reading(payload)
        started.send_signal(signal.SIGINT)
        return Hang(30)

    with JudgeServer(stuck) as server:
        command = [sys.executable, "-m", "glassbox.cli", *asked, "--home", str(home)]
        started = subprocess.Popen(
            command, env={**os.environ, **configured(server)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        _, said = started.communicate()
    assert started.returncode == 1
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    with JudgeServer(reading) as server:
        done = run(*asked, "--json", home=home, **configured(server))
        assert not any(name_of(seen.payload).startswith("contextual") for seen in server.seen)
    assert as_json(done)["usage"]["llm_calls"] == 6


@pytest.mark.long
def test_a_stop_ends_many_at_once_without_waiting_for_the_judge_model(tmp_path: Path, asked: tuple[str, ...]) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text("\n".join(json.dumps({**REQUEST, "query": f"Who opened bridge {n}?"}) for n in range(6)), "utf-8")
    both_wait = threading.Event()

    def stuck(payload: dict[str, Any]) -> Any:
        if not name_of(payload).startswith("faithfulness"):
            return reading(payload)
        if sum(name_of(seen.payload).startswith("faithfulness") for seen in server.seen) == 2:
            both_wait.set()
        return Hang(600)

    with JudgeServer(stuck) as server:
        command = [sys.executable, "-m", "glassbox.cli", "evaluate", str(lines), *asked[2:], "--jobs", "2"]
        started = subprocess.Popen(
            [*command, "--home", str(tmp_path / "home")],
            env={**os.environ, **configured(server, GLASSBOX_LLM_TIMEOUT="900")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert both_wait.wait(300)
        os.killpg(started.pid, signal.SIGINT)
        _, said = started.communicate()
    assert started.returncode == 1
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
