"""Takes in evaluations: `POST /v1/evaluations`, and the same body as a message of the evaluations queue."""

from __future__ import annotations

import base64
import time
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.http import response_of
from glassbox.adapters.aws.ingress import Ingress, claimed_tenant, judge_model_of, message_key, webhook_key
from glassbox.adapters.aws.poison import to_dead_letters
from glassbox.adapters.aws.replies import Reply, api_key, broken, loggable, problem
from glassbox.adapters.aws.telemetry import instruments
from glassbox.errors import GlassBoxError, InputError

logger, tracer, metrics = instruments("intake")
app = APIGatewayRestResolver()
processor = BatchProcessor(event_type=EventType.SQS)


def ingress() -> Ingress:
    """Return the ingress of this deployment."""
    return Ingress(deployment.environment(), deployment.tenants())


@app.post("/v1/evaluations")
def create() -> Response[str]:
    """Answer 202 with the evaluation's address, or a problem document."""
    event = app.current_event
    request_id = str(event.request_context.request_id)
    try:
        tenant = deployment.tenants().of_api_key(*api_key(event.raw_event))
        body = _raw(event.raw_event)
        headers = {name.lower(): str(value) for name, value in (event.headers or {}).items()}
        key = webhook_key(headers, body, tenant, deployment.environment(), time.time())
        received = ingress().receive(body, tenant, idempotency_key=key, judge_model=judge_model_of())
    except GlassBoxError as error:
        logger.warning("refused", problem=loggable(error), request_id=request_id)
        metrics.add_metric(name="EvaluationsRefused", unit=MetricUnit.Count, value=1)
        return response_of(problem(error, request_id))
    except Exception as error:
        # The message may quote the body; its kind is enough to find it.
        logger.error("broken", kind=type(error).__name__, request_id=request_id)
        return response_of(broken(request_id))
    metrics.add_metric(name="EvaluationsAccepted", unit=MetricUnit.Count, value=1)
    place = f"/v1/evaluations/{received.evaluation_id}"
    return response_of(
        Reply(202, {"id": received.evaluation_id, "status": received.state}, headers={"location": place})
    )


def take(record: SQSRecord) -> None:
    """Take in one message; one that can never be read goes to the dead letters with the reason beside it."""
    try:
        tenant = deployment.tenants().of_sender(record.attributes.sender_id, claimed_tenant(record.raw_event))
        received = ingress().receive(
            record.body.encode("utf-8", "surrogatepass"),
            tenant,
            idempotency_key=message_key(record.raw_event),
            judge_model=judge_model_of(),
        )
    except InputError as error:
        to_dead_letters(deployment.environment().evaluations_dlq, record.raw_event, error)
        logger.warning("refused", problem=loggable(error), message_id=record.message_id)
        metrics.add_metric(name="EvaluationsRefused", unit=MetricUnit.Count, value=1)
        return
    logger.info("accepted", evaluation_id=received.evaluation_id, message_id=record.message_id)
    metrics.add_metric(name="EvaluationsAccepted", unit=MetricUnit.Count, value=1)


@metrics.log_metrics
@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Handle a request of the API or a batch of the queue."""
    if "Records" in event:
        return process_partial_response(event=event, record_handler=take, processor=processor, context=context)
    return app.resolve(event, context)


def _raw(event: dict[str, Any]) -> bytes:
    """Return the body as it came: what is signed must not be written anew."""
    body = event.get("body") or ""
    return base64.b64decode(body) if event.get("isBase64Encoded") else body.encode("utf-8", "surrogatepass")
