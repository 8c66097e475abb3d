"""End to end on the emulator: by webhook, by queue, by batch; the state that is shown; what is put right by redrive."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx

from glassbox.stack.state import load
from tests.functions.requests import body
from tests.stack.conftest import ROOT, Running, run


def written(tmp_path: Path, *texts: str) -> list[str]:
    paths = [tmp_path / f"request-{number}.json" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def until(running: Running, done: Any, *, seconds: float = 120.0) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status: dict[str, Any] = running.command("status")
        if done(status):
            return status
        time.sleep(0.5)
    raise AssertionError(status)


def test_a_request_goes_by_webhook_and_by_queue_to_the_ledger(running: Running, tmp_path: Path) -> None:
    first, second = written(tmp_path, body(), body())
    (by_webhook,) = running.command("send", first, check=False)
    (by_queue,) = running.command("send", second, "--via", "queue", check=False)
    for told in (by_webhook, by_queue):
        assert told["ledger"]["backend"] == "fabric"
        assert told["states"]["operational"] == "completed"


def test_the_real_models_judge_an_example(running: Running, tmp_path: Path) -> None:
    example = json.loads((ROOT / "examples/requests/2-invented-name-and-changed-number.json").read_text())
    (path,) = written(tmp_path, json.dumps({**example, "policy": "default"}))
    (told,) = running.command("send", path, check=False)
    assert told["decision"] == "fail"
    assert {flag["code"] for flag in told["flags"]} >= {"number_mismatch"}
    assert told["judges"]["semantic_faithfulness"]["engine"] == "local"


def test_the_status_says_what_it_runs_on(running: Running) -> None:
    status = running.command("status")
    assert "simulator of AWS" in status["where"]
    assert "development peer" in status["where"]
    assert status["ledger"]["height"] > 0


def test_an_unreadable_message_is_shown_with_its_reason(running: Running) -> None:
    running.client("sqs").send_message(QueueUrl=running.target.outputs["EvaluationsQueueUrl"], MessageBody="no JSON")
    until(running, lambda s: s["queues"]["evaluations, dead letters"]["waiting"] == 1)
    told = running.command("redrive")
    assert told["messages"][0]["problem"]["type"] == "urn:glassbox:problem:request-invalid"


def test_a_batch_takes_in_every_line_once(running: Running) -> None:
    before = running.command("status")["evaluations"].get("committed", 0)
    bucket, key = running.target.outputs["PayloadsBucket"], "tenants/local/uploads/lines.jsonl"
    lines = "\n".join(body() for _ in range(5))
    running.client("s3").put_object(Bucket=bucket, Key=key, Body=lines.encode())
    running.command("batch", f"s3://{bucket}/{key}")
    status = until(running, lambda s: s["evaluations"].get("committed", 0) == before + 5)
    assert status["evaluations"].get("needs_attention", 0) == 0


def test_an_erased_evaluation_keeps_its_record_and_loses_its_texts(running: Running, tmp_path: Path) -> None:
    (path,) = written(tmp_path, body())
    (told,) = running.command("send", path, check=False)
    assert run(running.folder, "erase", told["evaluation_id"], "--yes").returncode == 0
    stack = load(running.folder)
    with httpx.Client(trust_env=False, headers={"x-api-key": stack.api_key}) as http:
        answer = http.get(f"{stack.api_url}/{told['evaluation_id']}/bundle")
    assert (answer.status_code, answer.json()["type"]) == (410, "urn:glassbox:problem:erased")


def test_the_ledger_of_the_stack_passes_its_walk(running: Running) -> None:
    from glassbox.ledger.fabric.ledger import FabricLedger
    from glassbox.ledger.fabric.pending import FilePendingStore
    from glassbox.ledger.fabric.profile import read_profile

    stack = load(running.folder)
    with FabricLedger(read_profile(stack.profile), FilePendingStore(running.folder / "pending")) as ledger:
        report = ledger.fsck()
    assert report.intact, report.findings
    assert report.records == running.command("status")["evaluations"]["committed"]
