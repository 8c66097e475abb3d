"""A judge model that is paid for: every reply is kept as it comes, nothing is asked twice, and a bound is kept to.

From the outside in: `_Kept` lets one thread at a time ask a question, remembers questions that no answer came of, and
counts the calls; then the cassettes; then `_Metered`, which only questions reach that were never answered before.
"""

from __future__ import annotations

import json
import os
import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from llm_bound import ANSWERED_BADLY, HOPELESS, Bound, Stopped

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.contract.judge_name import JudgeName
from glassbox.errors import JudgeModelError, UsageError
from glassbox.judges.tools import Models, Tools
from glassbox.llm import Answer, Call, JudgeModel, Member, Panel, Question, recorded_panel
from glassbox.llm.cassettes import cassette_key, read_index

FAILURES = "failures.jsonl"


@dataclass
class Log:
    """One model's folder: the calls behind the tables, and the questions that no answer came of."""

    folder: Path
    replayed: bool
    identity: str
    calls: dict[str, Call] = field(default_factory=dict)
    """By the key of their cassette."""
    locks: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))
    guard: threading.Lock = field(default_factory=threading.Lock)

    failures: dict[str, str] = field(default_factory=dict)
    """The code of each failure by the question's key; what earlier runs noted is read in."""
    lost: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """What each failure cost, with the question's key."""
    retry: bool = False
    """Whether the failures of earlier runs are asked again."""

    def __post_init__(self) -> None:
        try:
            lines = (self.folder / FAILURES).read_text("utf-8").splitlines()
        except OSError:
            return
        for item in map(_object, lines):
            if {"key", "code", "cost"} <= item.keys():
                self._note(str(item["key"]), str(item["code"]), item["cost"])

    def fail(self, key: str, error: JudgeModelError) -> None:
        """Note that no answer came of a question, and what it cost, in a file that only its owner reads; no text."""
        line = json.dumps({"key": key, "purpose": error.where, "code": error.code, "cost": error.cost})
        with self.guard:
            self._note(key, error.code, error.cost)
            descriptor = os.open(self.folder / FAILURES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line + "\n")

    def _note(self, key: str, code: str, cost: dict[str, Any] | None) -> None:
        self.failures[key] = code
        if cost is not None:
            self.lost.append((key, cost))

    def final(self, key: str) -> str | None:
        """Return the code of a failure that is not asked again, None where the question may be asked."""
        code = self.failures.get(key)
        return code if self.replayed or (code in ANSWERED_BADLY and not self.retry) else None

    def lock(self, key: str) -> threading.Lock:
        """Return the lock of a question."""
        with self.guard:
            return self.locks[key]


def _object(line: str) -> dict[str, Any]:
    """Return a line's object, an empty one for a line that was not written to its end."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class _Metered:
    """A live model within the bound."""

    def __init__(self, model: JudgeModel, bound: Bound) -> None:
        self._model, self._bound = model, bound
        self.sampling: Mapping[str, Any] = getattr(model, "sampling", {})

    @property
    def identity(self) -> str:
        return self._model.identity

    def ask(self, question: Question) -> Answer:
        held = self._bound.take(self.identity, question)
        try:
            answer = self._model.ask(question)
        except JudgeModelError as error:
            self._bound.settle(held, None, error)
            raise
        self._bound.settle(held, answer.call)
        return answer


class _Kept:
    """A recorded or replayed model, of which every question is asked once."""

    def __init__(self, model: JudgeModel, log: Log, sampling: Mapping[str, Any]) -> None:
        self._model, self._log, self._sampling = model, log, sampling

    @property
    def identity(self) -> str:
        return self._model.identity

    def ask(self, question: Question) -> Answer:
        log, key = self._log, cassette_key(question, self.identity, self._sampling)
        with log.lock(key):
            if not (log.folder / f"{key}.json").is_file():
                if (code := log.final(key)) is not None:
                    raise JudgeModelError("No answer came of this question", code=code, retryable=False)
                if log.replayed:
                    raise Stopped
            try:
                answer = self._model.ask(question)
            except JudgeModelError as error:
                if error.code not in HOPELESS:
                    log.fail(key, error)
                raise
            log.calls[key] = answer.call
            return answer


class Asked:
    """Who judges every row: the judge model that is configured, recorded in a folder, or its answers alone."""

    def __init__(self, asking: Asking, folder: Path, bound: Bound, *, retry: bool = False) -> None:
        """`asking` holds the options of `glassbox evaluate`; its `record` is not looked at."""
        self._retry = retry
        self.replayed = asking.replay is not None
        self._judge = LocalJudgeModel(replace(asking, record=None))
        self._folder, self._bound = folder, bound
        self._logs: dict[str, Log] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Who judges, as a policy names it; raises UsageError where nobody is configured."""
        identity = self._judge.identity
        if identity is None:
            raise UsageError("No judge model is configured", where="environment", fix="See docs/judge-model.md")
        return identity

    @property
    def concurrency(self) -> int:
        """Rows that are worked on at once."""
        return (os.cpu_count() or 1) if self.replayed else self._judge.concurrency

    @property
    def logs(self) -> list[Log]:
        """What was asked, model by model."""
        return [self._logs[identity] for identity in sorted(self._logs)]

    def tools(self, models: Models, salt: bytes) -> Tools:
        """Return what the judges of one row work with, whose time begins now; raises UsageError or StoreError."""
        tools = self._judge.tools(models, salt)
        live = tools.jury or (Member(tools.llm),) if tools.llm is not None or tools.jury else ()
        panel = Panel(JudgeName.parse(self.name).identity, tuple(Member(m.model, m.weight) for m in live))
        if not self.replayed:
            metered = tuple(Member(_Metered(m.model, self._bound), m.weight) for m in panel.members)
            panel = recorded_panel(Panel(panel.identity, metered), self._folder)
        several = len(panel.members) > 1
        kept = tuple(Member(self._kept(m.model, n, several), m.weight) for n, m in enumerate(panel.members))
        return replace(tools, llm=None, jury=kept) if several else replace(tools, llm=kept[0].model)

    def _kept(self, model: JudgeModel, place: int, several: bool) -> _Kept:
        folder = self._folder / str(place) if several else self._folder
        with self._lock:
            log = self._logs.setdefault(model.identity, Log(folder, self.replayed, model.identity, retry=self._retry))
        return _Kept(model, log, read_index(folder).get("sampling", {}))

    def close(self) -> None:
        """Release the connections."""
        self._judge.close()
