"""Calls a tenant back once its evaluation is committed."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.finishing import event_of
from glassbox.adapters.aws.notifying import Notifier
from glassbox.adapters.aws.telemetry import instruments

logger, tracer, _metrics = instruments("notifier")


@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Return {status, reason}; raises where nobody took the callback, so that the state machine tries again."""
    evaluation_id, tenant = event_of(event)
    logger.append_keys(evaluation_id=evaluation_id)
    told = Notifier(deployment.environment(), deployment.tenants()).notify(evaluation_id, tenant)
    logger.info(told["status"], reason=told["reason"])
    return told
