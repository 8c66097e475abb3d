"""Trying a judge model before money is spent on it: one tiny question, and in plain words what works and what not."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from glassbox.errors import GlassBoxError, JudgeModelError
from glassbox.llm.learnt import Manner
from glassbox.llm.port import Port
from glassbox.llm.settings import LlmSettings
from glassbox.llm.types import Answer, Message, Question

_ATTEMPTS: Final = 4
_UNREACHED: Final = ("dns", "tls", "connection", "disconnected", "timeout", "deadline", "no_region", "no_credentials")
_UNKNOWN_KEY: Final = ("not_found", "redirect", "no_completion", "too_large", "unavailable", "bad_key")
_SLOW: Final = 20_000


class Prime(BaseModel):
    """The answer to the trial question; the question names none of these fields, only the schema does."""

    model_config = ConfigDict(extra="forbid", strict=True)

    verdict: Literal["prime", "composite"]
    smallest_divisors: list[int] = Field(max_length=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was found, and what to do about it."""

    level: Literal["ok", "note", "problem"]
    what: str
    fix: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a judge model can do; None stands for what could not be found out."""

    identity: str
    ok: bool
    """Whether it can judge; notes don't speak against it."""
    code: str | None
    """Why it can't, in one word."""
    reachable: bool
    authenticated: bool | None
    schema_mode: str | None
    """How the shape of an answer is asked for: json_schema, json_object or prompt."""
    schema_enforced: bool | None
    """Whether the endpoint held its reply to a schema that it was given and the model was not told in words."""
    seed: bool | None
    temperature: bool | None
    usage: bool | None
    served_model: str | None
    latency_ms: int | None
    attempts: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return asdict(self)


def check_model(settings: LlmSettings, made: Port | None = None) -> CheckReport:
    """Return what the configured judge model can do, after one tiny structured question.

    What the endpoint refuses is left out and asked again, so that a few requests may be sent. Whatever goes wrong
    is in the report, never raised. `made` is a port of the same settings, by default a new one that is closed again.
    """
    from glassbox.llm.panel import port

    tried = made if made is not None else port(replace(settings, attempts=min(settings.attempts, _ATTEMPTS), jury=()))
    before = tried.manner
    try:
        answer = tried.ask(_QUESTION)
    except GlassBoxError as error:
        return _failed(settings, error)
    finally:
        if made is None:
            tried.close()
    return _worked(settings, before, tried.manner, answer)


_QUESTION: Final = Question(
    purpose="llm.check",
    messages=(
        Message("system", "You answer in JSON, in the shape that the schema of the request demands."),
        Message("user", "Is 91 a prime number or composite? Name its divisors above 1, the smallest first."),
    ),
    response=Prime,
    max_tokens=200,
)


def _failed(settings: LlmSettings, error: GlassBoxError) -> CheckReport:
    code = error.code if isinstance(error, JudgeModelError) else error.kind
    reached = code not in _UNREACHED
    known = None if not reached or code in _UNKNOWN_KEY else code != "auth"
    return CheckReport(
        identity=settings.identity,
        ok=False,
        code=code,
        reachable=reached,
        authenticated=known,
        schema_mode=None,
        schema_enforced=None,
        seed=None,
        temperature=None,
        usage=None,
        served_model=None,
        latency_ms=None,
        attempts=None,
        input_tokens=None,
        output_tokens=None,
        cost_usd=None,
        findings=(Finding(level="problem", what=error.what, fix=error.fix), *_about_the_address(settings)),
    )


def _worked(settings: LlmSettings, before: Manner, manner: Manner, answer: Answer) -> CheckReport:
    call = answer.call
    enforced = None if before.told or manner.mode != "json_schema" else not manner.told
    return CheckReport(
        identity=settings.identity,
        ok=True,
        code=None,
        reachable=True,
        authenticated=True,
        schema_mode=manner.mode,
        schema_enforced=enforced,
        seed=manner.seed if settings.seed is not None else None,
        temperature=manner.temperature if settings.temperature is not None else None,
        usage=call.input_tokens is not None and call.output_tokens is not None,
        served_model=call.served_model,
        latency_ms=call.duration_ms,
        attempts=call.attempts,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        cost_usd=call.cost_usd,
        findings=(
            Finding(level="ok", what=f"{settings.identity} answered in {call.duration_ms} ms"),
            *_about_the_shape(manner, enforced),
            *_about_the_draw(settings, manner),
            *_about_the_bill(answer),
            *_about_the_answer(answer),
            *_about_the_address(settings),
        ),
    )


def _about_the_shape(manner: Manner, enforced: bool | None) -> list[Finding]:
    if enforced:
        return [Finding(level="ok", what="It holds its replies to a JSON schema")]
    if manner.mode == "json_schema":
        what = "It takes a JSON schema, but its first reply broke it: the schema is told in words as well"
        return [
            Finding(level="note", what=what, fix="Expect more repairs; a server with constrained decoding has none")
        ]
    kind = "JSON without a schema" if manner.mode == "json_object" else "no JSON mode"
    what = f"It knows {kind}: the schema is told in words, and every reply is checked"
    return [Finding(level="note", what=what, fix="Expect more repairs than with an endpoint that takes JSON schemas")]


def _about_the_draw(settings: LlmSettings, manner: Manner) -> list[Finding]:
    found = []
    if settings.seed is not None and not manner.seed:
        found.append(Finding(level="note", what="It takes no seed: the same question may get another answer"))
    if settings.temperature is not None and not manner.temperature:
        what = "It takes no temperature: the same question may get another answer"
        found.append(Finding(level="note", what=what, fix="GLASSBOX_LLM_TEMPERATURE=none saves the first refusal"))
    return found


def _about_the_bill(answer: Answer) -> list[Finding]:
    call = answer.call
    if call.input_tokens is None or call.output_tokens is None:
        return [Finding(level="note", what="It doesn't tell how many tokens it used: usage and cost are null")]
    told = f"{call.input_tokens} tokens in, {call.output_tokens} out"
    if call.cost_usd is None:
        fix = "Name its price in a table of your own: GLASSBOX_LLM_PRICES"
        return [Finding(level="note", what=f"It used {told}; the price table doesn't know the model", fix=fix)]
    return [Finding(level="ok", what=f"It used {told}, about ${call.cost_usd:.6f}")]


def _about_the_answer(answer: Answer) -> list[Finding]:
    found = []
    if isinstance(answer.value, Prime) and answer.value.verdict != "composite":
        what = "It took 91 for a prime number: this is a weak judge"
        found.append(Finding(level="note", what=what, fix="Use a stronger model where the scores matter"))
    if answer.call.duration_ms > _SLOW:
        what = "It is slow: an evaluation asks about six longer questions"
        found.append(Finding(level="note", what=what, fix="Raise GLASSBOX_LLM_TIMEOUT"))
    return found


def _about_the_address(settings: LlmSettings) -> list[Finding]:
    parts = urlsplit(settings.base_url)
    near = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if settings.backend != "openai" or parts.scheme != "http" or near or not settings.api_key:
        return []
    what = "The key and the texts cross the network unencrypted"
    return [Finding(level="note", what=what, fix="Use an https address outside of a network that you trust")]
