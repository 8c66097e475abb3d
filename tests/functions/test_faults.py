"""Faults: whatever breaks, nothing that was acknowledged is lost, and nothing is committed twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from glassbox.adapters.aws import ledger as ledger_module
from glassbox.errors import LedgerUnavailable
from glassbox.stack.redriving import dead_letters, redrive
from tests.functions.deployed import Deployed
from tests.functions.requests import body

JUDGES = ("contextual_precision", "semantic_faithfulness", "structural_fidelity")


def failing(times: int, error: Callable[[], BaseException]) -> Callable[[dict[str, Any]], None]:
    """Return a hook that breaks the first calls of a function."""
    left = [times]

    def hook(_event: dict[str, Any]) -> None:
        if left[0] > 0:
            left[0] -= 1
            raise error()

    return hook


class Killed(BaseException):
    """A function that ends in the middle of its work, as a kill ends it: nothing of ours gets to handle it."""


@pytest.mark.parametrize("judge", JUDGES)
def test_a_judge_that_is_killed_once_is_handed_the_message_again(stack: Deployed, judge: str) -> None:
    stack.before[judge] = failing(1, Killed)
    evaluation_id = stack.post(body(policy="default"))["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    assert stack.get(f"/v1/evaluations/{evaluation_id}")["json"]["status"] == "committed"


@pytest.mark.parametrize("function", ["aggregator", "ledger"])
def test_a_function_of_the_state_machine_that_is_killed_is_called_again(stack: Deployed, function: str) -> None:
    stack.before[function] = failing(2, Killed)
    evaluation_id = stack.post(body())["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"


def test_a_ledger_function_that_is_killed_after_the_commit_commits_once(stack: Deployed) -> None:
    handler = stack.modules["ledger"].handler
    died = []

    def dies_after(event: dict[str, Any], context: Any) -> Any:
        answer = handler(event, context)
        if not died:
            died.append(answer)
            raise Killed
        return answer

    stack.modules["ledger"].handler = dies_after
    try:
        evaluation_id = stack.post(body())["json"]["id"]
        assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    finally:
        stack.modules["ledger"].handler = handler
    history = ledger_module.ledger().history(evaluation_id)
    assert len(history["writes"]) == 1
    scorecard = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]["scorecard"]
    assert scorecard["ledger"]["block"] == died[0]["block"]


def test_an_intake_that_is_killed_leaves_the_message_for_the_next(stack: Deployed) -> None:
    stack.name_tenant("S", stack.own_sender(), "tenant-killed")
    stack.before["intake"] = failing(2, Killed)
    stack.send(body(), idempotency_key="killed-intake")
    record = stack.record_by_key("killed-intake")
    assert stack.finished(record["id"])["status"] == "SUCCEEDED"


def test_a_judge_that_fails_for_good_needs_attention_and_goes_through_after_a_redrive(stack: Deployed) -> None:
    stack.modules["structural_fidelity"].handler = broken_for_good(stack, "structural_fidelity")
    evaluation_id = stack.post(body())["json"]["id"]
    try:
        assert stack.finished(evaluation_id)["status"] == "FAILED"
    finally:
        stack.modules["structural_fidelity"].handler = stack.handlers["structural_fidelity"]
    told = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]
    assert (told["status"], told["reason"]) == ("needs_attention", "judge_failed:structural_fidelity")
    stack.before.clear()
    assert [item["id"] for item in redrive(stack.target(), evaluation_id)] == [evaluation_id]
    assert redrive(stack.target(), evaluation_id) == []
    assert stack.finished(evaluation_id, run=1)["status"] == "SUCCEEDED"
    assert stack.get(f"/v1/evaluations/{evaluation_id}")["json"]["status"] == "committed"


def broken_for_good(stack: Deployed, judge: str) -> Callable[..., Any]:
    """Return a handler whose judge raises what no second try can mend."""
    from glassbox.adapters.aws import judge_function
    from glassbox.errors import ModelError

    def handler(event: dict[str, Any], context: Any) -> Any:
        patch = pytest.MonkeyPatch()
        try:
            patch.setattr(judge_function, "judge_named", lambda _name: raising)
            return stack.handlers[judge](event, context)
        finally:
            patch.undo()

    def raising(*_arguments: Any) -> Any:
        raise ModelError("The model is gone", where="model.onnx")

    stack.before.pop(judge, None)
    return handler


def test_a_ledger_that_is_away_for_a_while_gets_the_record_when_it_is_back(
    stack: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ledger_module.ledger()
    left = [2]

    def away(record: Any, policy: Any) -> Any:
        if left[0] > 0:
            left[0] -= 1
            raise LedgerUnavailable("The ledger is away")
        return original(record, policy)

    original = real.commit
    monkeypatch.setattr(real, "commit", away)
    evaluation_id = stack.post(body())["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    assert left == [0]


def test_a_ledger_that_stays_away_keeps_everything_for_a_redrive(
    stack: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ledger_module.ledger()

    def away(_record: Any, _policy: Any) -> Any:
        raise LedgerUnavailable("The ledger is away")

    with monkeypatch.context() as patched:
        patched.setattr(real, "commit", away)
        evaluation_id = stack.post(body())["json"]["id"]
        assert stack.finished(evaluation_id)["status"] == "FAILED"
    told = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]
    assert (told["status"], told["reason"]) == ("needs_attention", "ledger_unavailable")
    redrive(stack.target(), evaluation_id)
    assert stack.finished(evaluation_id, run=1)["status"] == "SUCCEEDED"


def test_every_message_may_come_twice(stack: Deployed) -> None:
    stack.name_tenant("S", stack.own_sender(), "tenant-twice")
    text = body()
    for _ in range(3):
        stack.send(text, idempotency_key="twice")
    record = stack.record_by_key("twice")
    assert stack.finished(record["id"])["status"] == "SUCCEEDED"
    task = {"evaluation_id": record["id"], "tenant": "tenant-twice", "judge": "structural_fidelity"}
    boto3.client("sqs").send_message(
        QueueUrl=stack.url("StructuralFidelityQueue"), MessageBody=json.dumps({**task, "task_token": "long gone"})
    )
    stack.drained("StructuralFidelityQueue")
    assert stack.waiting("JudgesDeadLetters") == 0
    month = stack.get(f"/v1/evaluations/{record['id']}", key="tenant-twice")["json"]["created_at"][:7]
    assert stack.get("/v1/usage", key="tenant-twice", query={"month": month})["json"]["evaluations"] == 1


def test_what_can_not_be_read_is_in_the_dead_letters_with_its_reason(stack: Deployed) -> None:
    stack.name_tenant("S", stack.own_sender(), "tenant-poison")
    stack.send('{"query": "zyzzyvoid", "answer": 5}')
    stack.drained("Evaluations")
    (found,) = dead_letters(stack.target())
    assert found["problem"]["type"] == "urn:glassbox:problem:request-invalid"
    assert {item["path"] for item in found["problem"]["errors"]} >= {"$.answer", "$.retrieved_passages"}
    assert "zyzzyvoid" not in json.dumps(found)


def test_a_payload_that_is_gone_needs_attention(stack: Deployed) -> None:
    def removed(event: dict[str, Any]) -> None:
        task = json.loads(event["Records"][0]["body"])
        key = f"tenants/{task['tenant']}/evaluations/{task['evaluation_id']}/intake.json"
        boto3.client("s3").delete_object(Bucket=stack.resources["Payloads"], Key=key)

    stack.before["structural_fidelity"] = removed
    evaluation_id = stack.post(body())["json"]["id"]
    assert stack.finished(evaluation_id, seconds=90)["status"] == "FAILED"
    assert stack.record(evaluation_id)["state"] == "needs_attention"
