"""What a function of the deployment is told by its environment, read through a function and never at import."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from glassbox.errors import UsageError

_PREFIX = "GLASSBOX_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Names of the resources that `template.yaml` makes; empty where a function has no business with one."""

    payloads: str = ""
    """Bucket of payloads, judges' results and scorecards."""
    evidence: str = ""
    """Bucket of finished bundles, under Object Lock."""
    records: str = ""
    """Table of evaluations, tenants and usage."""
    data_key: str = ""
    """KMS key that wraps the data key of each evaluation."""
    state_machine: str = ""
    """ARN of the state machine."""
    judge_queues: Mapping[str, str] = field(default_factory=dict)
    """URL of each judge's queue, by the judge's name."""
    evaluations_dlq: str = ""
    """URL of the queue that keeps what could not be read."""
    tenant_secret: str = ""
    """Secrets Manager id of the secret from which each tenant's own is derived."""
    webhook_secrets: str = ""
    """Secrets Manager id of a JSON object: tenant to a list of `whsec_` secrets."""
    batch_sender: str = ""
    """Unique id of the role that batches are sent by: it names the tenant of each message."""
    idempotency: str = ""
    """Table that remembers which callbacks were made."""
    fabric_profile_secret: str = ""
    """Secrets Manager id of the connection profile and its keys."""
    ledger: str = "fabric"
    """`fabric`; the name of the ledger's backend."""
    policy: str = "default"
    """Policy of requests that name none."""
    max_receives: int = 3
    """How often a judge's queue hands over a message before it goes to its dead letters."""
    retention_days: int = 365
    """How long records and payloads are kept."""
    stage: str = "local"
    """Name of this deployment, a dimension of its metrics."""

    @classmethod
    def read(cls, env: Mapping[str, str] | None = None) -> Environment:
        """Return the environment of this process; raises UsageError for a value that can't be used."""
        env = os.environ if env is None else env
        text = {
            name: env.get(_PREFIX + name.upper(), "")
            for name in (
                "payloads",
                "evidence",
                "records",
                "data_key",
                "state_machine",
                "evaluations_dlq",
                "tenant_secret",
                "webhook_secrets",
                "batch_sender",
                "idempotency",
                "fabric_profile_secret",
            )
        }
        return cls(
            **text,
            judge_queues=_queues(env.get(_PREFIX + "JUDGE_QUEUES", "")),
            ledger=env.get(_PREFIX + "LEDGER") or "fabric",
            policy=env.get(_PREFIX + "POLICY") or "default",
            max_receives=_number(env, "MAX_RECEIVES", 3),
            retention_days=_number(env, "RETENTION_DAYS", 365),
            stage=env.get(_PREFIX + "STAGE") or "local",
        )


def _queues(text: str) -> dict[str, str]:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict) or not all(isinstance(url, str) and url for url in value.values()):
        raise UsageError("GLASSBOX_JUDGE_QUEUES is not a JSON object of queue URLs", where="environment")
    return value


def _number(env: Mapping[str, str], name: str, default: int) -> int:
    text = env.get(_PREFIX + name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise UsageError(f"{_PREFIX}{name} is not a whole number from 1 to 100,000", where="environment")
    return int(text)
