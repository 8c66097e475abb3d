"""Judging: one judge over one accepted evaluation; a result that is already stored is used again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

from pydantic import ValidationError

from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.contract.spending import Spending
from glassbox.errors import GlassBoxError, JudgeError, StoreError
from glassbox.pipeline.intake import Accepted
from glassbox.pipeline.ports import Documents, Json
from glassbox.scorecard.usage import spent_on

JudgeCall = Callable[[Request, Policy], JudgeResult]


def request_of(accepted: Accepted) -> Request:
    """Return the request that intake stored; raises StoreError where it is no longer one."""
    try:
        return Request.model_validate(accepted.document["request"])
    except (ValidationError, KeyError):
        raise StoreError("The stored request is damaged", where=accepted.evaluation_id) from None


def run_judge(
    name: str,
    call: JudgeCall,
    accepted: Accepted,
    policy: Policy,
    documents: Documents,
    spending: Spending | None = None,
) -> JudgeResult:
    """Return one judge's result, stored before it is returned.

    `spending` is what the judge notes its questions in: what was paid for and gave nothing stands in the result, also
    that of runs before which ended in an error. Raises JudgeError, with the kind of failure but none of the text,
    where the judge breaks.
    """
    document_name = f"judge.{name}"
    stored = documents.get(accepted.evaluation_id, document_name)
    if stored is not None:
        return JudgeResult.model_validate(stored)
    spending = spending if spending is not None else Spending()
    try:
        result = _judged(name, call, accepted, policy)
    except GlassBoxError as error:
        _keep_lost(name, spending, accepted, documents)
        error.spent = spent_until((), name, spending, accepted, documents)
        raise
    lost = (*lost_before(name, accepted, documents), *spending.lost(judged=True))
    result = result.model_copy(update={"lost": lost})
    documents.put(accepted.evaluation_id, document_name, result.model_dump(mode="json"))
    return result


def lost_before(name: str, accepted: Accepted, documents: Documents) -> tuple[Json, ...]:
    """Return the questions of a judge's earlier runs that were paid for and gave nothing."""
    stored = documents.get(accepted.evaluation_id, f"lost.{name}")
    return () if stored is None else tuple(stored["questions"])


def spent_until(
    results: Iterable[JudgeResult], name: str, spending: Spending, accepted: Accepted, documents: Documents
) -> Json | None:
    """Return what was paid for the results of other judges and for one that ended in an error; None for nothing."""
    known = list(results)
    calls = [*(call for result in known for call in result.calls), *spending.kept]
    lost = [told for result in known for told in result.lost]
    try:
        lost += lost_before(name, accepted, documents)
    except StoreError:
        # What the judge ended in is told, not what else is broken.
        lost += spending.lost(judged=False)
    return spent_on(calls, lost) if calls or lost else None


def _keep_lost(name: str, spending: Spending, accepted: Accepted, documents: Documents) -> None:
    lost = spending.lost(judged=False)
    if not lost:
        return
    with contextlib.suppress(StoreError):
        before = lost_before(name, accepted, documents)
        documents.put(accepted.evaluation_id, f"lost.{name}", {"questions": [*before, *lost]})


def _judged(name: str, call: JudgeCall, accepted: Accepted, policy: Policy) -> JudgeResult:
    try:
        return call(request_of(accepted), policy)
    except GlassBoxError:
        raise
    except Exception as error:
        # The cause is dropped on purpose: a library's message or traceback may quote evaluated text.
        place = place_of(error)
        raise JudgeError(
            f"The judge {name} broke with {type(error).__name__}", where=place, fix="Run the evaluation again"
        ) from None


def place_of(error: BaseException) -> str | None:
    """Return `file:line` of the innermost frame: enough to find a fault, and no text."""
    trace = error.__traceback__
    if trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
