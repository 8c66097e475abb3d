"""Folds the judges' results of one evaluation into its bundle, core and record."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.finishing import Finisher, event_of
from glassbox.adapters.aws.telemetry import instruments

logger, tracer, _metrics = instruments("aggregator")


@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Return {status, reason}: `aggregated`, or `incomplete` where a judge's result is missing."""
    evaluation_id, tenant = event_of(event)
    logger.append_keys(evaluation_id=evaluation_id)
    started = datetime.fromisoformat(str(event["started_at"]))
    elapsed = round((datetime.now(UTC) - started).total_seconds() * 1000)
    told = Finisher(deployment.environment(), deployment.tenants()).aggregate(evaluation_id, tenant, max(0, elapsed))
    logger.info("aggregated" if told["status"] == "aggregated" else "incomplete", reason=told["reason"])
    return told
