"""An evaluation through the deployment: taken in, judged, aggregated, committed, read."""

from __future__ import annotations

import json
import time

import boto3

from tests.functions.deployed import Deployed
from tests.functions.requests import body


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
    assert told["scorecard"]["evidence"]["uri"].startswith("s3://")
    bundle = stack.get(f"/v1/evaluations/{evaluation_id}/bundle")["json"]
    assert bundle["content"]["request"]["query"].startswith("How long")
    assert stack.get(f"/v1/evaluations/{evaluation_id}/proof")["statusCode"] == 200


def test_the_same_payload_by_webhook_and_by_queue_is_the_same_evaluation(stack: Deployed) -> None:
    sender = stack.own_sender()
    stack.name_tenant("S", sender, "tenant-one")
    text = body()
    first = stack.post(text)["json"]["id"]
    stack.finished(first)
    committed = stack.get(f"/v1/evaluations/{first}")["json"]["scorecard"]
    stack.send(text)
    stack.drained("Evaluations")
    again = stack.post(text)
    assert (again["statusCode"], again["json"]) == (202, {"id": first, "status": "committed"})
    assert stack.get(f"/v1/evaluations/{first}")["json"]["scorecard"] == committed
    assert stack.waiting("EvaluationsDeadLetters") == 0


def test_a_key_that_comes_with_another_payload_is_refused_and_the_first_evaluation_stays(stack: Deployed) -> None:
    first = stack.post(body(), headers={"Idempotency-Key": "order-7"})["json"]["id"]
    stack.finished(first)
    refused = stack.post(body(), headers={"Idempotency-Key": "order-7"})
    assert refused["statusCode"] == 422
    assert refused["json"]["type"] == "urn:glassbox:problem:key-reused"
    assert stack.get(f"/v1/evaluations/{first}")["json"]["status"] == "committed"


def test_usage_counts_each_evaluation_once(stack: Deployed) -> None:
    key = "tenant-usage"
    ids = []
    for _ in range(2):
        text = body()
        ids = [stack.post(text, key=key)["json"]["id"] for _ in range(3)]
        stack.finished(ids[0])
    month = stack.get(f"/v1/evaluations/{ids[0]}", key=key)["json"]["created_at"][:7]
    usage = stack.get("/v1/usage", key=key, query={"month": month})["json"]
    assert usage["evaluations"] == 2
    assert usage["llm_calls"] == 0


def test_nothing_that_is_stored_holds_the_text_in_the_clear(stack: Deployed) -> None:
    secret_word = "zyzzyvoid"
    evaluation_id = stack.post(body(query=f"What of the {secret_word}?"))["json"]["id"]
    stack.finished(evaluation_id)
    s3 = boto3.client("s3")
    objects = [
        (bucket, item["Key"])
        for bucket in (stack.resources["Payloads"], stack.resources["Evidence"])
        for item in s3.list_objects_v2(Bucket=bucket)["Contents"]
        if evaluation_id in item["Key"]
    ]
    assert len(objects) >= 6
    for bucket, key in objects:
        assert secret_word.encode() not in s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    for item in boto3.client("dynamodb").scan(TableName=stack.resources["Records"])["Items"]:
        assert secret_word not in json.dumps(item, default=str)


def test_an_execution_carries_no_text_and_stays_far_below_its_limit(stack: Deployed) -> None:
    evaluation_id = stack.post(body(answer="zyzzyvoid " * 2000))["json"]["id"]
    ended = stack.finished(evaluation_id)
    assert "zyzzyvoid" not in ended["input"] + ended.get("output", "")
    assert len(ended["input"]) < 4096


def test_the_destroyed_key_of_an_evaluation_erases_its_texts_for_good(stack: Deployed) -> None:
    from glassbox.adapters.aws.records import Records
    from glassbox.adapters.aws.sealing import forget_data_keys

    evaluation_id = stack.post(body())["json"]["id"]
    stack.finished(evaluation_id)
    Records(stack.resources["Records"]).destroy_key(evaluation_id)
    forget_data_keys()
    answer = stack.get(f"/v1/evaluations/{evaluation_id}/bundle")
    assert answer["statusCode"] == 410
    assert answer["json"]["type"] == "urn:glassbox:problem:erased"


def test_acceptance_waits_for_no_judge(stack: Deployed) -> None:
    def slow(_event: object) -> None:
        time.sleep(0.5)

    for judge in ("contextual_precision", "semantic_faithfulness", "structural_fidelity"):
        stack.before[judge] = slow
    answer = stack.post(body())
    told = stack.get(f"/v1/evaluations/{answer['json']['id']}")["json"]
    assert told["status"] in ("received", "judging")
    assert stack.finished(answer["json"]["id"])["status"] == "SUCCEEDED"
