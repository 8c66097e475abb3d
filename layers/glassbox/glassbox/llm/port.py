"""The port: one question in, one valid answer out, with everything between counted, limited and bounded in time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import BaseModel

from glassbox.llm.backend import Backend, BackendError, Mode, Raw, Wire
from glassbox.llm.digests import prompt_digest, text_digest
from glassbox.llm.limiter import Limiter
from glassbox.llm.prices import PriceTable, price_table
from glassbox.llm.reading import compact, read_reply
from glassbox.llm.schema import strict_schema
from glassbox.llm.settings import LlmSettings
from glassbox.llm.trouble import SAID, gave_up, no_reply, out_of_time
from glassbox.llm.types import Answer, Call, Message, Question, ReplyFault
from glassbox_contract.canonical import digest

_MODES: Final[tuple[Mode, ...]] = ("json_schema", "json_object", "prompt")
_MOST_TOKENS: Final = 16_384
_RESEED: Final = 1_000_003
_LEAST: Final = 0.05

Remaining = Callable[[], float]


@dataclass(slots=True)
class _Learnt:
    """What an endpoint refused once and is not asked again."""

    mode: Mode
    seed: bool = True
    temperature: bool = True
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(slots=True)
class _Spent:
    """What one question has used so far."""

    attempts: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0

    def add(self, raw: Raw) -> None:
        known = self.input_tokens is not None and raw.input_tokens is not None
        self.input_tokens = (self.input_tokens or 0) + (raw.input_tokens or 0) if known else None
        known = self.output_tokens is not None and raw.output_tokens is not None
        self.output_tokens = (self.output_tokens or 0) + (raw.output_tokens or 0) if known else None


@dataclass(slots=True)
class _Draft:
    """How the next request of a question differs from the first."""

    max_tokens: int
    reseed: int = 0
    fault: str | None = None
    repaired: bool = False
    stretched: bool = False


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
        self._backend = backend
        self._limiter = Limiter(settings.concurrency, clock=clock)
        self._learnt = _Learnt("json_schema" if settings.schema == "auto" else settings.schema)
        self._remaining = remaining
        self._sleep = sleep
        self._clock = clock
        self._chance = chance

    @property
    def identity(self) -> str:
        """`openai:<model>` or `bedrock:<model id>`."""
        return self.settings.identity

    @property
    def learnt(self) -> tuple[Mode, bool, bool]:
        """How the endpoint is asked by now: schema mode, whether it takes a seed, whether it takes a temperature."""
        return self._learnt.mode, self._seed(0) is not None, self._temperature() is not None

    def within(self, remaining: Remaining) -> Port:
        """Return the same port (connections, limits and what it learnt are shared) under another deadline.

        `remaining` returns the seconds that are left, such as a function's remaining time less a margin.
        """
        other = object.__new__(Port)
        other.__dict__.update(self.__dict__)
        other._remaining = remaining
        return other

    def close(self) -> None:
        """Release the connections; the next question makes new ones."""
        self._backend.close()

    def ask(self, question: Question) -> Answer:
        """Return the valid answer to a question; raises JudgeModelError."""
        started = self._clock()
        spent = _Spent()
        draft = _Draft(question.max_tokens)
        while True:
            raw = self._reply(question, draft, spent)
            try:
                value = _value(question, raw)
            except ReplyFault as fault:
                if spent.attempts >= self.settings.attempts:
                    raise gave_up(question.purpose, fault.code, spent.attempts) from None
                draft = _next(draft, fault)
            else:
                return Answer(value, self._call(question, draft, spent, raw, started))

    def _reply(self, question: Question, draft: _Draft, spent: _Spent) -> Raw:
        """Return one reply, after as many attempts as the endpoint needs and the settings allow."""
        while True:
            spent.attempts += 1
            try:
                raw = self._once(question, draft)
            except BackendError as error:
                # What was sent without a reply may have been paid for: nobody can know.
                if error.code in ("timeout", "unavailable") and isinstance(error.status, str):
                    spent.input_tokens = spent.output_tokens = None
                if error.code == "parameter" and self._unlearn(error):
                    spent.attempts -= 1
                    continue
                if not error.retryable or spent.attempts >= self.settings.attempts:
                    raise no_reply(question.purpose, error, spent.attempts) from None
                self._wait(question.purpose, error, spent.attempts)
            else:
                spent.add(raw)
                return raw

    def _once(self, question: Question, draft: _Draft) -> Raw:
        left = self._remaining()
        if left <= _LEAST:
            raise out_of_time(question.purpose)
        timeout = min(self.settings.timeout, left)
        with self._limiter.slot(timeout) as got:
            left = self._remaining()
            if not got or left <= _LEAST:
                raise out_of_time(question.purpose)
            try:
                raw = self._backend.send(self._wire(question, draft, min(timeout, left)))
            except BackendError as error:
                if error.code == "rate_limited":
                    self._limiter.too_many()
                raise
        self._limiter.went_well()
        return raw

    def _wire(self, question: Question, draft: _Draft, timeout: float) -> Wire:
        mode, schema = self._learnt.mode, strict_schema(question.response)
        messages = question.messages
        told = []
        if mode != "json_schema":
            told.append(
                "Reply with one JSON object that is valid under this JSON Schema, and with nothing else:\n"
                + compact(schema)
            )
        if draft.fault is not None:
            # The faulty reply itself is not shown again: it may hold text that was under evaluation, unfenced.
            told.append(f"An earlier reply could not be used: {SAID[draft.fault]} Reply again, complete and exact.")
        if told:
            messages = (*messages, Message("user", "\n\n".join(told)))
        return Wire(
            messages=_joined(messages),
            mode=mode,
            name=question.purpose.replace(".", "_"),
            schema=schema,
            seed=self._seed(question.sample + draft.reseed),
            temperature=self._temperature(),
            max_tokens=draft.max_tokens,
            timeout=timeout,
        )

    def _seed(self, offset: int) -> int | None:
        seed = self.settings.seed
        if seed is None or not self._learnt.seed or not self._backend.takes_seed:
            return None
        return (seed + offset) % 2**31

    def _temperature(self) -> float | None:
        return self.settings.temperature if self._learnt.temperature else None

    def _unlearn(self, error: BackendError) -> bool:
        """Drop what the endpoint refused; return whether there was something to drop."""
        with self._learnt.lock:
            if error.parameter == "schema":
                if self.settings.schema != "auto" or self._learnt.mode == "prompt":
                    return False
                self._learnt.mode = _MODES[_MODES.index(self._learnt.mode) + 1]
                return True
            if error.parameter == "seed" and self._learnt.seed and self.settings.seed is not None:
                self._learnt.seed = False
                return True
            if error.parameter == "temperature" and self._temperature() is not None:
                self._learnt.temperature = False
                return True
            # The back end has changed the limit's name; a second refusal comes as `config`.
            return error.parameter == "max_tokens"

    def _wait(self, purpose: str, error: BackendError, attempts: int) -> None:
        delay = min(30.0, 0.5 * 2 ** (attempts - 1)) * (0.5 + self._chance() / 2)
        if error.retry_after is not None:
            delay = max(delay, error.retry_after)
        if delay >= self._remaining():
            raise no_reply(purpose, error, attempts)
        self._sleep(delay)

    def _call(self, question: Question, draft: _Draft, spent: _Spent, raw: Raw, started: float) -> Call:
        return Call(
            purpose=question.purpose,
            backend=self.settings.backend,
            model=self.settings.model,
            served_model=raw.served_model,
            system_fingerprint=raw.system_fingerprint,
            prompt_digest=prompt_digest(question),
            schema_digest=digest(strict_schema(question.response)),
            reply_digest=text_digest(raw.text, question.fences),
            seed=self._seed(question.sample + draft.reseed),
            temperature=self._temperature(),
            max_tokens=draft.max_tokens,
            finish_reason=raw.finish_reason,
            attempts=spent.attempts,
            repaired=draft.repaired,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cost_usd=self.prices.cost(self.identity, spent.input_tokens, spent.output_tokens),
            price_table=self.prices.digest,
            duration_ms=round((self._clock() - started) * 1000),
        )


def _value(question: Question, raw: Raw) -> BaseModel:
    if raw.finish == "refusal":
        raise ReplyFault("refusal")
    if raw.finish == "length":
        raise ReplyFault("truncated")
    value = read_reply(raw.text, question.response)
    if question.check is not None:
        question.check(value)
    return value


def _next(draft: _Draft, fault: ReplyFault) -> _Draft:
    """Return how to ask after a fault: longer once, then with the fault named once, then afresh with another seed."""
    if fault.code == "truncated" and not draft.stretched:
        return replace(draft, max_tokens=min(2 * draft.max_tokens, _MOST_TOKENS), stretched=True)
    if draft.fault is None and fault.code not in ("refusal", "truncated"):
        return replace(draft, fault=fault.code, repaired=True)
    return replace(draft, fault=None, repaired=False, reseed=draft.reseed + _RESEED)


def _joined(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages with neighbours of one role joined: some endpoints want roles to alternate."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, joined[-1].content + "\n\n" + message.content)
        else:
            joined.append(message)
    return tuple(joined)
