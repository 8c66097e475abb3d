"""The judge model on the command line, before and without any call to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.cli.test_cli import as_json, run

HEAVY = ("httpx", "boto3", "botocore", "deepeval", "ragas", "onnxruntime", "numpy", "cryptography", "jinja2", "grpc")
REQUEST = {
    "query": "Who opened the bridge?",
    "answer": "The mayor did.",
    "retrieved_passages": ["The mayor opened it."],
}
CONFIGURED = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "judge-small", "GLASSBOX_LLM_API_KEY": "sk-canary-9f2e"}


@pytest.fixture
def request_file(tmp_path: Path) -> Path:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(REQUEST), "utf-8")
    return path


@pytest.mark.parametrize("arguments", [("--help",), ("evaluate", "--help"), ("llm", "--help"), ("llm", "prices")])
def test_help_and_prices_load_no_client_and_no_model(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "glassbox.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **CONFIGURED})
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert loaded
    assert not [name for name in HEAVY if name in loaded]


def test_the_engine_llm_without_a_judge_model_is_refused_with_what_to_set(tmp_path: Path, request_file: Path) -> None:
    done = run("evaluate", str(request_file), "--engine", "llm", home=tmp_path / "home")
    assert done.returncode == 1
    for words in ("GLASSBOX_LLM=openai", "GLASSBOX_LLM_MODEL", "GLASSBOX_LLM=bedrock", "glassbox llm check"):
        assert words in done.stderr
    assert not (tmp_path / "home").exists()


def test_what_no_request_can_do_is_said_once_for_a_batch(tmp_path: Path) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text("\n".join(json.dumps({**REQUEST, "query": f"Who opened bridge {n}?"}) for n in range(20)), "utf-8")
    done = run("evaluate", str(lines), "--engine", "llm", "--json", home=tmp_path / "home")
    assert done.returncode == 1
    assert done.stderr.count("no judge model is configured") == 1
    assert as_json(done)["error"]["type"] == "urn:glassbox:problem:usage"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--record", "a", "--replay", "b"), "either recorded or replayed"),
        (("--record", "a"), "no judge model whose answers could be kept"),
        (("--replay", "no-such-folder"), "No such file"),
        (("--timeout", "0"), "--timeout"),
        (("--timeout", "soon"), "--timeout"),
    ],
)
def test_options_that_cannot_be_followed_end_with_1_and_say_why(
    tmp_path: Path, request_file: Path, options: tuple[str, ...], says: str
) -> None:
    done = run("evaluate", str(request_file), *options, home=tmp_path / "home")
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_local_judges_leave_nothing_to_record(tmp_path: Path, request_file: Path) -> None:
    done = run(
        "evaluate",
        str(request_file),
        "--engine",
        "local",
        "--record",
        str(tmp_path / "cassettes"),
        home=tmp_path / "home",
        **CONFIGURED,
    )
    assert done.returncode == 1
    assert "nothing to record" in done.stderr
    assert not (tmp_path / "cassettes").exists()


def test_the_option_local_asks_no_judge_model_though_one_is_configured(
    tmp_path: Path, example: Callable[[str], Path]
) -> None:
    wrong = {**CONFIGURED, "GLASSBOX_LLM_CONCURRENCY": "many"}
    done = run("evaluate", str(example("5-")), "--engine", "local", "--json", home=tmp_path, **wrong)
    assert as_json(done)["usage"]["llm_calls"] == 0
    assert done.returncode == 11


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"GLASSBOX_LLM": "chatty"}, "neither openai nor bedrock"),
        ({"GLASSBOX_LLM": "openai"}, "GLASSBOX_LLM_MODEL is not set"),
        ({**CONFIGURED, "GLASSBOX_LLM_BASE_URL": "https://me:pass@host/v1"}, "GLASSBOX_LLM_BASE_URL"),
        ({**CONFIGURED, "GLASSBOX_LLM_CONCURRENCY": "many"}, "GLASSBOX_LLM_CONCURRENCY"),
    ],
)
def test_a_wrong_configuration_is_refused_before_anything_is_stored(
    tmp_path: Path, request_file: Path, env: dict[str, str], says: str
) -> None:
    done = run("evaluate", str(request_file), home=tmp_path / "home", **env)
    assert done.returncode == 1
    assert says in done.stderr
    assert "pass@" not in done.stderr
    assert not (tmp_path / "home").exists()


def test_prices_name_their_date_and_digest_and_take_a_table_of_the_users_own(tmp_path: Path) -> None:
    built_in = as_json(run("llm", "prices", "--json"))
    assert built_in["digest"].startswith("sha256:")
    own = tmp_path / "prices.json"
    own.write_text(json.dumps({"date": "2026-01-05", "models": {"openai:judge-small": {"input": "1", "output": "2"}}}))
    mine = as_json(run("llm", "prices", "--json", GLASSBOX_LLM_PRICES=str(own)))
    assert mine["date"] == "2026-01-05"
    assert mine["digest"] != built_in["digest"]
    assert "has no price here" in run("llm", "prices", **CONFIGURED).stdout
    assert "has no price here" not in run("llm", "prices", **CONFIGURED, GLASSBOX_LLM_PRICES=str(own)).stdout


def test_a_price_table_that_is_none_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "prices.json"
    own.write_text('{"date": "2026-01-05", "models": {"openai:judge-small": {"input": "NaN", "output": "2"}}}')
    done = run("llm", "prices", GLASSBOX_LLM_PRICES=str(own))
    assert done.returncode == 1
    assert "price" in done.stderr
