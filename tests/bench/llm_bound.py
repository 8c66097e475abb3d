"""The bound of a run: what new calls may cost, and when an endpoint is not worth asking any more."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from glassbox.errors import JudgeModelError
from glassbox.llm import Call, Question
from glassbox.llm.prices import PriceTable

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
        """Put what a question cost in place of what was held back; where that is not known, the whole is counted."""
        told = (error.cost or {}).get("cost_usd") if call is None and error is not None else call and call.cost_usd
        cost = held if told is None else float(told)
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
