"""One judge's work on one message of its queue, and what the state machine is told of it."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from glassbox import __version__
from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.adapters.aws.tenants import Tenants
from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.contract.spending import Spending
from glassbox.errors import GlassBoxError, StoreError
from glassbox.pipeline.intake import INTAKE, Accepted
from glassbox.pipeline.judging import JudgeCall, run_judge

RUNTIME: Final = "runtime"
_GONE: Final = ("TaskTimedOut", "TaskDoesNotExist", "InvalidToken")

Told = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Task:
    """A message of a judge's queue."""

    evaluation_id: str
    tenant: str
    judge: str
    token: str

    @classmethod
    def parse(cls, body: str) -> Task:
        """Return the task in a message's body; raises StoreError for one that the state machine can't have sent."""
        try:
            value = json.loads(body)
            return cls(value["evaluation_id"], value["tenant"], value["judge"], value["task_token"])
        except (ValueError, KeyError, TypeError):
            raise StoreError("The message is no task of the state machine", where="the judge's queue") from None


class JudgeWorker:
    """Runs one judge over its queue's messages."""

    def __init__(
        self,
        tenants: Tenants,
        call_for: Callable[[Accepted], JudgeCall],
        fingerprint: Callable[[], Any],
        spending: Spending,
    ):
        self._tenants = tenants
        self._spending = spending
        self._call_for = call_for
        self._fingerprint = fingerprint
        self.failure: GlassBoxError | None = None
        """Why the last task failed for good."""

    def work(self, task: Task, *, last_try: bool) -> JudgeResult | None:
        """Return the judge's result, told to the state machine, or None where it was told of a final failure.

        On a failure that may pass, raises so that the queue hands the message over again; on the last try the state
        machine is told first. A result that was stored before is told again: nothing is judged twice.
        """
        try:
            result = self._judge(task)
        except GlassBoxError as error:
            if last_try or not (error.retryable or isinstance(error, StoreError)):
                self.failure = error
                self._fail(task, error)
                if not last_try:
                    return None
            raise
        self._succeed(task, result)
        return result

    def _judge(self, task: Task) -> JudgeResult:
        documents = self._tenants.documents(task.tenant)
        stored = documents.get(task.evaluation_id, INTAKE)
        if stored is None:
            raise StoreError("The evaluation's payload is gone", where=task.evaluation_id)
        accepted = Accepted(task.evaluation_id, stored, committed=False)
        policy = Policy(stored["policy"])
        result = run_judge(task.judge, self._call_for(accepted), accepted, policy, documents, self._spending)
        runtime = {"glassbox": __version__, "python": platform.python_version(), **self._fingerprint()}
        documents.put_new(task.evaluation_id, f"{RUNTIME}.{task.judge}", runtime)
        return result

    def _succeed(self, task: Task, result: JudgeResult) -> None:
        output = json.dumps({"judge": task.judge, "status": "judged", "engine": result.engine})
        self._tell("send_task_success", taskToken=task.token, output=output)

    def _fail(self, task: Task, error: GlassBoxError) -> None:
        self._tell(
            "send_task_failure", taskToken=task.token, error="JudgeFailed", cause=json.dumps(error.problem())[:8000]
        )

    def _tell(self, method: str, **arguments: str) -> None:
        """Tell the state machine; an answer that comes too late changes nothing and is no error."""
        from botocore.exceptions import ClientError

        with as_store_error("the state machine"):
            try:
                getattr(client("stepfunctions"), method)(**arguments)
            except ClientError as error:
                if error_code(error) not in _GONE:
                    raise
