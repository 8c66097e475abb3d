"""Ingress: a body becomes a stored evaluation with a running execution, however often it is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.pointer import fetch_payload, pointer_in
from glassbox.adapters.aws.policies import policy_named
from glassbox.adapters.aws.records import Record
from glassbox.adapters.aws.tenants import Tenants
from glassbox.contract.limits import FILE, INLINE
from glassbox.contract.parsing import parse_json, parse_request, request_from
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import StoreError
from glassbox.pipeline.engines import label, resolve
from glassbox.pipeline.intake import Accepted, accept

MAX_KEY: Final = 255


@dataclass(frozen=True, slots=True)
class Received:
    """What the sender is told."""

    evaluation_id: str
    state: str


class Ingress:
    """Takes in what comes by webhook or by queue; the same request gives the same evaluation by both ways."""

    def __init__(self, env: Environment, tenants: Tenants) -> None:
        self._env = env
        self._tenants = tenants

    def receive(
        self, body: bytes, tenant: str, *, idempotency_key: str | None = None, judge_model: str | None = None
    ) -> Received:
        """Return the evaluation of a body; it is stored and its execution started before this returns.

        Raises RequestInvalid, PolicyInvalid, KeyReused or UsageError for what the sender has to change, StoreError
        for what may succeed later.
        """
        request = self._request(body, tenant)
        policy = policy_named(request.policy or self._env.policy, tenant, self._env.payloads)
        policy, engines = resolve(policy, None, judge_model=judge_model)
        accepted = accept(
            request,
            policy,
            label(engines),
            self._tenants.caller(tenant),
            self._tenants.documents(tenant),
            idempotency_key=idempotency_key,
        )
        record = self._tenants.records.receive(_record(accepted, tenant, policy), self._env.retention_days)
        if not accepted.committed and record.state in ("received", "judging"):
            self.start(record, policy, callback="callback_url" in accepted.document["request"])
        return Received(accepted.evaluation_id, record.state)

    def start(self, record: Record, policy: Policy, *, callback: bool) -> None:
        """Start the execution of a record's current run; one that exists already is success."""
        from botocore.exceptions import ClientError

        missing = [name for name in policy.judges if name not in self._env.judge_queues]
        if missing:
            raise StoreError(f"There is no queue for the judge {missing[0]}", where="GLASSBOX_JUDGE_QUEUES")
        message = {
            "evaluation_id": record.evaluation_id,
            "tenant": record.tenant,
            "run": record.run,
            "open": policy.contract.open_on_ledger,
            "callback": callback,
            "judges": [{"name": name, "queue_url": self._env.judge_queues[name]} for name in policy.judges],
        }
        with as_store_error("the state machine"):
            try:
                client("stepfunctions").start_execution(
                    stateMachineArn=self._env.state_machine,
                    name=f"{record.evaluation_id}-{record.run}",
                    input=json.dumps(message),
                )
            except ClientError as error:
                if error_code(error) != "ExecutionAlreadyExists":
                    raise
        self._tenants.records.begin_judging(record.evaluation_id)

    def _request(self, body: bytes, tenant: str) -> Request:
        if b'"payload"' not in body[:200]:
            return parse_request(body)
        value = parse_json(body, limits=INLINE)
        address = pointer_in(value)
        if address is None:
            return request_from(value)
        return parse_request(fetch_payload(address, self._env.payloads, tenant), limits=FILE)


def _record(accepted: Accepted, tenant: str, policy: Policy) -> Record:
    return Record(
        evaluation_id=accepted.evaluation_id,
        tenant=tenant,
        state="received",
        run=0,
        created_at=accepted.document["created_at"],
        policy=policy.name,
        engine=accepted.document["engine"],
        attempt=accepted.document["attempt"],
    )
