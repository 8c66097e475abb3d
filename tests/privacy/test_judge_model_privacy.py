"""A real run with a judge model, searched: the key stands nowhere, and the texts only where they are documented to."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.adapters.local.runner import ATTENTION, LocalRunner
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import compile_policy
from glassbox.errors import GlassBoxError
from glassbox.llm import LlmSettings, Message, Question, port
from glassbox.llm.check import Prime
from glassbox.models.registry import Registry
from glassbox.settings import Settings
from tests.privacy.canaries import KEY, TEXTS, errors_of, files_with, found_in, request
from tests.support.judge_server import Drop, Fail, Half, Hang, JudgeServer, Raw, Say, lying
from tests.support.reading_judge import reading

HOLD_TEXTS = {
    "intake.json",
    "judge.contextual_precision.json",
    "judge.semantic_faithfulness.json",
    "judge.structural_fidelity.json",
    "bundle.json",
    "scorecard.json",
    "report.html",
}
"""Files of an evaluation's own folder that hold what was evaluated, and are private for that."""

_COMMAND = """
import logging, os, sys
logging.basicConfig(level=logging.DEBUG, filename=os.environ["EVERY_LOG"])
from glassbox.cli.main import main
main()
"""


@dataclass(frozen=True)
class Run:
    """One evaluation from the command line, with everything that it left."""

    folder: Path
    stdout: str
    stderr: str
    log: str
    server: JudgeServer
    code: int


def environment(server: JudgeServer, **more: str) -> dict[str, str]:
    return {
        "GLASSBOX_LLM": "openai",
        "GLASSBOX_LLM_MODEL": "judge-small",
        "GLASSBOX_LLM_BASE_URL": server.url,
        "GLASSBOX_LLM_API_KEY": KEY,
        **more,
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run in a process of its own, with every library's log at its most talkative."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "request.json").write_text(json.dumps(request()), "utf-8")
    log = folder / "log.txt"
    arguments = [
        "evaluate",
        "request.json",
        "--engine",
        "llm",
        "--home",
        "home",
        "--record",
        "cassettes",
        "--out",
        "out",
    ]
    with JudgeServer(reading) as server:
        env = {**os.environ, **environment(server), "EVERY_LOG": str(log)}
        command = [sys.executable, "-c", _COMMAND, *arguments]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 9, 11), done.stderr
    return Run(folder, done.stdout, done.stderr, log.read_text("utf-8"), server, done.returncode)


def test_the_key_reaches_its_endpoint_in_one_header_and_nothing_else_at_all(run: Run) -> None:
    assert run.server.seen
    for seen in run.server.seen:
        holding = [name for name, value in seen.headers.items() if KEY in value]
        assert holding == ["authorization"]
        assert not found_in(json.dumps(seen.payload), (KEY,))
        assert KEY not in seen.path
    assert files_with(run.folder, (KEY,)) == {}
    assert not found_in(run.stdout + run.stderr, (KEY,))


def test_the_search_finds_what_it_looks_for(run: Run) -> None:
    bundle = next((run.folder / "home" / "evaluations").glob("*/bundle.json"))
    assert set(found_in(bundle.read_bytes(), TEXTS)) == set(TEXTS)
    assert found_in("c2stY2FuYXJ5LVZxN3JUMm1aeDlMd0I0bks=", (KEY,)) == [KEY]


def test_no_log_of_any_library_holds_a_word_of_what_was_evaluated(run: Run) -> None:
    assert not found_in(run.log, (*TEXTS, KEY))
    assert not found_in(run.stderr, TEXTS)


def test_the_ledger_and_everything_else_outside_of_an_evaluations_folder_holds_no_text(run: Run) -> None:
    home = run.folder / "home"
    found = files_with(home, TEXTS)
    assert {"intake.json", "bundle.json"} <= {Path(name).name for name in found} <= HOLD_TEXTS
    assert all(name.startswith("evaluations/") for name in found)
    assert any(path.name.startswith("ledger.sqlite") for path in home.iterdir())


def test_cassettes_and_all_files_with_texts_are_private(run: Run) -> None:
    cassettes = run.folder / "cassettes"
    assert set(files_with(cassettes, TEXTS)), "answers quote what was evaluated, which is why they are private"
    private = [*cassettes.iterdir(), *(run.folder / "home" / "evaluations").glob("*/*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in private if path.is_file()} == {0o600}
    assert stat.S_IMODE(cassettes.stat().st_mode) == 0o700


# What an endpoint may do wrong; many quote the key or the prompt in what they send back.
def _quoting(status: int) -> Any:
    def answer(payload: dict[str, Any]) -> Any:
        prompt = "\n".join(m["content"] for m in payload["messages"])
        return Fail(status, f"Incorrect API key provided: {KEY}. You sent: {prompt}", code="x", param=prompt[:4000])

    return answer


def _echo(payload: dict[str, Any]) -> str:
    return KEY + "\n".join(m["content"] for m in payload["messages"])


FAILURES: dict[str, Any] = {
    **{f"status {status}": _quoting(status) for status in (400, 401, 403, 404, 413, 429, 500, 503)},
    "a redirect": lambda _: Fail(302, headers={"location": f"http://127.0.0.1:9/{KEY}"}),
    "no answer": lambda _: Drop(),
    "half an answer": lambda _: Half(),
    "silence": lambda _: Hang(20),
    "no completion": lambda p: Raw(json.dumps({"echo": _echo(p)}).encode()),
    "no json at all": lambda p: Raw(_echo(p).encode()),
    "prose": _echo,
    "a refusal": lambda p: Say(None, refusal=_echo(p)),
    "cut off": lambda p: Say(_echo(p), finish="length"),
    "another shape": lambda p: {"verdict": _echo(p)},
    "an unknown verdict": lambda p: {"verdicts": [{"index": 1, "reason": _echo(p), "verdict": _echo(p)}]},
    "one verdict too few": lying(reading, "verdicts", lambda verdicts: verdicts[1:]),
    "one verdict twice": lying(reading, "verdicts", lambda verdicts: [*verdicts, verdicts[0]]),
}


class Everything(logging.Handler):
    """Keeps every log record of every library, with its arguments and the traceback that it carries."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.text.append(self.format(record) + repr(record.args))


@pytest.fixture
def everything() -> Iterator[Everything]:
    handler, root = Everything(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry()


@pytest.mark.parametrize("kind", FAILURES)
def test_no_failure_says_a_word_of_key_or_text(
    kind: str, registry: Registry, tmp_path: Path, everything: Everything, capfd: pytest.CaptureFixture[str]
) -> None:
    policy = compile_policy({"name": "first-judge", "extends": "default", "disable": ["structural_fidelity"]})
    with JudgeServer(FAILURES[kind]) as server:
        env = environment(server, GLASSBOX_LLM_ATTEMPTS="2", GLASSBOX_LLM_TIMEOUT="0.3")
        model = LocalJudgeModel(Asking(record=tmp_path / "cassettes", timeout=2.0), env)
        runner = LocalRunner(Settings.from_env({}, home=tmp_path / "home"), judge_model=model)
        runner.__dict__["registry"] = registry
        with pytest.raises(GlassBoxError) as caught:
            runner.evaluate(request_from(request()), policy)
        runner.close()
    told = "\n".join(errors_of(caught.value))
    assert not found_in(told, (*TEXTS, KEY))
    assert not found_in("\n".join(everything.text), (*TEXTS, KEY))
    out, err = capfd.readouterr()
    assert not found_in(out + err, (*TEXTS, KEY))
    assert files_with(tmp_path, (KEY,)) == {}
    assert {Path(name).name for name in files_with(tmp_path, TEXTS)} <= {"intake.json"}
    assert list((tmp_path / "home" / "evaluations").glob(f"*/{ATTENTION}.json"))


def test_bedrock_writes_neither_its_credentials_nor_a_prompt_to_any_log(
    monkeypatch: pytest.MonkeyPatch, everything: Everything
) -> None:
    question = Question(
        purpose="llm.check", messages=(Message("user", f"Is the {TEXTS[0]} mill prime?"),), response=Prime
    )
    with JudgeServer(lambda _: Fail(403, f"no access for {KEY}: {TEXTS[0]}")) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.origin)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIACANARY0000000000")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        asked = port(LlmSettings(backend="bedrock", model="some.model-v1:0", attempts=1, timeout=5))
        with pytest.raises(GlassBoxError) as caught:
            asked.ask(question)
        asked.close()
        assert any(found_in(json.dumps(seen.payload), TEXTS[:1]) for seen in server.seen)
    everywhere = "\n".join([*everything.text, *errors_of(caught.value)])
    assert not found_in(everywhere, (TEXTS[0], KEY))
