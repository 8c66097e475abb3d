"""The one-machine runner: all steps over files and the embedded ledger; nothing is left half-done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.runner import ATTENTION, LocalRunner
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import Policy, built_in, compile_policy
from glassbox.errors import LedgerUnavailable, StoreError, UsageError
from glassbox.pipeline.ports import Chance
from glassbox.settings import Settings

LEXICAL = built_in("no-models")
REQUEST = {
    "query": "Who opened the bridge?",
    "answer": "The mayor opened it.",
    "retrieved_passages": ["The mayor opened it."],
}
FIXED = Chance(now=lambda: "2026-01-02T03:04:05.006Z", salt=lambda: "ab" * 32)


_open: list[LocalRunner] = []


@pytest.fixture(autouse=True)
def _close_ledgers() -> Iterator[None]:
    yield
    while _open:
        _open.pop().close()


def runner(home: Path, **more: Any) -> LocalRunner:
    _open.append(LocalRunner(Settings.from_env({}, home=home), **more))
    return _open[-1]


def test_a_committed_scorecard_says_where_it_stands(tmp_path: Path) -> None:
    outcome = runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    ledger = outcome.scorecard["ledger"]
    assert ledger["backend"] == "embedded"
    assert ledger["record_id"] == outcome.scorecard["evaluation_id"]
    assert ledger["block"] > 0
    assert outcome.scorecard["evidence"]["uri"] == f"evaluations/{ledger['record_id']}/bundle.json"
    assert (tmp_path / outcome.scorecard["evidence"]["uri"]).exists()


def test_identical_runs_give_identical_content_and_core(tmp_path: Path) -> None:
    first = runner(tmp_path / "a", chance=FIXED)
    second = runner(tmp_path / "b", chance=FIXED)
    _ = first.caller
    (tmp_path / "b").mkdir(mode=0o700)
    (tmp_path / "b" / "tenant.key").write_bytes((tmp_path / "a" / "tenant.key").read_bytes())
    one, two = (r.evaluate(request_from(REQUEST), LEXICAL).envelope for r in (first, second))
    for part in ("content", "parts", "core", "record"):
        assert json.dumps(one[part]) == json.dumps(two[part])


def test_a_ledger_that_is_away_keeps_the_work_and_the_next_call_finishes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = runner(tmp_path)

    def away(*_: object) -> None:
        raise LedgerUnavailable("The ledger is busy")

    monkeypatch.setattr(broken.ledger, "commit", away)
    with pytest.raises(LedgerUnavailable):
        broken.evaluate(request_from(REQUEST), LEXICAL)
    evaluation_id = broken.documents.ids()[0]
    assert broken.documents.get(evaluation_id, ATTENTION) is not None
    bundle = broken.documents.get(evaluation_id, "bundle")
    assert bundle is not None
    outcome = runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    assert outcome.envelope["core"] == bundle["core"]
    assert broken.documents.get(evaluation_id, ATTENTION) is None


def test_a_scorecard_that_was_lost_after_the_commit_is_found_again(tmp_path: Path) -> None:
    first = runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    name = first.scorecard["evaluation_id"]
    (tmp_path / "evaluations" / name / "scorecard.json").unlink()
    again = runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    assert again.scorecard["ledger"] == first.scorecard["ledger"]
    assert runner(tmp_path).ledger.fsck().records == 1


def test_a_bundle_that_was_lost_after_the_commit_is_not_made_anew_under_its_id(tmp_path: Path) -> None:
    import shutil

    runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    shutil.rmtree(tmp_path / "evaluations")
    with pytest.raises(StoreError, match="--again"):
        runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL)
    second = runner(tmp_path).evaluate(request_from(REQUEST), LEXICAL, again=True)
    assert second.scorecard["attempt"] == 1


def test_a_policy_may_have_every_evaluation_opened_on_the_ledger(tmp_path: Path) -> None:
    document = LEXICAL.document
    document["open_on_ledger"] = True
    outcome = runner(tmp_path).evaluate(request_from(REQUEST), Policy(document))
    _, *blocks = runner(tmp_path).ledger.export("blocks")
    functions = [json.loads(block)["data"]["function"] for block in blocks]
    assert functions == ["RegisterPolicy", "OpenEvaluation", "CommitScorecard"]
    assert outcome.scorecard["decision"] == "pass"


def test_the_judge_model_engine_is_refused_where_none_is_configured(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="judge model"):
        runner(tmp_path).evaluate(request_from(REQUEST), built_in("default"), "llm")


def test_any_judge_runs_alone(tmp_path: Path) -> None:
    judges = built_in("default").judges
    for judge in judges:
        others = [j for j in judges if j != judge]
        policy = compile_policy({"name": f"only-{judge.replace('_', '-')}", "extends": "default", "disable": others})
        outcome = runner(tmp_path).evaluate(request_from(REQUEST), policy)
        assert list(outcome.scorecard["judges"]) == [judge]
