"""Calls a tenant back once its evaluation is committed."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.finishing import event_of
from glassbox.adapters.aws.notifying import Notifier
from glassbox.adapters.aws.telemetry import instruments

logger, tracer, _metrics = instruments("notifier")


once = IdempotencyConfig(expires_after_seconds=7 * 86_400)
remembered = DynamoDBPersistenceLayer(table_name=Environment.read().idempotency or "unset")


@idempotent_function(data_keyword_argument="event", persistence_store=remembered, config=once)
def notify(*, event: dict[str, Any]) -> dict[str, Any]:
    """Call back once however often the state machine asks; a call that failed is forgotten and made again."""
    evaluation_id, tenant = event_of(event)
    return Notifier(deployment.environment(), deployment.tenants()).notify(evaluation_id, tenant)


@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return {status, reason}; raises where nobody took the callback, so that the state machine tries again."""
    evaluation_id, tenant = event_of(event)
    logger.append_keys(evaluation_id=evaluation_id)
    once.register_lambda_context(context)
    told = notify(event={"evaluation_id": evaluation_id, "tenant": tenant})
    logger.info(told["status"], reason=told["reason"])
    return dict(told)
