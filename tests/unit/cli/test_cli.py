"""The command line as a user meets it: documented exit codes, one JSON value, errors that help, no text in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import EXAMPLES

SECRET_TEXT = "patient Mary Holloway"


def run(*arguments: str, home: Path | None = None, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own."""
    command = [sys.executable, "-m", "glassbox.cli", *arguments]
    if home is not None:
        command += ["--home", str(home)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, env={**os.environ, **env})
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def as_json(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("evaluate",),
        ("verify",),
        ("report",),
        ("ledger",),
        ("ledger", "show"),
        ("ledger", "history"),
        ("ledger", "export"),
        ("ledger", "fsck"),
        ("ledger", "checkpoint"),
        ("policy", "show"),
        ("policy", "validate"),
        ("models", "list"),
        ("models", "verify"),
    ],
)
def test_every_command_has_help(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("evaluate", "no-such-file.json"), "No such file"),
        (("evaluate", "."), "folder"),
        (("evaluate", "--polcy", "x", "y.json"), "--polcy"),
        (("evaluate",), "FILE"),
        (("evaluate", "-", "--policy", "no-such"), "default"),
        (("verify", "no-such-id"), "bundle"),
        (("report", "no-such-id"), "bundle"),
        (("ledger", "show"), "no ledger"),
        (("policy", "show", "no-such"), "default"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_wrong_use_ends_with_1_and_says_what_to_do(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    body = b'{"query":"q","answer":"a","retrieved_passages":["p"]}'
    done = run(*arguments, stdin=body, GLASSBOX_HOME=str(tmp_path / "none"))
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_evaluate_prints_one_scorecard_in_the_fixed_shape(tmp_path: Path, example: Callable[[str], Path]) -> None:
    done = run("evaluate", str(example("1-")), "--json", "--engine", "local", home=tmp_path)
    card = as_json(done)
    assert {
        "schema_version",
        "evaluation_id",
        "session_id",
        "created_at",
        "policy",
        "trust_score",
        "decision",
        "states",
        "judges",
        "flags",
        "evidence",
        "usage",
        "ledger",
    } <= card.keys()
    assert set(card["judges"]) == {"contextual_precision", "semantic_faithfulness", "structural_fidelity"}
    assert card["ledger"]["backend"] == "embedded"
    assert card["ledger"]["record_id"] == card["evaluation_id"]
    assert {"llm_calls", "input_tokens", "output_tokens", "cost_usd", "price_table", "duration_ms"} == card[
        "usage"
    ].keys()
    for judge in card["judges"].values():
        for m in judge["measurements"]:
            assert {"name", "status", "value", "target", "comparator", "passed", "signature", "evidence"} <= m.keys()
            assert (m["value"] is not None) == (m["status"] == "scored")
            assert m["value"] is None or 0 <= m["value"] <= 1


@pytest.mark.parametrize(("prefix", "code"), [("2-", 9), ("5-", 11), ("6-", 9)])
def test_exit_codes_follow_the_decision(tmp_path: Path, example: Callable[[str], Path], prefix: str, code: int) -> None:
    done = run("evaluate", str(example(prefix)), "--json", home=tmp_path)
    decision = {9: "fail", 11: "inconclusive"}[code]
    assert (as_json(done)["decision"], done.returncode) == (decision, code)


def test_the_same_request_is_shown_again_and_not_made_again(tmp_path: Path, example: Callable[[str], Path]) -> None:
    first = run("evaluate", str(example("5-")), "--json", home=tmp_path)
    second = run("evaluate", str(example("5-")), "--json", home=tmp_path)
    assert first.stdout == second.stdout
    assert as_json(run("ledger", "fsck", "--json", home=tmp_path))["records"] == 1
    third = as_json(run("evaluate", str(example("5-")), "--json", "--again", home=tmp_path))
    assert third["supersedes"] == as_json(first)["evaluation_id"]
    history = as_json(run("ledger", "history", third["supersedes"], "--json", home=tmp_path))
    assert history["superseded_by"] == third["evaluation_id"] or third["evaluation_id"] in history["superseded_by"]


def test_standard_input_takes_one_request_or_one_a_line(tmp_path: Path) -> None:
    body = json.dumps({"query": "q", "answer": "", "retrieved_passages": ["p"]}).encode()
    assert as_json(run("evaluate", "-", "--json", stdin=body, home=tmp_path))["decision"] == "inconclusive"
    pretty = json.dumps(json.loads(body), indent=2).encode()
    assert as_json(run("evaluate", "-", "--json", stdin=pretty, home=tmp_path))["decision"] == "inconclusive"
    other = body.replace(b'"q"', b'"r"')
    cards = as_json(run("evaluate", "-", "--json", stdin=body + b"\n" + other + b"\n\n", home=tmp_path))
    assert [c["decision"] for c in cards] == ["inconclusive", "inconclusive"]


def test_a_bad_request_is_refused_with_every_path_and_without_its_text(tmp_path: Path) -> None:
    body = json.dumps({"query": 1, "answr": SECRET_TEXT, "retrieved_passages": [{"text": 3}]}).encode()
    done = run("evaluate", "-", "--json", stdin=body, home=tmp_path)
    assert done.returncode == 1
    paths = {e["path"] for e in as_json(done)["error"]["errors"]}
    assert paths == {"$.query", "$.answer", "$.answr", "$.retrieved_passages[0].text"}
    assert SECRET_TEXT not in done.stdout + done.stderr
    assert not (tmp_path / "ledger.sqlite").exists()


def test_bad_lines_stop_a_batch_before_it_begins_unless_they_are_to_be_skipped(tmp_path: Path) -> None:
    good = json.dumps({"query": "q", "answer": "", "retrieved_passages": ["p"]})
    file = tmp_path / "many.jsonl"
    file.write_text(f"{good}\nnot json\n\n" + good.replace('"q"', '"r"') + '\n{"query": 1}\n')
    home = tmp_path / "home"
    done = run("evaluate", str(file), "--json", home=home)
    assert done.returncode == 1
    assert "many.jsonl:2" in done.stderr
    assert "many.jsonl:5" in done.stderr
    assert not home.exists()
    done = run("evaluate", str(file), "--json", "--skip-invalid", home=home)
    assert done.returncode == 1
    assert [("error" in card, card["input"]) for card in as_json(done)] == [
        (False, f"{file}:1"),
        (True, f"{file}:2"),
        (False, f"{file}:4"),
        (True, f"{file}:5"),
    ]


def test_several_processes_give_the_scores_of_one(tmp_path: Path) -> None:
    batch = Path(__file__).parents[3] / "examples" / "batch.jsonl"
    one = run("evaluate", str(batch), "--json", home=tmp_path / "a")
    two = run("evaluate", str(batch), "--json", "--jobs", "2", home=tmp_path / "b")

    def scores(done: subprocess.CompletedProcess[str]) -> list[Any]:
        kept = ("trust_score", "decision", "states", "judges", "flags", "renormalised")
        return [{key: card[key] for key in kept} for card in as_json(done)]

    assert scores(one) == scores(two)
    assert as_json(run("ledger", "fsck", "--json", home=tmp_path / "b"))["intact"]
    assert f"{len(scores(one))}/{len(scores(one))}" in two.stderr


def test_out_writes_scorecard_bundle_and_report(tmp_path: Path, example: Callable[[str], Path]) -> None:
    out = tmp_path / "out"
    card = as_json(run("evaluate", str(example("5-")), "--json", "--out", str(out), home=tmp_path / "home"))
    name = card["evaluation_id"]
    kinds = {p.name.removeprefix(name) for p in out.iterdir() if p.name.startswith(name)}
    assert {".scorecard.json", ".bundle.json", ".report.html"} <= kinds
    assert json.loads((out / f"{name}.scorecard.json").read_text("utf-8")) == card


def test_verify_takes_an_id_a_bundle_or_an_exported_proof(evaluated: Path, tmp_path: Path) -> None:
    rows = as_json(run("ledger", "show", "--json", home=evaluated))
    name = rows[0]["record"]["evaluation_id"]
    assert run("verify", name, home=evaluated).returncode == 0
    bundle = evaluated / "evaluations" / name / "bundle.json"
    assert run("verify", str(bundle), home=evaluated).returncode == 0
    proof = tmp_path / "proof.json"
    assert run("ledger", "export", "--proof", name, "--out", str(proof), home=evaluated).returncode == 0
    key = run("ledger", "key", home=evaluated).stdout.strip()
    assert (
        run("verify", str(bundle), "--proof", str(proof), "--trust", key, home=tmp_path / "elsewhere").returncode == 0
    )
    wrong = "0" * 64
    assert run("verify", str(bundle), "--proof", str(proof), "--trust", wrong, home=tmp_path / "x").returncode == 9


def test_verify_names_what_was_changed(home: Path) -> None:
    name = as_json(run("ledger", "show", "--json", home=home))[0]["record"]["evaluation_id"]
    path = home / "evaluations" / name / "bundle.json"
    bundle = json.loads(path.read_text("utf-8"))
    bundle["content"]["request"]["answer"] += " And more."
    path.write_text(json.dumps(bundle), "utf-8")
    done = run("verify", name, "--json", home=home)
    assert done.returncode == 9
    assert "/content/request/answer" in {f["path"] for f in as_json(done)["findings"]}


def test_recompute_gives_the_same_scores(evaluated: Path) -> None:
    rows = as_json(run("ledger", "show", "--json", home=evaluated))
    names = [row["record"]["evaluation_id"] for row in rows]
    done = run("verify", *names, "--recompute", home=evaluated)
    assert done.returncode == 0, done.stdout


def test_the_ledger_is_read_and_walked(evaluated: Path, tmp_path: Path) -> None:
    rows = as_json(run("ledger", "show", "--json", home=evaluated))
    assert len(rows) == len(EXAMPLES)
    day = rows[0]["record"]["created_at"][:10]
    assert len(as_json(run("ledger", "show", "--day", day, "--json", home=evaluated))) >= 1
    report = as_json(run("ledger", "fsck", "--json", home=evaluated))
    assert report["intact"]
    assert "tail" in report["statement"]
    point = tmp_path / "checkpoint.json"
    assert run("ledger", "checkpoint", "--out", str(point), home=evaluated).returncode == 0
    assert as_json(run("ledger", "fsck", "--checkpoint", str(point), "--json", home=evaluated))["intact"]
    assert len(run("ledger", "export", home=evaluated).stdout.splitlines()) == len(EXAMPLES)


def test_no_evaluated_text_is_on_the_ledger(evaluated: Path) -> None:
    exported = run("ledger", "export", "--kind", "blocks", home=evaluated).stdout
    for word in ("Hargreaves", "Northfield", "isolator", "Kaution", "surgeon"):
        assert word not in exported


def test_policies_are_shown_and_checked(tmp_path: Path) -> None:
    shown = as_json(run("policy", "show", "--json"))
    assert shown["bar"] == {"value": 800000, "comparator": ">="}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"name": "mine", "extends": "default", "targets": {"no/such": 0.5}}))
    done = run("policy", "validate", str(file))
    assert done.returncode == 1
    assert "no/such" in done.stderr
    file.write_text(json.dumps({"name": "mine", "extends": "default", "bar": {"value": 0.5}}))
    assert as_json(run("policy", "validate", str(file), "--json"))["valid"]


def test_models_are_listed_and_checked() -> None:
    listed = as_json(run("models", "list", "--json"))
    assert {m["task"] for m in listed} == {"embed", "entities", "relations", "claims"}
    for model in listed:
        assert model["licence"]
        if model["task"] in ("entities", "relations"):
            assert "trained by GlassBox" in model["architecture"]
    assert all(check["ok"] for check in as_json(run("models", "verify", "--json")))


def test_a_report_is_written_for_each_reader(evaluated: Path, tmp_path: Path) -> None:
    name = as_json(run("ledger", "show", "--json", home=evaluated))[0]["record"]["evaluation_id"]
    pages = []
    for reader in ("business", "risk", "engineering"):
        page = tmp_path / f"{reader}.html"
        done = run("report", name, "--reader", reader, "--out", str(page), home=evaluated)
        assert done.returncode == 0
        pages.append(page.read_text("utf-8"))
    record = json.loads((evaluated / "evaluations" / name / "bundle.json").read_text("utf-8"))["record"]
    assert all(record["core_digest"] in page for page in pages)


def test_a_broken_pipe_is_no_traceback(evaluated: Path) -> None:
    command = f"{sys.executable} -m glassbox.cli ledger export --kind blocks --home {evaluated} | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
