"""Ingress: a body becomes a stored evaluation with a running execution, however often it is sent."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.pointer import fetch_payload, pointer_in
from glassbox.adapters.aws.policies import policy_named
from glassbox.adapters.aws.records import Record
from glassbox.adapters.aws.secrets import secret_object
from glassbox.adapters.aws.tenants import Tenants
from glassbox.adapters.webhooks import verify
from glassbox.contract.limits import FILE, INLINE
from glassbox.contract.parsing import parse_json, parse_request, request_from
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import RequestInvalid, RequestTooLarge, SignatureInvalid, StoreError, Violation
from glassbox.pipeline.engines import label, resolve
from glassbox.pipeline.intake import Accepted, accept

_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")


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
        if len(body) > INLINE.bytes:
            raise RequestTooLarge(
                f"The body has {len(body):,} bytes; the limit is {INLINE.bytes:,}",
                where="request",
                fix=f"Put it below s3://{self._env.payloads}/tenants/{tenant}/uploads/ and send its address: "
                '{"payload": {"s3": "s3://..."}}',
                violations=[Violation("$", f"{len(body)} bytes, at most {INLINE.bytes}")],
            )
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
        key=accepted.document["identity"]["idempotency_key"] or "",
    )


def webhook_key(headers: Mapping[str, str], body: bytes, tenant: str, env: Environment, now: float) -> str | None:
    """Return the idempotency key of a webhook: its signed `webhook-id`, else `Idempotency-Key`, else None.

    A tenant that has a secret must sign; a signature of a tenant that has none is refused, since it proves nothing.
    Raises SignatureInvalid or RequestInvalid.
    """
    held = secret_object(env.webhook_secrets).get(tenant, []) if env.webhook_secrets else []
    secrets = [str(secret) for secret in held]
    if secrets:
        return verify(secrets, headers, body, now)
    if any(name in headers for name in ("webhook-id", "webhook-timestamp", "webhook-signature")):
        raise SignatureInvalid(
            "The webhook is signed, and no secret was agreed with this tenant",
            where="webhook-signature",
            fix="Send it without a signature, or agree on a secret first",
        )
    return checked_key(headers.get("idempotency-key"), "idempotency-key")


def message_key(message: Mapping[str, Any]) -> str | None:
    """Return the message attribute `idempotency_key`, or None; raises RequestInvalid for one that is no key."""
    attribute = (message.get("messageAttributes") or {}).get("idempotency_key") or {}
    return checked_key(attribute.get("stringValue"), "idempotency_key")


def claimed_tenant(message: Mapping[str, Any]) -> str | None:
    """Return the message attribute `tenant`, or None where there is none."""
    attribute = (message.get("messageAttributes") or {}).get("tenant") or {}
    value = attribute.get("stringValue")
    return None if value is None else str(value)


def checked_key(key: str | None, where: str) -> str | None:
    """Return an idempotency key of 1 to 255 visible ASCII characters, or None where there is none."""
    if key is None or _KEY.fullmatch(key):
        return key
    raise RequestInvalid(
        "The idempotency key can't be used",
        where=where,
        fix="Use 1 to 255 visible ASCII characters, such as a UUID",
        violations=[Violation(where, "is not 1 to 255 visible ASCII characters")],
    )


def judge_model_of(env: Mapping[str, str] | None = None) -> str | None:
    """Return the identity of the configured judge model, or None; no key is fetched and nothing is imported for it."""
    env = os.environ if env is None else env
    backend, model = env.get("GLASSBOX_LLM", "").strip().lower(), env.get("GLASSBOX_LLM_MODEL", "").strip()
    return f"{backend}:{model}" if backend and model else None
