"""Where a deployment stands: executions, queues, dead letters, evaluations, the ledger, the last errors."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from glassbox.stack.target import Target

_NAMES: Final = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
_PAGES: Final = 50


def status(target: Target) -> dict[str, Any]:
    """Return the deployment's state as a JSON object."""
    records = scan_records(target)
    return {
        "where": target.where,
        "executions": _executions(target, "StateMachineArn"),
        "batches": _executions(target, "BatchStateMachineArn"),
        "last_errors": _last_errors(target),
        "queues": _queues(target),
        "evaluations": dict(sorted(Counter(r["state"] for r in records).items())),
        "needs_attention": [{"id": r["id"], "reason": r["reason"]} for r in records if r["state"] == "needs_attention"][
            :20
        ],
        "ledger": None if target.stack is None else _ledger(target),
    }


def scan_records(target: Target) -> list[dict[str, str]]:
    """Return the line of every evaluation in the table: id, tenant, state, reason, run, created_at."""
    found: list[dict[str, str]] = []
    arguments: dict[str, Any] = {
        "TableName": target.outputs["RecordsTable"],
        "FilterExpression": "sk = :record",
        "ExpressionAttributeValues": {":record": {"S": "RECORD"}},
    }
    for _ in range(_PAGES):
        page = target.client("dynamodb").scan(**arguments)
        for item in page["Items"]:
            plain = {name: next(iter(value.values())) for name, value in item.items()}
            found.append({**plain, "id": plain["pk"].removeprefix("E#")})
        if "LastEvaluatedKey" not in page:
            break
        arguments["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return sorted(found, key=lambda r: (r["created_at"], r["id"]))


def _last_errors(target: Target) -> list[dict[str, str]]:
    """Return what the newest failed executions ended with, evaluations and batches; codes, never text."""
    found = []
    for output in ("StateMachineArn", "BatchStateMachineArn"):
        if output not in target.outputs:
            continue
        machine = target.client("stepfunctions")
        failed = machine.list_executions(stateMachineArn=target.outputs[output], statusFilter="FAILED", maxResults=5)[
            "executions"
        ]
        for execution in failed:
            told = machine.describe_execution(executionArn=execution["executionArn"])
            error = told.get("error") or "failed"
            # A batch's cause may quote a line of the dataset; an evaluation's is a code of ours.
            cause = told.get("cause") if output == "StateMachineArn" else ""
            found.append({"execution": execution["name"], "error": error, "cause": cause or ""})
    return found


def _executions(target: Target, output: str) -> dict[str, int]:
    counted: Counter[str] = Counter()
    if output not in target.outputs:
        return {}
    arguments: dict[str, Any] = {"stateMachineArn": target.outputs[output], "maxResults": 1000}
    for _ in range(_PAGES):
        page = target.client("stepfunctions").list_executions(**arguments)
        counted.update(execution["status"] for execution in page["executions"])
        if not page.get("nextToken"):
            break
        arguments["nextToken"] = page["nextToken"]
    return dict(sorted(counted.items()))


def _queues(target: Target) -> dict[str, dict[str, int]]:
    sqs = target.client("sqs")
    found = {}
    for label, output in (
        ("evaluations", "EvaluationsQueueUrl"),
        ("evaluations, dead letters", "EvaluationsDeadLettersUrl"),
        ("judges, dead letters", "JudgesDeadLettersUrl"),
    ):
        told = sqs.get_queue_attributes(QueueUrl=target.outputs[output], AttributeNames=list(_NAMES))["Attributes"]
        found[label] = {"waiting": int(told[_NAMES[0]]), "under_way": int(told[_NAMES[1]])}
    return found


def _ledger(target: Target) -> dict[str, Any]:
    """Return what the ledger runs on and how high it is; an error in words where it doesn't answer."""
    from glassbox.errors import GlassBoxError

    stack = target.stack
    if stack is None:
        return {}
    told: dict[str, Any] = {"backend": stack.ledger}
    try:
        from glassbox.ledger.fabric.ledger import FabricLedger
        from glassbox.ledger.fabric.pending import FilePendingStore
        from glassbox.ledger.fabric.profile import read_profile

        with FabricLedger(read_profile(stack.profile), FilePendingStore(stack.path / "pending")) as ledger:
            told["height"] = ledger.checkpoint()["number"]
    except GlassBoxError as error:
        told["error"] = error.what
    return told
