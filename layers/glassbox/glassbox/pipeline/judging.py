"""Judging: one judge over one accepted evaluation; a result that is already stored is used again."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import GlassBoxError, JudgeError, StoreError
from glassbox.pipeline.intake import Accepted
from glassbox.pipeline.ports import Documents

JudgeCall = Callable[[Request, Policy], JudgeResult]


def request_of(accepted: Accepted) -> Request:
    """Return the request that intake stored; raises StoreError where it is no longer one."""
    try:
        return Request.model_validate(accepted.document["request"])
    except (ValidationError, KeyError):
        raise StoreError("The stored request is damaged", where=accepted.evaluation_id) from None


def run_judge(name: str, call: JudgeCall, accepted: Accepted, policy: Policy, documents: Documents) -> JudgeResult:
    """Return one judge's result, stored before it is returned.

    Raises JudgeError, with the kind of failure but none of the text, where the judge breaks.
    """
    document_name = f"judge.{name}"
    stored = documents.get(accepted.evaluation_id, document_name)
    if stored is not None:
        return JudgeResult.model_validate(stored)
    try:
        result = call(request_of(accepted), policy)
    except GlassBoxError:
        raise
    except Exception as error:
        # The cause is dropped on purpose: a library's message or traceback may quote evaluated text.
        place = place_of(error)
        raise JudgeError(
            f"The judge {name} broke with {type(error).__name__}", where=place, fix="Run the evaluation again"
        ) from None
    documents.put(accepted.evaluation_id, document_name, result.model_dump(mode="json"))
    return result


def place_of(error: BaseException) -> str | None:
    """Return `file:line` of the innermost frame: enough to find a fault, and no text."""
    trace = error.__traceback__
    if trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
