"""The judge model's benchmark from end to end, against a scripted judge behind HTTP that reads its prompts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "train"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "export"))

import llm_bench
import llm_markdown
import llm_sets

from tests.support.judge_server import Fail, JudgeServer, Model, Say
from tests.support.reading_judge import name_of, reading

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"GB-[0-9a-f]{32}")
SAME_IN_A_REPLAY = ("complete", "tables", "failed", "cost", "rows")
ONE_SET = ("--sets", "faithfulness/wice", "--no-local")
NAME = "bench-llm-openai-simulator"


@dataclass
class Ran:
    """A run that ended: its exit code, its files, and what it printed."""

    code: int
    out: Path
    printed: str

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in self.out.iterdir()) if self.out.is_dir() else []

    @property
    def body(self) -> dict[str, Any]:
        (path,) = self.out.glob("*.json")
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[str]]]:
    folder = tmp_path_factory.mktemp("sets")
    yield folder, llm_sets.write(folder)


@pytest.fixture(scope="module")
def data(texts: tuple[Path, list[str]]) -> Path:
    return texts[0]


def settings(server: JudgeServer, **more: str) -> dict[str, str]:
    own = {"": "openai", "_MODEL": "simulator", "_BASE_URL": server.url, "_CONCURRENCY": "4"}
    return {f"GLASSBOX_LLM{name}": value for name, value in (own | more).items()}


@pytest.fixture
def run(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Any]:
    """Run the benchmark in this process: `run(server, *arguments)`; answers are kept in `tmp_path / "kept"`."""
    numbers = iter(range(100))

    def go(server: JudgeServer | None, *arguments: str, **more: str) -> Ran:
        for name in [name for name in os.environ if name.startswith("GLASSBOX_LLM")]:
            monkeypatch.delenv(name)
        for name, value in ({} if server is None else settings(server, **more)).items():
            monkeypatch.setenv(name, value)
        out = tmp_path / f"out{next(numbers)}" if "--out" not in arguments else tmp_path
        given = [*arguments, "--data", str(data)]
        given += [] if "--out" in arguments else ["--out", str(out)]
        given += [] if "--replay" in arguments else ["--record", str(tmp_path / "kept")]
        code = llm_bench.main(given)
        said = capsys.readouterr()
        return Ran(code, out, said.out + said.err)

    yield go


def asked(server: JudgeServer) -> Counter[str]:
    """How often each question was sent; the fences differ from row to row, and draws differ by their seed alone."""
    return Counter(FENCE.sub("", json.dumps([seen.payload["messages"], seen.payload["seed"]])) for seen in server.seen)


def kept(folder: Path) -> int:
    return sum(len(path.stem) == 64 for path in folder.rglob("*.json"))


def same(first: Ran, second: Ran) -> None:
    """Both made the same tables, to the byte."""
    for name in SAME_IN_A_REPLAY:
        assert json.dumps(first.body[name], indent=1) == json.dumps(second.body[name], indent=1), name
    assert llm_markdown.tables(first.body) == llm_markdown.tables(second.body)


def test_every_table_is_made_and_made_again_from_the_recorded_answers(
    run: Any, tmp_path: Path, texts: tuple[Path, list[str]]
) -> None:
    with JudgeServer(reading) as server:
        first = run(server, "--rows", "6")
        assert first.code == 0 and first.files == [f"{NAME}-rows6.json", f"{NAME}-rows6.md"]
        assert set(asked(server).values()) == {1}
        sent = len(server.seen)
    body = first.body
    _check_shape(body)
    cost = body["cost"]
    assert cost["calls"] == cost["requests"] == kept(tmp_path / "kept") == sent
    assert (cost["tokens_in"], cost["tokens_out"]) == (100 * sent, 20 * sent)
    told = re.search(r"about ([\d,]+) calls with ([\d,]+) tokens in", first.printed)
    assert told is not None and abs(int(told[1].replace(",", "")) - sent) <= 0.05 * sent
    # The endpoint is gone: a second run needs none, and a replay not even a configuration.
    same(first, run(server, "--rows", "6"))
    again = run(None, "--rows", "6", "--replay", str(tmp_path / "kept"))
    assert again.code == 0
    same(first, again)
    _check_no_text_is_told(first, texts[1])


def _check_shape(body: dict[str, Any]) -> None:
    tables = body["tables"]
    assert set(tables) == {"rows", "faithfulness", "relevance", "relevancy", "pairs", "refusals", "beside_local"}
    assert list(tables["rows"]["faithfulness"]) == ["attribution", "wice", "mtrag", "clapnq_swapped"]
    counts = [found for sets in tables["rows"].values() for found in sets.values()]
    assert all(c["rows"] == c["scored"] + c["without_score"] and not c["errors"] and not c["not_asked"] for c in counts)
    lines = tables["faithfulness"]["lines"]
    assert {(i["score"], i["baseline"]) for i in lines if i["data"] == "wice"} == {
        ("verdicts", "ROUGE-1 precision"),
        ("judge alone", "ROUGE-1 precision"),
        ("verdicts", "judge alone"),
    }
    assert all(i["gain"][1] <= i["gain"][0] <= i["gain"][2] for i in lines)
    coverage = tables["faithfulness"]["coverage"]["mtrag"]
    assert {"claims_inconclusive", "answers_scored", "answers_without_open_claim", "by_distance"} <= set(coverage)
    assert {line["data"] for line in tables["relevancy"]} == {"clapnq", "attribution"}
    assert tables["pairs"]["all"]["ours"]["pairs"] == sum(
        found["ours"]["pairs"] for kind, found in tables["pairs"].items() if kind != "all"
    )
    refusals = tables["refusals"]["mtrag-un unanswerable"]
    assert (refusals["answers"], refusals["taken_for_refusal"], refusals["by_words"]) == (2, 2, 2)
    beside = tables["beside_local"]
    assert {line["task"] for line in beside["lines"]} == {"faithfulness", "relevance", "relevancy"}
    assert beside["pairs"]["all"]["pairs"] == tables["pairs"]["all"]["ours"]["pairs"]
    judge = body["provenance"]["judge"]
    assert judge["asked"] == "openai:simulator" and judge["simulator"] is True
    assert all(digest.startswith("sha256:") for digest in judge["prompts"].values())
    assert judge["sampling"] == {"seed": 7, "temperature": 0.0}
    assert body["cost"]["served_models"] == ["served-judge-1"]


def _check_no_text_is_told(ran: Ran, texts: list[str]) -> None:
    """Neither evaluated text, nor what the judge said of it, stands in a file, on stdout or on stderr."""
    told = ran.printed + "".join(path.read_text("utf-8") for path in ran.out.iterdir())
    assert not [text for text in [*texts, "What is it about?"] if text in told]


def test_our_checks_stand_beside_what_the_judge_alone_would_have_said(run: Any) -> None:
    def credulous(payload: dict[str, Any]) -> Any:
        """Supports every claim, with a quote that stands nowhere."""
        reply = reading(payload)
        if name_of(payload) == "faithfulness_verdicts":
            for item in reply["statements"]:
                item |= {"verdict": 1, "passage": 1, "quote": "Everything it says is true."}
        return reply

    with JudgeServer(credulous) as server:
        body = run(server, "--yes", *ONE_SET).body
    accuracy = body["tables"]["faithfulness"]["accuracy"]["wice"]
    assert (accuracy["unfaithful_passed"], accuracy["unfaithful_passed_by_judge_alone"]) == (0, 3)
    rules = body["tables"]["faithfulness"]["rules"]["wice"]
    assert list(rules) == ["inconclusive: quote_not_literal"]
    assert "beside_local" not in body["tables"]


def marked(model: Model, mark: str, said: Any) -> Model:
    """Return a model that says something else to verdict questions that hold a mark."""

    def answer(payload: dict[str, Any]) -> Any:
        hit = name_of(payload) == "faithfulness_verdicts" and mark in json.dumps(payload["messages"])
        return said if hit else model(payload)

    return answer


def test_a_failed_row_is_an_error_by_name_and_never_a_number(run: Any, tmp_path: Path) -> None:
    mark = llm_sets.TOWNS[1]
    with JudgeServer(marked(reading, mark, "I'd rather talk about the weather.")) as server:
        ran = run(server, "--yes", *ONE_SET, _ATTEMPTS="2")
        body, before = ran.body, len(server.seen)
        assert ran.code == 0
        counts = body["tables"]["rows"]["faithfulness"]["wice"]
        failed = body["failed"]
        assert failed and counts["errors"] == len(failed) == counts["rows"] - counts["scored"]
        assert failed[0] == {"task": "faithfulness", "set": "wice", "row": 2, "variant": "", "code": "invalid_json"}
        assert len(body["rows"]) == counts["scored"]
        assert body["cost"]["questions_without_answer"] == len(failed)
        lost = body["cost"]["lost"]
        assert lost["tokens_in"] == 100 * lost["requests"] == 100 * (before - body["cost"]["requests"]) > 0
        assert "| faithfulness | wice | 2 |  | invalid_json |" in llm_markdown.render(body)
        # What came of nothing is not paid for again unless somebody wants it to be.
        same(ran, run(server, "--yes", *ONE_SET, _ATTEMPTS="2"))
        assert len(server.seen) == before
        same(ran, run(None, *ONE_SET, "--replay", str(tmp_path / "kept")))
        server.model = reading
        mended = run(server, "--yes", "--retry", *ONE_SET)
        assert mended.body["failed"] == [] and len(server.seen) == before + len(failed)


def test_nothing_is_asked_without_a_bound_or_consent(run: Any) -> None:
    with JudgeServer(reading) as server:
        ran = run(server, *ONE_SET)
        assert ran.code == 2 and server.seen == [] and ran.files == []
        assert "6 rows, about 12 calls" in ran.printed and "--yes" in ran.printed
        assert run(server, "--budget", "1", *ONE_SET).code == 1 and server.seen == []


def test_a_number_of_calls_is_kept_to_and_the_rest_is_asked_later(run: Any, tmp_path: Path) -> None:
    with JudgeServer(reading) as server:
        ran = run(server, "--calls", "5", "--out", str(tmp_path / "out"), *ONE_SET)
        assert ran.code == 1 and len(server.seen) == 5
        found = sorted(path.name for path in (tmp_path / "out").iterdir())
        name = f"{NAME}-faithfulness-wice"
        assert found == [f"{name}.partial.json", f"{name}.partial.md"]
        page = (tmp_path / "out" / found[1]).read_text("utf-8")
        assert "**Partial: " in page and "the bound of 5 calls" in page
        ended = run(server, "--yes", "--out", str(tmp_path / "out"), *ONE_SET)
        assert ended.code == 0 and set(asked(server).values()) == {1}
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [f"{name}.json", f"{name}.md"]


def test_a_partial_run_is_the_same_in_a_replay(run: Any, tmp_path: Path) -> None:
    with JudgeServer(reading) as server:
        first = run(server, "--calls", "9", "--no-local")
    assert 0 < first.body["complete"]["judged"] < first.body["complete"]["rows"]
    same(first, run(None, "--no-local", "--replay", str(tmp_path / "kept")))


def test_a_budget_is_not_overrun(run: Any, tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    table = {"date": "2026-11-30", "models": {"openai:simulator": {"input": "10", "output": "40"}}}
    prices.write_text(json.dumps(table), encoding="utf-8")
    usage = {"prompt_tokens": 2000, "completion_tokens": 250, "total_tokens": 2250}
    with JudgeServer(lambda payload: Say(reading(payload), usage=usage)) as server:
        ran = run(server, "--budget", "0.3", *ONE_SET, _PRICES=str(prices))
        assert ran.code == 1 and 0 < len(server.seen) < 12
        assert 0 < ran.body["cost"]["usd"] <= 0.3
        assert ran.body["provenance"]["judge"]["ended"] == "the budget of 0.30 US dollars"
        ran = run(server, "--budget", "3", *ONE_SET, _PRICES=str(prices))
        assert ran.code == 0 and ran.body["cost"]["usd"] == pytest.approx(12 * 0.03)


@pytest.mark.parametrize(("status", "code"), [(401, "auth"), (404, "not_found")])
def test_an_endpoint_that_refuses_everything_is_asked_no_further(run: Any, status: int, code: str) -> None:
    with JudgeServer(lambda payload: Fail(status)) as server:
        ran = run(server, "--yes", *ONE_SET)
        assert ran.code == 1 and len(server.seen) <= 4
    assert ran.body["failed"] == [] and ran.body["complete"]["judged"] == 0
    assert ran.body["provenance"]["judge"]["ended"] == f"the endpoint ({code})"


def test_an_endpoint_that_is_away_is_waited_for_a_few_questions_long(run: Any) -> None:
    with JudgeServer(lambda payload: Fail(503)) as server:
        ran = run(server, "--yes", *ONE_SET, _ATTEMPTS="1", _CONCURRENCY="1")
        assert ran.code == 1 and len(server.seen) == 5
        server.model = reading
        assert run(server, "--yes", *ONE_SET).body["failed"] == []


def test_a_jury_is_measured_as_one(run: Any, tmp_path: Path) -> None:
    with JudgeServer(reading) as server:
        ran = run(server, "--yes", "--jury", "openai:a,openai:b,openai:c", *ONE_SET)
        sent = len(server.seen)
        assert ran.code == 0 and ran.body["cost"]["calls"] == sent == 6 * (1 + 3)
    assert ran.body["provenance"]["judge"]["asked"].startswith("jury:3:")
    same(ran, run(None, *ONE_SET, "--replay", str(tmp_path / "kept")))


def test_a_simulator_is_called_one_and_is_no_result(run: Any, tmp_path: Path) -> None:
    ran = run(None, "--simulator", "--rows", "1", *ONE_SET)
    assert ran.code == 0 and all(name.startswith("bench-llm-simulator-") for name in ran.files)
    assert "**A simulator, not a model.**" in ran.printed
    assert not any(name.startswith("GLASSBOX_LLM") for name in os.environ)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llm_bench, "RESULTS", tmp_path / "results")
        assert run(None, "--simulator", "--out", str(tmp_path / "results"), *ONE_SET).code == 1
    assert not (tmp_path / "results").exists()


def test_no_simulator_stands_among_the_results() -> None:
    for path in llm_bench.RESULTS.glob("bench-llm-*.json"):
        body = json.loads(path.read_text("utf-8"))
        assert body["provenance"]["judge"]["simulator"] is False, path.name
        page = path.with_suffix(".md").read_text("utf-8")
        assert page == llm_markdown.render(body)


def test_an_unknown_set_is_named_with_the_known_ones(run: Any) -> None:
    ran = run(None, "--simulator", "--sets", "faithfulness/nowhere")
    assert ran.code == 1 and "faithfulness/nowhere" in ran.printed and "relevancy/clapnq" in ran.printed


def started(server: JudgeServer, data: Path, folder: Path) -> subprocess.Popen[str]:
    """Start the benchmark in a process of its own."""
    arguments = ["--engine", "llm", "--yes", *ONE_SET, "--data", str(data)]
    return subprocess.Popen(
        [sys.executable, str(ROOT / "tests/bench/bench.py"), *arguments, "--record", folder / "kept", "--out", folder],
        env={**os.environ, **settings(server, _CONCURRENCY="2")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(count: int, server: JudgeServer, process: subprocess.Popen[str]) -> None:
    ends = time.monotonic() + 300
    while len(server.seen) < count and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.01)
    if len(server.seen) < count:
        process.kill()
        raise AssertionError(process.communicate())


def slow(payload: dict[str, Any]) -> Any:
    return Say(reading(payload), delay=0.3)


def test_after_a_kill_nothing_is_asked_twice_that_was_answered(data: Path, run: Any, tmp_path: Path) -> None:
    with JudgeServer(slow) as server:
        process = started(server, data, tmp_path)
        wait_for(6, server, process)
        process.kill()
        process.communicate()
        sent, answered = len(server.seen), kept(tmp_path / "kept")
        assert 0 < answered < sent <= answered + 2
        server.model = reading
        ran = run(server, "--yes", *ONE_SET)
        assert ran.code == 0 and ran.body["failed"] == []
        assert len(server.seen) == sent + 12 - answered


def test_ctrl_c_waits_for_what_is_paid_for_and_leaves_a_partial_table(data: Path, run: Any, tmp_path: Path) -> None:
    with JudgeServer(slow) as server:
        process = started(server, data, tmp_path)
        wait_for(6, server, process)
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=300)
        assert process.returncode == 130, errors
        assert "**Partial: " in printed and "Ctrl-C" in printed
        assert kept(tmp_path / "kept") == len(server.seen) < 12
        assert list(tmp_path.glob("*.partial.json"))
        server.model = reading
        assert run(server, "--yes", *ONE_SET).code == 0
        assert set(asked(server).values()) == {1}
