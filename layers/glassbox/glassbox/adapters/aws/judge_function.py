"""A judge's Lambda function: its queue's messages to results, one judge a function."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws.clients import as_store_error, client
from glassbox.adapters.aws.judging import JudgeWorker, Task
from glassbox.adapters.aws.once import Once
from glassbox.adapters.aws.telemetry import instruments
from glassbox.contract.spending import Spending
from glassbox.errors import GlassBoxError, StoreError, UsageError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry
from glassbox.models.runtime import runtime_fingerprint
from glassbox.settings import Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from glassbox.contract.measurement import JudgeResult
    from glassbox.contract.policy import Policy
    from glassbox.contract.request import Request
    from glassbox.llm.types import JudgeModel
    from glassbox.pipeline.intake import Accepted
    from glassbox.pipeline.judging import JudgeCall

_MARGIN: Final = 10.0
"""Seconds kept back from a function's time for storing the result and telling the state machine."""
_BACKOFF: Final = (5, 30, 120, 300)


@Once
def registry() -> Registry:
    """Return the models of this process: those in GLASSBOX_MODELS, or from S3 where GLASSBOX_MODELS_S3 names them."""
    from glassbox.adapters.aws.model_files import models_folder

    settings = Settings.from_env(home=Path(tempfile.gettempdir()))
    return Registry(models_folder(settings.models), threads=settings.threads)


class LateModels:
    """The models of this process, looked for when a judge asks for the first one: a policy may need none."""

    def __getattr__(self, name: str) -> Any:
        return getattr(registry(), name)


@Once
def judge_model() -> JudgeModel | None:
    """Return the configured judge model's port, shared by all evaluations of this process, or None."""
    from glassbox.llm import LlmSettings, port

    settings = LlmSettings.from_env()
    if settings is not None and settings.repeats > 1:
        raise UsageError(
            "A judge is not run more than once by the functions", where="GLASSBOX_LLM_REPEATS", fix="Leave it out"
        )
    return None if settings is None else port(settings)


def judge_function(judge: str) -> Callable[[dict[str, Any], LambdaContext], Any]:
    """Return the handler of one judge's function."""
    logger, tracer, metrics = instruments(judge)
    processor = BatchProcessor(event_type=EventType.SQS)

    def take(record: SQSRecord, remaining: Callable[[], float]) -> None:
        task = Task.parse(record.body)
        logger.append_keys(evaluation_id=task.evaluation_id)
        received = int(record.attributes.approximate_receive_count or 1)
        last = received >= deployment.environment().max_receives
        started = time.monotonic()
        spending = Spending()
        call_for = partial(_call_for, judge, remaining, spending)
        worker = JudgeWorker(deployment.tenants(), call_for, runtime_fingerprint, spending)
        try:
            result = worker.work(task, last_try=last)
        except Exception as error:
            logger.warning("failed", problem=_told(error), received=received, last_try=last)
            metrics.add_metric(name="JudgeFailures", unit=MetricUnit.Count, value=1)
            _hand_over_later(record, received)
            raise
        finally:
            _count_calls(metrics, spending)
        elapsed = round((time.monotonic() - started) * 1000)
        metrics.add_metric(name="JudgeLatency", unit=MetricUnit.Milliseconds, value=elapsed)
        if result is None:
            logger.error("failed for good", problem=_told(worker.failure))
            metrics.add_metric(name="JudgeFailures", unit=MetricUnit.Count, value=1)
            return
        logger.info("judged", engine=result.engine, duration_ms=elapsed, received=received)

    @metrics.log_metrics
    @tracer.capture_lambda_handler(capture_response=False, capture_error=False)
    def handler(event: dict[str, Any], context: LambdaContext) -> Any:
        """Handle a batch of the judge's queue."""

        def remaining() -> float:
            return context.get_remaining_time_in_millis() / 1000 - _MARGIN

        return process_partial_response(
            event=event, record_handler=partial(take, remaining=remaining), processor=processor, context=context
        )

    return handler


def _told(error: BaseException | None) -> Any:
    """Return what may be logged of an error: ours in full, since they quote no text; of others the kind alone."""
    return error.problem() if isinstance(error, GlassBoxError) else {"kind": type(error).__name__}


def _call_for(judge: str, remaining: Callable[[], float], spending: Spending, accepted: Accepted) -> JudgeCall:
    model = judge_model() if accepted.document["engine"] == "llm" else None
    if model is not None and hasattr(model, "within"):
        model = model.within(remaining)
    salt = bytes.fromhex(accepted.document["salt"])
    tools = Tools(models=LateModels(), llm=model, salt=salt, spending=spending)

    def call(request: Request, policy: Policy) -> JudgeResult:
        return judge_named(judge)(request, policy, tools)

    return call


def _count_calls(metrics: Any, spending: Spending) -> None:
    """Count what was paid for in this run, also where it came to nothing."""
    paid = spending.paid
    if paid:
        metrics.add_metric(name="LlmCalls", unit=MetricUnit.Count, value=sum(call["error"] is None for call in paid))
        tokens = sum((call["input_tokens"] or 0) + (call["output_tokens"] or 0) for call in paid)
        metrics.add_metric(name="LlmTokens", unit=MetricUnit.Count, value=tokens)
        cost = sum(call["cost_usd"] or 0 for call in paid)
        metrics.add_metric(name="LlmCostMicroUsd", unit=MetricUnit.Count, value=round(cost * 1_000_000))


def _hand_over_later(record: SQSRecord, received: int) -> None:
    """Let the queue wait longer after each failure; where it can't be told, its own time-out stands."""
    _, _, _, region, account, name = record.event_source_arn.split(":", 5)
    del region
    try:
        with as_store_error("the judge's queue"):
            queue = client("sqs").get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
            client("sqs").change_message_visibility(
                QueueUrl=queue,
                ReceiptHandle=record.receipt_handle,
                VisibilityTimeout=_BACKOFF[min(received, len(_BACKOFF)) - 1],
            )
    except StoreError:
        return
