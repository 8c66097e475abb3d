"""The port: one question in, one valid answer out, with everything between counted, limited and bounded in time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import BaseModel

from glassbox.contract.spending import question_cost
from glassbox.errors import JudgeModelError
from glassbox.llm.backend import Backend, BackendError, Raw, Wire
from glassbox.llm.digests import prompt_digest, text_digest
from glassbox.llm.drafts import Draft, wire_for
from glassbox.llm.endpoint import Endpoint
from glassbox.llm.learnt import Manner
from glassbox.llm.prices import PriceTable, price_table
from glassbox.llm.reading import read_reply
from glassbox.llm.schema import strict_schema
from glassbox.llm.settings import LlmSettings
from glassbox.llm.trouble import gave_up, no_reply, out_of_time
from glassbox.llm.types import Answer, Call, Question, ReplyFault
from glassbox_contract.canonical import digest

LEAST: Final = 0.05
"""Seconds below which a request is not worth starting."""
PATIENCE: Final = 120.0
"""Seconds that an endpoint may ask to wait; where it asks for more, the question is given up at once."""
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_TIMEOUTS: Final = 2
"""Requests of one question that may take too long: each may be paid for, and a slow model stays slow."""
_FREE: Final = 6
"""Refused parameters of one question that count as no attempt."""

Remaining = Callable[[], float]


@dataclass(slots=True)
class _Spent:
    """What one question has used so far."""

    attempts: int = 0
    failures: int = 0
    """Attempts in a row that brought no reply."""
    timeouts: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0

    def add(self, raw: Raw) -> None:
        self.failures = 0
        self.input_tokens = _sum(self.input_tokens, raw.input_tokens)
        self.output_tokens = _sum(self.output_tokens, raw.output_tokens)

    @property
    def billed(self) -> bool:
        """Whether anything is to be paid, or nobody knows."""
        return (self.input_tokens, self.output_tokens) != (0, 0)

    def fail(self, error: BackendError) -> None:
        self.failures += 1
        self.timeouts += error.code == "timeout"
        if error.billed:
            self.input_tokens = self.output_tokens = None


@dataclass(slots=True)
class _Reply:
    """One reply and the request that it answers."""

    raw: Raw
    wire: Wire = field(repr=False)


class Port:
    """A judge model behind one endpoint; safe to share between threads and between evaluations."""

    def __init__(
        self,
        settings: LlmSettings,
        backend: Backend,
        *,
        remaining: Remaining = lambda: float("inf"),
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.settings = settings
        self.prices: PriceTable = price_table(settings.prices)
        self._remaining = remaining
        self._endpoint = Endpoint(settings, backend, clock, sleep, chance)

    @property
    def identity(self) -> str:
        """`openai:<model>` or `bedrock:<model id>`."""
        return self.settings.identity

    @property
    def sampling(self) -> dict[str, int | float | None]:
        """What the settings say of how an answer is drawn."""
        return self.settings.sampling

    @property
    def manner(self) -> Manner:
        """How the endpoint is asked by now: what it refused is left out."""
        return self._endpoint.learnt.manner

    @property
    def limit(self) -> int:
        """How many requests may be under way at once by now."""
        return self._endpoint.limiter.limit

    def within(self, remaining: Remaining) -> Port:
        """Return the same port (connections, limits and what it learnt are shared) under another deadline.

        `remaining` returns the seconds that are left, such as a function's remaining time less a margin.
        """
        other = object.__new__(Port)
        other.settings, other.prices = self.settings, self.prices
        other._endpoint, other._remaining = self._endpoint, remaining
        return other

    def close(self) -> None:
        """Release the connections; the next question makes new ones."""
        self._endpoint.backend.close()

    def ask(self, question: Question) -> Answer:
        """Return the valid answer to a question; raises JudgeModelError.

        A reply that is cut off, is not of the question's shape or doesn't pass its check is asked for again as
        `Draft.after` says; a request without a reply is sent again after a growing pause, or after as long as the
        endpoint asks for. Both end with the attempts of the settings, and with the time that remains.
        """
        started = self._endpoint.clock()
        spent = _Spent()
        try:
            return self._answer(question, spent, started)
        except JudgeModelError as error:
            if spent.billed:
                error.cost = question_cost(self._cost(question, spent, started), error.code)
            raise

    def _answer(self, question: Question, spent: _Spent, started: float) -> Answer:
        draft = Draft(question.max_tokens + self.settings.extra_tokens)
        while True:
            reply = self._reply(question, draft, spent)
            try:
                value = _value(question, reply.raw)
            except ReplyFault as fault:
                self._endpoint.learnt.broke(fault.code)
                following = draft.after(fault.code)
                if following is None or spent.attempts >= self.settings.attempts:
                    raise gave_up(question.purpose, fault.code, spent.attempts) from None
                draft = following
            else:
                return Answer(value, self._call(question, draft, spent, reply, started), reply.raw.text)

    def _reply(self, question: Question, draft: Draft, spent: _Spent) -> _Reply:
        """Return one reply, after as many attempts as the endpoint needs and the settings allow."""
        free = _FREE
        while True:
            wire = wire_for(question, draft, self.manner, self.settings, strict_schema(question.response))
            spent.attempts += 1
            try:
                raw = self._once(question.purpose, wire)
            except JudgeModelError:
                # There was no time left to send it.
                spent.attempts -= 1
                raise
            except BackendError as error:
                if error.code == "parameter" and free > 0 and self._endpoint.learnt.drop(error, wire):
                    free -= 1
                    spent.attempts -= 1
                    continue
                spent.fail(error)
                over = spent.attempts >= self.settings.attempts or spent.timeouts >= _TIMEOUTS
                if over or not error.retryable:
                    raise no_reply(question.purpose, error, spent.attempts) from None
                self._pause(question.purpose, error, spent)
            else:
                spent.add(raw)
                return _Reply(raw, wire)

    def _once(self, purpose: str, wire: Wire) -> Raw:
        """Send one request as soon as there is a place for it."""
        limiter = self._endpoint.limiter
        if (hold := limiter.hold) > 0:
            self._endpoint.sleep(min(hold, max(0.0, self._remaining())))
        left = self._remaining()
        if left <= LEAST:
            raise out_of_time(purpose)
        with limiter.slot(left) as got:
            left = self._remaining()
            if not got or left <= LEAST:
                raise out_of_time(purpose)
            try:
                raw = self._endpoint.backend.send(replace(wire, timeout=min(self.settings.timeout, left)))
            except BackendError as error:
                if error.code == "rate_limited":
                    wait = error.retry_after
                    limiter.too_many(None if wait is None or wait > PATIENCE else wait)
                raise
        limiter.went_well()
        return raw

    def _pause(self, purpose: str, error: BackendError, spent: _Spent) -> None:
        wait = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (spent.failures - 1)) * (0.5 + self._endpoint.chance() / 2)
        if error.retry_after is not None:
            wait = max(wait, error.retry_after)
        if wait >= self._remaining() or wait > PATIENCE:
            raise no_reply(purpose, error, spent.attempts)
        self._endpoint.sleep(wait)

    def _call(self, question: Question, draft: Draft, spent: _Spent, reply: _Reply, started: float) -> Call:
        raw, wire = reply.raw, reply.wire
        return Call(
            **self._cost(question, spent, started),
            served_model=raw.served_model,
            system_fingerprint=raw.system_fingerprint,
            prompt_digest=prompt_digest(question),
            schema_digest=digest(wire.schema),
            reply_digest=text_digest(raw.text, question.fences),
            seed=wire.seed,
            temperature=wire.temperature,
            max_tokens=wire.max_tokens,
            finish_reason=raw.finish_reason,
            repaired=draft.repaired,
        )

    def _cost(self, question: Question, spent: _Spent, started: float) -> dict[str, Any]:
        """Return the members of a call that say what the question cost so far."""
        return {
            "purpose": question.purpose,
            "backend": self.settings.backend,
            "model": self.settings.model,
            "attempts": spent.attempts,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "cost_usd": self.prices.cost(self.identity, spent.input_tokens, spent.output_tokens),
            "price_table": self.prices.digest,
            "duration_ms": round((self._endpoint.clock() - started) * 1000),
        }


def _value(question: Question, raw: Raw) -> BaseModel:
    if raw.finish == "refusal":
        raise ReplyFault("refusal")
    if raw.finish == "length":
        raise ReplyFault("truncated")
    value = read_reply(raw.text, question.response)
    if question.check is not None:
        question.check(value)
    return value


def _sum(known: int | None, more: int | None) -> int | None:
    return None if known is None or more is None else known + more
