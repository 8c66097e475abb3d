"""Sending requests to a deployment, by webhook or by queue, and waiting for what becomes of them."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from glassbox.errors import InputError, StoreError, UsageError
from glassbox.stack.state import Stack
from glassbox.stack.target import Target

Via = Literal["webhook", "queue"]
_POLL: Final = 0.1


@dataclass(frozen=True, slots=True)
class Sent:
    """One request on its way."""

    where: str
    key: str
    evaluation_id: str | None
    """Known at once by webhook; by queue when its record appears."""
    problem: dict[str, Any] | None = None


def by_webhook(stack: Stack, where: str, body: bytes) -> Sent:
    """Return the evaluation that the webhook accepted, or the problem that it answered with."""
    import httpx

    key = str(uuid.uuid4())
    headers = {"x-api-key": stack.api_key, "content-type": "application/json", "idempotency-key": key}
    try:
        with httpx.Client(trust_env=False, timeout=60.0) as http:
            answer = http.post(stack.api_url, content=body, headers=headers)
    except httpx.HTTPError as error:
        raise StoreError(f"The webhook doesn't answer ({type(error).__name__})", where=stack.endpoint) from None
    try:
        told = answer.json()
    except ValueError:
        told = {"title": f"HTTP {answer.status_code}", "status": answer.status_code}
    if answer.status_code != 202:
        return Sent(where, key, None, told)
    return Sent(where, key, str(told["id"]))


def by_queue(target: Target, where: str, body: bytes) -> Sent:
    """Return what was sent to the evaluations queue; who it is for follows from the sender."""
    if len(body) > 1_048_576:
        raise InputError("The request is too large for a message", where=where, fix="Send it by pointer, or shorten it")
    key = str(uuid.uuid4())
    target.client("sqs").send_message(
        QueueUrl=target.outputs["EvaluationsQueueUrl"],
        MessageBody=body.decode("utf-8"),
        MessageAttributes={"idempotency_key": {"DataType": "String", "StringValue": key}},
    )
    return Sent(where, key, None)


def read(path: Path) -> bytes:
    """Return a request's bytes; raises UsageError where the file can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(error.strerror or type(error).__name__, where=str(path), fix="Name a request's file") from None


def wait(stack: Stack, evaluation_id: str, seconds: float) -> dict[str, Any]:
    """Return an evaluation's status once it is committed or needs attention; raises StoreError after `seconds`."""
    import httpx

    until = time.monotonic() + seconds
    address = f"{stack.api_url}/{evaluation_id}"
    with httpx.Client(trust_env=False, timeout=30.0, headers={"x-api-key": stack.api_key}) as http:
        while time.monotonic() < until:
            try:
                answer = http.get(address)
                told = answer.json() if answer.status_code == 200 else {}
            except (httpx.HTTPError, ValueError):
                told = {}
            if told.get("status") in ("committed", "needs_attention"):
                return dict(told)
            time.sleep(_POLL)
    raise StoreError(
        "The evaluation is not finished yet", where=evaluation_id, fix="`glassbox stack status` shows where it stands"
    )


def queue_evaluation(target: Target, tenant: str, key: str, seconds: float) -> str:
    """Return the id of the evaluation that a queued message became; raises StoreError after `seconds`.

    The queue answers nothing, so the table is searched for the newest record of the tenant that came with this key.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = target.client("dynamodb").scan(
            TableName=target.outputs["RecordsTable"],
            FilterExpression="sk = :record AND tenant = :tenant AND #key = :key",
            ExpressionAttributeNames={"#key": "key"},
            ExpressionAttributeValues={
                ":record": {"S": "RECORD"},
                ":tenant": {"S": tenant},
                ":key": {"S": key},
            },
        )["Items"]
        if found:
            return str(found[0]["pk"]["S"]).removeprefix("E#")
        time.sleep(_POLL)
    raise StoreError(
        "The message was not taken in yet", where="the evaluations queue", fix="See `glassbox stack status`"
    )


def curl(stack: Stack, file: str) -> str:
    """Return the line that sends a request with curl."""
    return (
        f"curl -sS -X POST {stack.api_url} -H 'x-api-key: {stack.api_key}' "
        f"-H 'content-type: application/json' --data-binary @{json.dumps(file)[1:-1]}"
    )
