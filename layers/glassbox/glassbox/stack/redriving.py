"""Redriving: evaluations that need attention run again, and messages that could not be read are handed over again."""

from __future__ import annotations

import json
from typing import Any

from glassbox.errors import UsageError
from glassbox.stack.target import Target
from glassbox.stack.watching import scan_records


def redrive(target: Target, only: str | None = None) -> list[dict[str, Any]]:
    """Return the evaluations that were started again, each with its new run.

    What was judged and aggregated is used again; only what was missing is done. Two redrives at once start one run.
    """
    started = []
    for record in scan_records(target):
        if (only is not None and record["id"] != only) or not _stuck(target, record):
            continue
        run = int(record["run"])
        if not _next_run(target, record["id"], run):
            continue
        message = _input(target, record["id"], run)
        message["run"] = run + 1
        target.client("stepfunctions").start_execution(
            stateMachineArn=target.outputs["StateMachineArn"],
            name=f"{record['id']}-{run + 1}",
            input=json.dumps(message),
        )
        reason = record["reason"] or f"its execution ended while it was {record['state']}"
        started.append({"id": record["id"], "run": run + 1, "reason": reason})
    return started


def _stuck(target: Target, record: dict[str, str]) -> bool:
    """Return whether nobody works on an evaluation any more: it says so, or its execution was ended from outside."""
    if record["state"] == "committed":
        return False
    if record["state"] == "needs_attention":
        return True
    from botocore.exceptions import ClientError

    arn = target.outputs["StateMachineArn"].replace(":stateMachine:", ":execution:")
    try:
        told = target.client("stepfunctions").describe_execution(executionArn=f"{arn}:{record['id']}-{record['run']}")
    except ClientError:
        return False
    return told["status"] in ("FAILED", "TIMED_OUT", "ABORTED")


def _next_run(target: Target, evaluation_id: str, run: int) -> bool:
    from botocore.exceptions import ClientError

    try:
        target.client("dynamodb").update_item(
            TableName=target.outputs["RecordsTable"],
            Key={"pk": {"S": f"E#{evaluation_id}"}, "sk": {"S": "RECORD"}},
            UpdateExpression="SET #run = :next, #state = :state, #reason = :none",
            ConditionExpression="#run = :run AND #state <> :done",
            ExpressionAttributeNames={"#run": "run", "#state": "state", "#reason": "reason"},
            ExpressionAttributeValues={
                ":next": {"N": str(run + 1)},
                ":run": {"N": str(run)},
                ":state": {"S": "judging"},
                ":done": {"S": "committed"},
                ":none": {"S": ""},
            },
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise
    return True


def _input(target: Target, evaluation_id: str, run: int) -> dict[str, Any]:
    arn = target.outputs["StateMachineArn"].replace(":stateMachine:", ":execution:")
    told = target.client("stepfunctions").describe_execution(executionArn=f"{arn}:{evaluation_id}-{run}")
    value: dict[str, Any] = json.loads(told["input"])
    return value


def dead_letters(target: Target, *, again: bool = False, most: int = 1000) -> list[dict[str, Any]]:
    """Return the messages that could not be taken in, each with its reason; `again` hands them over once more.

    All of them are read before the first is handed over: one that fails again is back within a second, and has its
    turn in the next call.
    """
    sqs, url = target.client("sqs"), target.outputs["EvaluationsDeadLettersUrl"]
    found: dict[str, dict[str, Any]] = {}
    while len(found) < most:
        got = sqs.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=10,
            VisibilityTimeout=60 if again else 5,
            MessageAttributeNames=["All"],
            WaitTimeSeconds=0,
        ).get("Messages", [])
        fresh = {m["MessageId"]: m for m in got if m["MessageId"] not in found}
        if not fresh:
            break
        found |= fresh
    if again:
        for message in found.values():
            _hand_over(target, message)
    return [_told(message) for message in found.values()]


def _told(message: dict[str, Any]) -> dict[str, Any]:
    problem = message.get("MessageAttributes", {}).get("problem", {}).get("StringValue")
    return {"message_id": message["MessageId"], "problem": json.loads(problem or "{}")}


def _hand_over(target: Target, message: dict[str, Any]) -> None:
    kept = {k: v for k, v in message.get("MessageAttributes", {}).items() if k != "problem"}
    target.client("sqs").send_message(
        QueueUrl=target.outputs["EvaluationsQueueUrl"],
        MessageBody=message["Body"],
        MessageAttributes={k: {"DataType": v["DataType"], "StringValue": v["StringValue"]} for k, v in kept.items()},
    )
    target.client("sqs").delete_message(
        QueueUrl=target.outputs["EvaluationsDeadLettersUrl"], ReceiptHandle=message["ReceiptHandle"]
    )


def erase(target: Target, evaluation_id: str) -> None:
    """Destroy the wrapped data key of an evaluation; raises UsageError where there is none."""
    old = target.client("dynamodb").delete_item(
        TableName=target.outputs["RecordsTable"],
        Key={"pk": {"S": f"E#{evaluation_id}"}, "sk": {"S": "KEY"}},
        ReturnValues="ALL_OLD",
    )
    if not old.get("Attributes"):
        raise UsageError(
            "There is no key to destroy",
            where=printable_id(evaluation_id),
            fix="Check the id; it may have been erased before",
        )


def printable_id(text: str) -> str:
    """Return an id as it may be shown."""
    return "".join(c for c in text if c.isalnum() or c == "-")[:40]
