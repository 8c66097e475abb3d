"""A judge's result is stored before it counts, is used again, and its failure gives no text away."""

from __future__ import annotations

from pathlib import Path

import pytest

from glassbox.adapters.local.files import FileDocuments
from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import Policy, built_in
from glassbox.contract.request import Request
from glassbox.errors import JudgeError
from glassbox.pipeline.intake import Accepted, accept
from glassbox.pipeline.judging import run_judge
from glassbox.pipeline.ports import Caller

SECRET_TEXT = "patient Mary Holloway"
RESULT = JudgeResult(
    judge="j", question="Is it?", engine="local", measurements=(Measurement.scored("m", 0.5, "m|test"),)
)


def accepted(home: Path) -> Accepted:
    request = request_from({"query": "q", "answer": SECRET_TEXT, "retrieved_passages": ["p"]})
    return accept(request, built_in("default"), "local", Caller("local", bytes(32)), FileDocuments(home))


def test_a_stored_result_is_used_again(tmp_path: Path) -> None:
    calls = []

    def judge(request: Request, policy: Policy) -> JudgeResult:
        calls.append(request.answer)
        return RESULT

    one = accepted(tmp_path)
    documents = FileDocuments(tmp_path)
    assert run_judge("j", judge, one, built_in("default"), documents) == RESULT
    assert run_judge("j", judge, one, built_in("default"), documents) == RESULT
    assert len(calls) == 1


def test_a_broken_judge_tells_kind_and_place_but_no_text(tmp_path: Path) -> None:
    def judge(request: Request, policy: Policy) -> JudgeResult:
        raise ValueError(f"can't read {request.answer!r}")

    with pytest.raises(JudgeError) as caught:
        run_judge("j", judge, accepted(tmp_path), built_in("default"), FileDocuments(tmp_path))
    assert "ValueError" in str(caught.value)
    assert "test_judging.py" in str(caught.value)
    assert SECRET_TEXT not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.retryable
