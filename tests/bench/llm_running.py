"""Runs the rows in threads, tells how far it is, and ends early without losing what was paid for."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from llm_asking import Asked
from llm_bound import HOPELESS, Bound, Stopped
from llm_found import Found, read
from llm_rows import Job, policy_of, side_by_side

from glassbox.errors import GlassBoxError, JudgeModelError, StoreError, UsageError
from glassbox.judges.registry import judge_named
from glassbox.models.registry import Registry
from glassbox.pipeline.engines import resolve

SALT = 32
INTERRUPTED = "Ctrl-C"
EVERY = 30.0
"""Seconds between two lines about the progress where nobody watches a terminal."""


@dataclass(frozen=True)
class Outcome:
    """What came of one call: what was found, or the code of what went wrong, or neither where it was not made."""

    job: Job
    found: Found | None = None
    error: str | None = None


@dataclass
class Progress:
    """Says on stderr how far a run is; on a terminal in one line, elsewhere a line now and then."""

    what: str
    total: int
    told: Callable[[], str] = lambda: ""
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    every: float = EVERY
    done: int = 0
    _started: float = field(default_factory=time.monotonic)
    _last: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """Count one more."""
        self.done += 1
        now, live = time.monotonic(), self.stream.isatty()
        if now - self._last < (0.2 if live else self.every) and not (live and self.done == self.total):
            return
        self._last = now
        line = f"{self.what}: {self.done}/{self.total}{self.told()}, {self._left(now)} left"
        print(f"\r\x1b[K{line}" if live else line, end="" if live else "\n", file=self.stream, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self.stream.isatty():
            print(file=self.stream)

    def _left(self, now: float) -> str:
        seconds = round((now - self._started) / max(1, self.done) * (self.total - self.done))
        return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


@dataclass
class Run:
    """The rows of one run, and what came of them so far."""

    jobs: Sequence[Job]
    asked: Asked
    registry: Registry
    bound: Bound
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def all(self) -> list[Outcome]:
        """Return an outcome for each row in order; the rows that were not judged have an empty one."""
        return [self.outcomes.get(place, Outcome(job)) for place, job in enumerate(self.jobs)]

    def go(self, progress: Progress) -> None:
        """Judge the rows; returns early where the bound is reached, the endpoint fails or Ctrl-C is pressed.

        The first Ctrl-C waits for the replies that are under way, so that they are kept; the second one leaves at once.
        """
        # The libraries are imported once, before two threads could both try.
        from glassbox.judges.llm import deepeval, ragas

        _ = deepeval, ragas
        pool = ThreadPoolExecutor(self.asked.concurrency)
        waiting: dict[Future[Outcome], int] = {}
        try:
            for place in side_by_side(self.jobs):
                waiting[pool.submit(self._one, self.jobs[place])] = place
            with self._patience():
                self._collect(waiting, progress)
        finally:
            progress.end()
            pool.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _patience(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            self.bound.stop(INTERRUPTED)

    def _collect(self, waiting: dict[Future[Outcome], int], progress: Progress) -> None:
        while waiting:
            try:
                ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    self.outcomes[waiting.pop(future)] = future.result()
                    progress.step()
            except KeyboardInterrupt:
                if self.bound.reason == INTERRUPTED:
                    raise
                self.bound.stop(INTERRUPTED)
                print("\nStopping: waiting for the replies under way (Ctrl-C again: not)", file=sys.stderr)

    def _one(self, job: Job) -> Outcome:
        """Judge one row. What goes wrong is told by its code alone: a message of a library may hold a text."""
        # Any other end leaves the rows that are recorded already, which cost nothing.
        if self.bound.reason == INTERRUPTED:
            return Outcome(job)
        try:
            return Outcome(job, self._judged(job))
        except Stopped:
            return Outcome(job)
        except JudgeModelError as error:
            return Outcome(job) if error.code in HOPELESS else Outcome(job, None, error.code)
        except (StoreError, UsageError) as error:
            # The folder can't be written or the settings are wrong: every row would say so.
            self.bound.stop(str(error))
            return Outcome(job)
        except GlassBoxError as error:
            return Outcome(job, None, error.kind)
        except Exception as error:
            return Outcome(job, None, type(error).__name__)

    def _judged(self, job: Job) -> Found:
        policy, _ = resolve(policy_of(job.task), "llm", judge_model=self.asked.name)
        tools = self.asked.tools(self.registry, secrets.token_bytes(SALT))
        return read(job.task, judge_named(job.judge)(job.request, policy, tools))


def named(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return the failed rows by name, with the code of what went wrong."""
    return [{**one.job.name, "code": one.error} for one in outcomes if one.error is not None]
