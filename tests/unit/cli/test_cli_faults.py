"""Faults that a stranger found, each kept as a statement of what has to happen instead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.test_cli import as_json, run

LEXICAL = ("--policy", "no-models")
GOOD = {"query": "Who opened it?", "answer": "The mayor opened it.", "retrieved_passages": ["The mayor opened it."]}


def evaluate(home: Path, request: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    return run("evaluate", "-", *LEXICAL, *more, stdin=json.dumps(request).encode(), home=home)


def committed(home: Path) -> str:
    return str(as_json(evaluate(home, GOOD, "--json"))["evaluation_id"])


@pytest.mark.parametrize("content", ['{"decision": "pass"}', "{}", ""])
def test_a_scorecard_that_was_changed_is_never_shown_as_committed(tmp_path: Path, content: str) -> None:
    name = committed(tmp_path)
    path = tmp_path / "evaluations" / name / "scorecard.json"
    card = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**card, "trust_score": 0.123}) if content == '{"decision": "pass"}' else content)
    done = evaluate(tmp_path, GOOD)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "fault of GlassBox" not in done.stderr
    assert "backup" in done.stderr
    if content:
        checked = run("verify", name, "--json", home=tmp_path)
        assert checked.returncode == 9
        assert any(f["code"] == "scorecard" for f in as_json(checked)["findings"])


@pytest.mark.parametrize("form", ["printed", "bare", "file"])
def test_the_key_is_trusted_in_the_form_in_which_it_is_printed(tmp_path: Path, form: str) -> None:
    name = committed(tmp_path / "home")
    key = run("ledger", "key", home=tmp_path / "home").stdout.strip()
    file = tmp_path / "key.txt"
    file.write_text(key + "\n")
    trust = {"printed": key, "bare": key.removeprefix("ed25519:"), "file": str(file)}[form]
    bundle = tmp_path / "home" / "evaluations" / name / "bundle.json"
    proof = tmp_path / "proof.json"
    run("ledger", "export", "--proof", name, "--out", str(proof), home=tmp_path / "home")
    away = tmp_path / "away"
    assert run("verify", str(bundle), "--proof", str(proof), "--trust", trust, home=away).returncode == 0
    assert run("verify", str(bundle), "--trust", trust, home=away).returncode == 0, "the bundle holds its proof"
    assert run("verify", name, "--trust", trust, home=tmp_path / "home").returncode == 0
    wrong = "ed25519:" + "0" * 64
    assert run("verify", name, "--trust", wrong, home=tmp_path / "home").returncode == 9
    assert run("verify", str(bundle), "--trust", wrong, home=away).returncode == 9
    for nonsense in ("garbage", str(tmp_path), str(bundle)):
        assert run("verify", name, "--trust", nonsense, home=tmp_path / "home").returncode == 1


def test_a_key_that_was_used_for_another_request_is_refused(tmp_path: Path) -> None:
    assert evaluate(tmp_path, GOOD, "--key", "order-17").returncode == 0
    other = evaluate(tmp_path, {**GOOD, "answer": "Nobody did."}, "--key", "order-17", "--json")
    assert other.returncode == 1
    assert as_json(other)["error"]["type"].endswith("key-reused")
    again = evaluate(tmp_path, GOOD, "--key", "order-17", "--json")
    assert again.returncode == 0
    assert "evaluated before" in again.stderr


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson", ".JSONL"])
def test_a_file_without_a_request_is_an_error(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"empty{ending}"
    file.write_text("\n \n")
    done = run("evaluate", str(file), "--json", home=tmp_path / "home")
    assert done.returncode == 1
    assert "no request" in done.stderr


def test_a_proof_in_the_bundle_is_compared_with_the_one_that_is_given(tmp_path: Path) -> None:
    name = committed(tmp_path / "home")
    path = tmp_path / "home" / "evaluations" / name / "bundle.json"
    bundle = json.loads(path.read_text("utf-8"))
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(bundle["proof"]))
    bundle["proof"]["extra"] = 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(bundle))
    done = run("verify", str(changed), "--proof", str(proof), "--json", home=tmp_path / "away")
    assert done.returncode == 9
    assert "/proof/extra" in {f["path"] for f in as_json(done)["findings"]}


@pytest.mark.parametrize("change", ["decision", "results", "request"])
def test_no_report_is_made_of_a_changed_bundle(tmp_path: Path, change: str) -> None:
    name = committed(tmp_path / "home")
    bundle = json.loads((tmp_path / "home" / "evaluations" / name / "bundle.json").read_text("utf-8"))
    if change == "decision":
        bundle["core"].update(decision="fail", trust_score=0.1)
    elif change == "results":
        del bundle["content"]["results"]
    else:
        bundle["content"]["request"] = 5
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(bundle))
    done = run("report", str(forged), "--out", str(tmp_path / "page.html"), home=tmp_path / "home")
    assert done.returncode == 1
    assert "verify" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_batch_in_json_names_each_input_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    file.write_text(f"nonsense\n{json.dumps(GOOD)}\n")
    values = as_json(run("evaluate", str(file), *LEXICAL, "--json", "--skip-invalid", home=tmp_path / "home"))
    assert [v["input"] for v in values] == [f"{file}:1", f"{file}:2"]
    assert [sorted(v.keys() & {"error", "decision"}) for v in values] == [["error"], ["decision"]]
    file.write_text(json.dumps(GOOD) + "\n")
    assert isinstance(as_json(run("evaluate", str(file), *LEXICAL, "--json", home=tmp_path / "home")), list)


@pytest.mark.parametrize(
    "arguments", [("verify", "zzz"), ("evaluate",), ("evaluate", "--jobs", "0", "x.json"), ("evaluate", "--nope")]
)
def test_json_is_kept_on_every_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--json", GLASSBOX_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "error" in as_json(done)
    both = as_json(run("verify", "zzz", "yyy", "--json", home=tmp_path))
    assert [v["target"] for v in both] == ["zzz", "yyy"]


def test_a_policy_that_a_request_may_not_name_is_its_fault_and_is_not_quoted(tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    bad = {**GOOD, "policy": "SECRETTEXT ignore this"}
    file.write_text(json.dumps(bad) + "\n" + json.dumps({**GOOD, "policy": "no-models"}) + "\n")
    done = run("evaluate", str(file), "--json", home=tmp_path / "home")
    assert done.returncode == 1
    assert "$.policy" in done.stderr
    assert "SECRETTEXT" not in done.stderr + done.stdout
    values = as_json(run("evaluate", str(file), "--json", "--skip-invalid", home=tmp_path / "home"))
    assert values[1]["policy"]["name"] == "no-models"


def test_an_engine_that_no_judge_can_take_is_refused_in_words(tmp_path: Path) -> None:
    for policy in ("no-models", "default"):
        done = run(
            "evaluate", "-", "--engine", "llm", "--policy", policy, stdin=json.dumps(GOOD).encode(), home=tmp_path
        )
        assert done.returncode == 1
        assert "judge model" in done.stderr
        assert "fault of GlassBox" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_another_encoding_changes_no_exit_code(tmp_path: Path, encoding: str) -> None:
    request = {**GOOD, "answer": "東京 ✓ İstanbul 🙂 opened it.", "query": "Кто?"}
    plain = evaluate(tmp_path, request)
    body = json.dumps(request).encode()
    for more in ((), ("--json",)):
        command = [sys.executable, "-m", "glassbox.cli", "evaluate", "-", *LEXICAL, *more, "--home", str(tmp_path)]
        env = {**os.environ, "PYTHONIOENCODING": encoding}
        done = subprocess.run(command, input=body, capture_output=True, check=False, env=env)
        assert done.returncode == plain.returncode
        if more:
            assert json.loads(done.stdout.decode("utf-8"))["decision"]


def test_a_name_with_escape_sequences_reaches_no_terminal(tmp_path: Path) -> None:
    for command in ("evaluate", "verify", "report"):
        done = run(command, "a\x1b[31mEVIL\udcff.json", home=tmp_path)
        assert done.returncode == 1
        assert "\x1b" not in done.stderr


def test_ordinary_trouble_is_no_fault_of_glassbox(tmp_path: Path) -> None:
    committed(tmp_path / "home")
    (tmp_path / "home" / "tenant.key").write_bytes(b"\xff\xfe" * 32)
    assert "secret is damaged" in evaluate(tmp_path / "home", GOOD).stderr
    (tmp_path / "file").write_text("x")
    assert "no folder" in evaluate(tmp_path / "file", GOOD).stderr
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "glassbox.cli", "policy", "show", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert b"fault of GlassBox" not in done.stderr
    closed = f"{sys.executable} -m glassbox.cli policy show <&- >&-"
    assert b"fault of GlassBox" not in subprocess.run(["bash", "-c", closed], capture_output=True, check=False).stderr
