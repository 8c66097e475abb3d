"""An evaluation through the deployment: taken in, judged, aggregated, committed, read; and nothing lost on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.functions.deployed import Deployed, deploy

REQUEST = {
    "query": "How long is the kettle's warranty?",
    "answer": "The kettle comes with a warranty of 24 months.",
    "retrieved_passages": [
        {"text": "Every kettle comes with a warranty of 24 months from the day of purchase.", "score": 0.9},
        {"text": "The shop opens at nine on weekdays.", "score": 0.2},
        {"text": "Repairs under the warranty of 24 months are free of charge.", "score": 0.7},
    ],
}


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    with deploy(tmp_path / "home", monkeypatch) as deployed:
        yield deployed


def body(**changes: Any) -> str:
    return json.dumps({**REQUEST, **changes})


def test_a_webhook_is_accepted_before_any_judge_runs_and_ends_committed(stack: Deployed) -> None:
    answer = stack.post(body())
    assert answer["statusCode"] == 202
    evaluation_id = answer["json"]["id"]
    assert answer["multiValueHeaders"]["location"] == [f"/v1/evaluations/{evaluation_id}"]
    ended = stack.finished(evaluation_id)
    assert ended["status"] == "SUCCEEDED", ended.get("cause")
    told = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]
    assert told["status"] == "committed"
    assert told["scorecard"]["ledger"]["record_id"] == evaluation_id
    assert (
        stack.get(f"/v1/evaluations/{evaluation_id}/bundle")["json"]["content"]["request"]["query"] == REQUEST["query"]
    )
    assert stack.get(f"/v1/evaluations/{evaluation_id}/proof")["statusCode"] == 200
    usage = stack.get("/v1/usage", query={"month": told["created_at"][:7]})["json"]
    assert usage["evaluations"] == 1
