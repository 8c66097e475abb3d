"""Many evaluations: in this process, or spread over several with one set of models each."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from typing import Any

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.adapters.local.runner import LocalRunner, Outcome
from glassbox.cli.inputs import Input
from glassbox.contract.policy import Policy
from glassbox.contract.policy_changes import Engine
from glassbox.errors import GlassBoxError, JudgeError, LedgerUnavailable
from glassbox.report.asked import usage_words
from glassbox.settings import Settings


@dataclass(frozen=True, slots=True)
class Job:
    """How every input of a call is to be evaluated."""

    settings: Settings
    policy: dict[str, Any]
    policies: dict[str, dict[str, Any]]
    """Documents of the policies that requests name for themselves."""
    engine: Engine | None
    again: bool
    idempotency_key: str | None
    asking: Asking = field(default_factory=Asking)
    """How the judge model is asked, where one is configured."""

    def runner(self) -> LocalRunner:
        """Return a runner for this process."""
        return LocalRunner(self.settings, judge_model=LocalJudgeModel(self.asking))


@dataclass(frozen=True, slots=True)
class Done:
    """One input's outcome: a committed scorecard, or the problem that kept it from one."""

    index: int
    where: str
    outcome: Outcome | None
    problem: dict[str, Any] | None
    message: str | None = None


_worker: tuple[LocalRunner, Job] | None = None


def _start(job: Job) -> None:
    global _worker  # noqa: PLW0603  # one runner for the life of a worker process: models are loaded once
    # Whoever stops the command is answered by its first process alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = (job.runner(), job)


def _in_worker(index: int, item: Input) -> Done:
    if _worker is None:
        raise RuntimeError("the worker was not started")
    return evaluate_one(*_worker, index, item)


def evaluate_one(runner: LocalRunner, job: Job, index: int, item: Input) -> Done:
    """Return one input's outcome; an error of ours becomes its problem, so that the others go on."""
    document = job.policies.get(item.request.policy, job.policy) if item.request.policy else job.policy
    try:
        outcome = runner.evaluate(
            item.request, Policy(document), job.engine, idempotency_key=job.idempotency_key, again=job.again
        )
    except GlassBoxError as error:
        # A replay asks nobody: what its answers once cost is not spent again.
        spent = "" if error.spent is None or job.asking.replay is not None else usage_words(error.spent)
        return Done(index, item.where, None, error.problem(), f"{item.where}: {error}{_goes_on(error, spent)}")
    return Done(index, item.where, outcome, None)


def _goes_on(error: GlassBoxError, spent: str) -> str:
    """Say what a reader would fear for: what the judges cost and found until then."""
    told = f"\nSpent on the judge model until then: {spent}" if spent else ""
    if error.stands:
        held = "The ledger holds a record of this evaluation, committed by another call"
        return f"{told}\n{held}: `glassbox ledger show` shows it"
    if isinstance(error, JudgeError | LedgerUnavailable):
        fate = "Nothing of it was committed" if error.stands is False else "Whether it was committed shows then"
        return f"{told}\nWhat was judged is kept: the same command goes on from there. {fate}"
    return told


def evaluate_all(job: Job, items: Sequence[Input], jobs: int) -> Iterator[Done]:
    """Yield every input's outcome as it is ready, in no particular order."""
    if jobs <= 1 or len(items) == 1:
        runner = job.runner()
        try:
            for index, item in enumerate(items):
                yield evaluate_one(runner, job, index, item)
        finally:
            runner.close()
        return
    # The folder, its keys and the ledger are made once, before two processes could both try.
    runner = job.runner()
    _ = runner.caller, runner.ledger
    runner.close()
    several = min(jobs, len(items))
    yield from _in_processes(replace(job, asking=replace(job.asking, sharers=several)), items, several)


def _in_processes(job: Job, items: Sequence[Input], jobs: int) -> Iterator[Done]:
    # `spawn`, since a forked process would inherit sessions and locks of the models' runtime.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(job,)) as pool:
        waiting: dict[Future[Done], int] = {}
        remaining = iter(enumerate(items))
        try:
            for index, item in remaining:
                waiting[pool.submit(_in_worker, index, item)] = index
                # Two in hand for each worker: enough to keep it busy, few enough to hold little in memory.
                if len(waiting) >= 2 * jobs:
                    yield from _collect(waiting, items)
            while waiting:
                yield from _collect(waiting, items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # A worker may wait for a judge model for minutes; what it has stored stays, and nothing is half-written.
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _collect(waiting: dict[Future[Done], int], items: Sequence[Input]) -> Iterator[Done]:
    from concurrent.futures import FIRST_COMPLETED, wait

    ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in sorted(ready, key=lambda f: waiting[f]):
        index = waiting.pop(future)
        try:
            yield future.result()
        except BrokenProcessPool:
            error = GlassBoxError(
                "A worker process died, probably for want of memory",
                where=items[index].where,
                fix="Run the same command again with fewer --jobs; what was committed is not evaluated twice",
            )
            yield Done(index, items[index].where, None, error.problem(), f"{items[index].where}: {error}")
