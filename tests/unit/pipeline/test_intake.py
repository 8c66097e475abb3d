"""Intake fixes id, time and salt once; the same request is the same evaluation at any time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.files import FileDocuments
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import built_in
from glassbox.errors import StoreError
from glassbox.pipeline.intake import SCORECARD, Accepted, accept
from glassbox.pipeline.ports import Caller, Chance

REQUEST = {"query": "q", "answer": "a", "retrieved_passages": ["p"]}
CALLER = Caller("local", bytes(range(32)))


def take(home: Path, request: dict[str, Any] | None = None, **more: Any) -> Accepted:
    settings: dict[str, Any] = {"policy": built_in("default"), "engine": "local", **more}
    policy, engine = settings.pop("policy"), settings.pop("engine")
    return accept(request_from(request or REQUEST), policy, engine, CALLER, FileDocuments(home), **settings)


def finish(home: Path, accepted: Accepted) -> None:
    FileDocuments(home).put(accepted.evaluation_id, SCORECARD, {"done": True})


def test_the_same_request_is_the_same_evaluation_with_its_first_time_and_salt(tmp_path: Path) -> None:
    first, second = take(tmp_path), take(tmp_path)
    assert first.evaluation_id == second.evaluation_id
    assert first.document == second.document
    assert (first.committed, second.committed) == (False, False)


@pytest.mark.parametrize(
    "changed",
    [
        {"request": {**REQUEST, "answer": "b"}},
        {"request": {**REQUEST, "session_id": "s"}},
        {"policy": built_in("strict")},
        {"engine": "llm"},
        {"idempotency_key": "k"},
    ],
)
def test_whatever_matters_makes_another_evaluation(tmp_path: Path, changed: dict[str, Any]) -> None:
    assert take(tmp_path).evaluation_id != take(tmp_path, **changed).evaluation_id


def test_a_session_id_is_made_where_none_came_and_stays_at_a_retry(tmp_path: Path) -> None:
    made = take(tmp_path).document["request"]["session_id"]
    assert made
    assert take(tmp_path).document["request"]["session_id"] == made


def test_a_committed_evaluation_is_found_again(tmp_path: Path) -> None:
    first = take(tmp_path)
    finish(tmp_path, first)
    again = take(tmp_path)
    assert again.committed
    assert again.evaluation_id == first.evaluation_id


def test_another_attempt_supersedes_the_last_committed_one(tmp_path: Path) -> None:
    first = take(tmp_path)
    finish(tmp_path, first)
    second = take(tmp_path, again=True)
    assert (second.document["attempt"], second.document["supersedes"]) == (1, first.evaluation_id)
    assert take(tmp_path).evaluation_id == second.evaluation_id, "an attempt that was begun is gone on with"
    finish(tmp_path, second)
    assert take(tmp_path).evaluation_id == second.evaluation_id
    third = take(tmp_path, again=True)
    assert (third.document["attempt"], third.document["supersedes"]) == (2, second.evaluation_id)


def test_again_without_a_commit_is_the_first_attempt(tmp_path: Path) -> None:
    assert take(tmp_path, again=True).document["attempt"] == 0


def test_what_the_ledger_holds_is_not_evaluated_under_its_id_anew(tmp_path: Path) -> None:
    first = take(tmp_path / "a").evaluation_id
    with pytest.raises(StoreError, match="--again"):
        take(tmp_path / "b", on_ledger=lambda i: i == first)
    second = take(tmp_path / "b", on_ledger=lambda i: i == first, again=True)
    assert second.document["supersedes"] == first


def test_time_and_salt_come_from_the_chance_alone(tmp_path: Path) -> None:
    chance = Chance(now=lambda: "2026-01-02T03:04:05.006Z", salt=lambda: "ab" * 32)
    document = take(tmp_path, chance=chance).document
    assert (document["created_at"], document["salt"]) == ("2026-01-02T03:04:05.006Z", "ab" * 32)


def test_the_secret_is_in_no_document_and_no_repr(tmp_path: Path) -> None:
    assert CALLER.secret.hex() not in repr(CALLER)
    document = take(tmp_path).document
    assert CALLER.secret.hex() not in str(document)
