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

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.contract.judge_name import JudgeName
from glassbox.errors import JudgeModelError, UsageError
from glassbox.judges.tools import Models, Tools
from glassbox.llm import Answer, Call, JudgeModel, Member, Panel, Question, recorded_panel
from glassbox.llm.cassettes import cassette_key, read_index
from glassbox.llm.prices import PriceTable

FAILURES = "failures.jsonl"
ANSWERED_BADLY = frozenset(
    (
        "invalid_json",
        "schema",
        "count",
        "index",
        "vocabulary",
        "refusal",
        "truncated",
        "not_finite",
        "empty",
        "filtered",
        "too_long",
    )
)
"""What comes of a question by itself: asked again, it would cost again and probably fail again."""
HOPELESS = frozenset(
    (
        "auth",
        "not_found",
        "parameter",
        "quota",
        "config",
        "dns",
        "tls",
        "redirect",
        "no_completion",
        "no_credentials",
        "no_region",
        "bad_key",
    )
)
"""What ends the run: every other question would fail as well."""
AWAY = 5
"""Questions in a row without a reply after which the endpoint is taken to be away."""
CHARACTERS = 3
"""Characters that a token has at least on average, for a bound that is not overrun."""


class Stopped(Exception):
    """A question that is not asked: the run has ended. Not an error of a row."""


@dataclass
class Bound:
    """What new calls may cost; asks no more as soon as one might go over."""

    calls: int | None = None
    usd: float | None = None
    prices: PriceTable | None = None
    spent_calls: int = 0
    spent_usd: float = 0.0
    reason: str | None = None
    """Why the run has ended, None while it goes on."""
    _held: float = 0.0
    _away: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def stop(self, reason: str) -> None:
        """End the run: what is under way is waited for, and nothing more is asked."""
        with self._lock:
            self.reason = self.reason or reason

    def take(self, identity: str, question: Question) -> float:
        """Return the most that a question should cost, held back until `settle`; raises Stopped."""
        most = self._most(identity, question)
        with self._lock:
            if self.reason is None and self.calls is not None and self.spent_calls >= self.calls:
                self.reason = f"the bound of {self.calls} calls"
            if self.reason is None and self.usd is not None and self.spent_usd + self._held + most > self.usd:
                self.reason = f"the budget of {self.usd:.2f} US dollars"
            if self.reason is not None:
                raise Stopped
            self.spent_calls += 1
            self._held += most
        return most

    def settle(self, held: float, call: Call | None, error: JudgeModelError | None = None) -> None:
        """Put what a call cost in place of what was held back; of one without a known cost, the whole is counted."""
        cost = held if call is None or call.cost_usd is None else call.cost_usd
        with self._lock:
            self._held -= held
            self.spent_usd += cost
            silent = error is not None and error.code not in ANSWERED_BADLY
            self._away = self._away + 1 if silent else 0
            if error is not None and error.code in HOPELESS:
                self.reason = self.reason or f"the endpoint ({error.code})"
            elif self._away >= AWAY and error is not None:
                self.reason = self.reason or f"the endpoint ({error.code}, {AWAY} times in a row)"

    def _most(self, identity: str, question: Question) -> float:
        characters = sum(len(message.content) for message in question.messages)
        if self.prices is None:
            return 0.0
        return self.prices.cost(identity, characters // CHARACTERS, question.max_tokens) or 0.0


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

    def __post_init__(self) -> None:
        try:
            lines = (self.folder / FAILURES).read_text("utf-8").splitlines()
        except OSError:
            return
        found = [_object(line) for line in lines]
        self.failures |= {str(item["key"]): str(item["code"]) for item in found if {"key", "code"} <= item.keys()}

    def fail(self, key: str, purpose: str, code: str) -> None:
        """Note that no answer came of a question, in a file that only its owner reads; no text of it."""
        with self.guard:
            self.failures[key] = code
            descriptor = os.open(self.folder / FAILURES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "purpose": purpose, "code": code}) + "\n")

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
                code = log.failures.get(key)
                if code is not None and (log.replayed or code in ANSWERED_BADLY):
                    raise JudgeModelError("No answer came of this question", code=code, retryable=False)
                if log.replayed:
                    raise Stopped
            try:
                answer = self._model.ask(question)
            except JudgeModelError as error:
                if error.code not in HOPELESS:
                    log.fail(key, question.purpose, error.code)
                raise
            log.calls[key] = answer.call
            return answer


class Asked:
    """Who judges every row: the judge model that is configured, recorded in a folder, or its answers alone."""

    def __init__(self, asking: Asking, folder: Path, bound: Bound) -> None:
        """`asking` holds the options of `glassbox evaluate`; its `record` is not looked at."""
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

    def retry(self) -> None:
        """Forget the questions that no answer came of."""
        for path in self._folder.rglob(FAILURES):
            path.unlink()

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
            log = self._logs.setdefault(model.identity, Log(folder, self.replayed, model.identity))
        return _Kept(model, log, read_index(folder).get("sampling", {}))

    def close(self) -> None:
        """Release the connections."""
        self._judge.close()
