"""Records in DynamoDB: where each evaluation stands, whose it is, and what a tenant has used."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from glassbox.adapters.aws.clients import as_store_error, client, error_code

State = Literal["received", "judging", "aggregated", "committed", "needs_attention"]

_CONDITION: Final = "ConditionalCheckFailedException"
_DAY: Final = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One evaluation's line in the table."""

    evaluation_id: str
    tenant: str
    state: str
    run: int
    """How often an execution was started for it; part of the execution's name."""
    created_at: str
    policy: str
    engine: str
    attempt: int
    reason: str = ""
    """Why it needs attention, as a short code."""
    decision: str = ""
    callback: str = ""
    """`delivered`, `refused`, `failed` or empty."""
    key: str = ""
    """The sender's idempotency key, by which what came by queue is found again."""


class Records:
    """The table of one deployment."""

    def __init__(self, table: str) -> None:
        self._table = table

    def tenant_of(self, kind: Literal["K", "H", "S"], identity: str) -> str | None:
        """Return the tenant that an API key's id (`K`), its digest (`H`) or a queue sender's id (`S`) stands for."""
        item = self._get(f"{kind}#{identity}", "TENANT")
        return str(item["tenant"]["S"]) if item else None

    def receive(self, record: Record, retention_days: int) -> Record:
        """Return the evaluation's line, written now if there was none."""
        item = {
            "pk": _s(f"E#{record.evaluation_id}"),
            "sk": _s("RECORD"),
            "expires": _n(int(time.time()) + retention_days * _DAY),
            **{name: _s(getattr(record, name)) for name in _TEXTS},
            "run": _n(record.run),
            "attempt": _n(record.attempt),
        }
        if self._put(item, only_new=True):
            return record
        return self.get(record.evaluation_id) or record

    def get(self, evaluation_id: str) -> Record | None:
        """Return an evaluation's line, or None."""
        item = self._get(f"E#{evaluation_id}", "RECORD")
        if item is None:
            return None
        return Record(
            evaluation_id=evaluation_id,
            run=int(item["run"]["N"]),
            attempt=int(item["attempt"]["N"]),
            **{name: item.get(name, _s(""))["S"] for name in _TEXTS},
        )

    def advance(self, evaluation_id: str, state: State, **more: str) -> None:
        """Set where an evaluation stands; one that is committed stays so."""
        names = {"#state": "state", **{f"#{name}": name for name in more}}
        values = {":state": _s(state), ":done": _s("committed"), **{f":{k}": _s(v) for k, v in more.items()}}
        sets = ", ".join(["#state = :state", *(f"#{name} = :{name}" for name in more)])
        condition = "attribute_exists(pk) AND (#state <> :done OR :state = :done)"
        self._update(f"E#{evaluation_id}", f"SET {sets}", condition, names, values)

    def begin_judging(self, evaluation_id: str) -> None:
        """Note that an execution runs, unless it is further already."""
        self._update(
            f"E#{evaluation_id}",
            "SET #state = :next",
            "#state = :from",
            {"#state": "state"},
            {":next": _s("judging"), ":from": _s("received")},
        )

    def note_callback(self, evaluation_id: str, how: Literal["delivered", "refused"]) -> None:
        """Note how the callback of an evaluation ended."""
        self._update(
            f"E#{evaluation_id}",
            "SET #callback = :how",
            "attribute_exists(pk)",
            {"#callback": "callback"},
            {":how": _s(how)},
        )

    def count_usage(self, evaluation_id: str, tenant: str, scorecard: Mapping[str, Any]) -> bool:
        """Add a committed evaluation to its tenant's month, once however often it is called; return whether it did.

        Tokens and cost that a judge model didn't tell are counted as calls of unknown size, never as nothing.
        """
        from botocore.exceptions import ClientError

        usage = scorecard["usage"]
        month = str(scorecard["created_at"])[:7]
        counts = (
            1,
            usage["llm_calls"],
            usage["input_tokens"] or 0,
            usage["output_tokens"] or 0,
            round((usage["cost_usd"] or 0) * 1_000_000),
            int(usage["cost_usd"] is None),
            usage["duration_ms"],
        )
        added = dict(zip(COUNTERS, counts, strict=True))
        update = {
            "TableName": self._table,
            "Key": {"pk": _s(f"T#{tenant}"), "sk": _s(f"USAGE#{month}")},
            "UpdateExpression": "ADD " + ", ".join(f"{name} :{name}" for name in added),
            "ExpressionAttributeValues": {f":{name}": _n(value) for name, value in added.items()},
        }
        marker = {"pk": _s(f"E#{evaluation_id}"), "sk": _s("USAGE"), "month": _s(month)}
        with as_store_error(self._table):
            try:
                client("dynamodb").transact_write_items(
                    TransactItems=[
                        {
                            "Put": {
                                "TableName": self._table,
                                "Item": marker,
                                "ConditionExpression": "attribute_not_exists(pk)",
                            }
                        },
                        {"Update": update},
                    ]
                )
            except ClientError as error:
                reasons = error.response.get("CancellationReasons") or [{}]
                if reasons[0].get("Code") == "ConditionalCheckFailed":
                    return False
                raise
        return True

    def usage(self, tenant: str, month: str) -> dict[str, int]:
        """Return the counters of a tenant's month YYYY-MM; empty where nothing was used."""
        item = self._get(f"T#{tenant}", f"USAGE#{month}") or {}
        return {name: int(value["N"]) for name, value in sorted(item.items()) if "N" in value}

    def wrapped_key(self, evaluation_id: str) -> str | None:
        """Return the wrapped data key of an evaluation, or None where there is none any more or not yet."""
        item = self._get(f"E#{evaluation_id}", "KEY")
        return str(item["wrapped"]["S"]) if item else None

    def keep_wrapped_key(self, evaluation_id: str, wrapped: str) -> str:
        """Keep a wrapped data key unless there is one, and return the one that now stands."""
        item = {"pk": _s(f"E#{evaluation_id}"), "sk": _s("KEY"), "wrapped": _s(wrapped)}
        if self._put(item, only_new=True):
            return wrapped
        return self.wrapped_key(evaluation_id) or wrapped

    def destroy_key(self, evaluation_id: str) -> None:
        """Destroy the wrapped data key: what was sealed under it can't be read by anybody any more."""
        with as_store_error(self._table):
            client("dynamodb").delete_item(TableName=self._table, Key={"pk": _s(f"E#{evaluation_id}"), "sk": _s("KEY")})

    def _get(self, pk: str, sk: str) -> dict[str, Any] | None:
        with as_store_error(self._table):
            answer: dict[str, Any] = client("dynamodb").get_item(
                TableName=self._table, Key={"pk": _s(pk), "sk": _s(sk)}, ConsistentRead=True
            )
        return answer.get("Item")

    def _put(self, item: Mapping[str, Any], *, only_new: bool = False) -> bool:
        from botocore.exceptions import ClientError

        condition = {"ConditionExpression": "attribute_not_exists(pk)"} if only_new else {}
        with as_store_error(self._table):
            try:
                client("dynamodb").put_item(TableName=self._table, Item=dict(item), **condition)
            except ClientError as error:
                if only_new and error_code(error) == _CONDITION:
                    return False
                raise
        return True

    def _update(
        self, pk: str, expression: str, condition: str, names: Mapping[str, str], values: Mapping[str, Any]
    ) -> bool:
        from botocore.exceptions import ClientError

        with as_store_error(self._table):
            try:
                client("dynamodb").update_item(
                    TableName=self._table,
                    Key={"pk": _s(pk), "sk": _s("RECORD")},
                    UpdateExpression=expression,
                    ConditionExpression=condition,
                    ExpressionAttributeNames=dict(names),
                    ExpressionAttributeValues=dict(values),
                )
            except ClientError as error:
                if error_code(error) == _CONDITION:
                    return False
                raise
        return True


COUNTERS: Final = (
    "evaluations",
    "llm_calls",
    "input_tokens",
    "output_tokens",
    "cost_micro_usd",
    "cost_unknown",
    "compute_ms",
)
"""What is counted for a tenant's month."""

_TEXTS: Final = ("tenant", "state", "created_at", "policy", "engine", "reason", "decision", "callback", "key")


def _s(text: str) -> dict[str, str]:
    return {"S": text}


def _n(number: int) -> dict[str, str]:
    return {"N": str(number)}
