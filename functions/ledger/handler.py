"""Writes to the ledger: that an evaluation was begun, and its record once it is complete."""

from __future__ import annotations

import time
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.finishing import Finisher, event_of
from glassbox.adapters.aws.ledger import ledger
from glassbox.adapters.aws.telemetry import instruments
from glassbox.errors import GlassBoxError

logger, tracer, metrics = instruments("ledger")


@metrics.log_metrics
@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Return {status, reason, ...}; raises where the ledger is away, so that the state machine tries again."""
    evaluation_id, tenant = event_of(event)
    logger.append_keys(evaluation_id=evaluation_id)
    finisher = Finisher(deployment.environment(), deployment.tenants())
    started = time.monotonic()
    try:
        write = finisher.open if event.get("action") == "open" else finisher.commit
        told = write(evaluation_id, tenant, ledger())
    except GlassBoxError as error:
        logger.warning("not written", problem=error.problem())
        raise
    metrics.add_metric(
        name="LedgerLatency", unit=MetricUnit.Milliseconds, value=round((time.monotonic() - started) * 1000)
    )
    if told["status"] == "committed":
        metrics.add_dimension(name="decision", value=told["decision"])
        metrics.add_metric(name="EvaluationsCommitted", unit=MetricUnit.Count, value=1)
    logger.info(told["status"], reason=told["reason"])
    return told
