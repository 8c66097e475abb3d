"""Reads an evaluation's status and scorecard, its bundle and proof, a month's usage, and this API's description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.http import response_of
from glassbox.adapters.aws.openapi import document
from glassbox.adapters.aws.reading import Reader
from glassbox.adapters.aws.replies import Reply, api_key, broken, loggable, problem
from glassbox.adapters.aws.telemetry import instruments
from glassbox.errors import GlassBoxError
from glassbox.pipeline.ports import utc_now

logger, tracer, _metrics = instruments("read_api")
app = APIGatewayRestResolver()


@app.get("/v1/evaluations/<evaluation_id>")
def evaluation(evaluation_id: str) -> Response[str]:
    """Answer where an evaluation stands, with its scorecard once it is committed."""
    return _answer(lambda reader, request_id: reader.evaluation(evaluation_id, request_id))


@app.get("/v1/evaluations/<evaluation_id>/bundle")
def bundle(evaluation_id: str) -> Response[str]:
    """Answer with the evidence bundle."""
    return _answer(lambda reader, request_id: reader.bundle(evaluation_id, request_id))


@app.get("/v1/evaluations/<evaluation_id>/proof")
def proof(evaluation_id: str) -> Response[str]:
    """Answer with the ledger's proof."""
    return _answer(lambda reader, request_id: reader.proof(evaluation_id, request_id))


@app.get("/v1/usage")
def usage() -> Response[str]:
    """Answer with what the tenant used in a month, by default this one."""
    month = app.current_event.get_query_string_value("month", None) or utc_now()[:7]
    return _answer(lambda reader, _request_id: reader.usage(month))


@app.get("/v1/openapi.json")
def openapi() -> Response[str]:
    """Answer with the description of this API."""
    return response_of(Reply(200, document()))


@tracer.capture_lambda_handler(capture_response=False, capture_error=False)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Handle a request of the API."""
    return app.resolve(event, context)


def _answer(read: Callable[[Reader, str], Reply]) -> Response[str]:
    event = app.current_event
    request_id = str(event.request_context.request_id)
    try:
        tenants = deployment.tenants()
        tenant = tenants.of_api_key(*api_key(event.raw_event))
        return response_of(read(Reader(tenants, tenant), request_id))
    except GlassBoxError as error:
        logger.warning("refused", problem=loggable(error), request_id=request_id)
        return response_of(problem(error, request_id))
    except Exception as error:
        logger.error("broken", kind=type(error).__name__, request_id=request_id)
        return response_of(broken(request_id))
