"""What a judge model was asked and what it cost, made ready to show: one line a call, no text of prompt or reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glassbox.contract.served import in_words, other_models
from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.plain import shorten
from glassbox.report.read import mapping, number, objects, of_n, text

_PLACES = 6


@dataclass(frozen=True, slots=True)
class Call:
    """One question to the judge model."""

    purpose: str
    purpose_code: str
    model: str
    served: str
    """What the endpoint says that it ran, and its build; empty where it doesn't say."""
    prompt: str
    schema: str
    reply: str
    tokens_in: str
    tokens_out: str
    cost: str
    duration: str
    attempts: str
    """Attempts and repair in words; empty where the first reply was taken."""
    drawn: str
    """Seed, temperature and the most tokens that the reply might have."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that the judge model of an evaluation was asked."""

    models: tuple[str, ...]
    calls: tuple[Call, ...]
    summary: str
    others: tuple[str, ...]
    """A sentence for each other model that answered in place of the one that was asked."""


def asked_of(envelope: Mapping[str, Any], short: Shortened) -> Asked | None:
    """Return the calls of all judges in their order, None where no judge model was asked."""
    content, core = mapping(envelope.get("content")), mapping(envelope.get("core"))
    results = mapping(content.get("results"))
    judges = list(mapping(core.get("judges")))
    names = (*judges, *(n for n in results if n not in judges))
    raw = [call for name in names for call in objects(mapping(results.get(name)).get("calls"))]
    lost = [told for name in names for told in objects(mapping(results.get(name)).get("lost"))]
    if not raw and not lost:
        return None
    shown = short.items(raw, bounds.CALLS, "calls to the judge model")
    models = tuple(dict.fromkeys(_identity(call) for call in shown or lost))
    return Asked(models, tuple(_call(call) for call in shown), _summary(raw, lost), _others(content))


def _others(content: Mapping[str, Any]) -> tuple[str, ...]:
    pairs = (tuple(shorten(name, bounds.FIELD) for name in pair) for pair in other_models(content))
    return tuple(f"Take note: {in_words(asked, served)}." for asked, served in pairs)


def models_of(scorecard: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the judge models that a scorecard, or its core, names."""
    judges = mapping(scorecard.get("judges")).values()
    found = (text(mapping(judge).get("judge_model")) for judge in judges)
    return tuple(dict.fromkeys(shorten(name, bounds.FIELD) for name in found if name))


def engine_of(scorecard: Mapping[str, Any]) -> str:
    """Return `llm` where any judge asked a judge model, `local` where bundled models judged, else an empty text."""
    engines = {text(mapping(judge).get("engine")) for judge in mapping(scorecard.get("judges")).values()}
    return "llm" if "llm" in engines else "local" if "local" in engines else ""


def usage_words(usage: Mapping[str, Any]) -> str:
    """Return what the calls used: `6 calls, 4,120 tokens in, 380 out, 0.0013 USD`; empty where nothing was asked."""
    calls = number(usage.get("llm_calls"))
    if not calls and usage.get("input_tokens", 0) == 0 and usage.get("output_tokens", 0) == 0:
        return ""
    parts = [
        of_n(int(calls or 0), "call"),
        f"{_count(usage.get('input_tokens'))} tokens in",
        f"{_count(usage.get('output_tokens'))} out",
        money(usage.get("cost_usd")),
    ]
    return ", ".join(parts)


def money(value: Any) -> str:
    """Return an amount in US dollars, or that it is not known."""
    amount = number(value)
    if amount is None:
        return "cost unknown"
    return f"{amount:.4f} USD" if amount >= 1 / 10**4 or amount == 0 else f"{amount:.{_PLACES}f} USD"


def _summary(calls: Sequence[Mapping[str, Any]], lost: Sequence[Mapping[str, Any]]) -> str:
    paid = [*calls, *lost]

    def total(name: str) -> float | None:
        found = [number(call.get(name)) for call in paid]
        return None if None in found else sum(value for value in found if value is not None)

    used = {"llm_calls": sum(call.get("error") is None for call in paid), "cost_usd": total("cost_usd")}
    used |= {name: total(name) for name in ("input_tokens", "output_tokens")}
    told = usage_words(used)
    return f"{told}; {of_n(len(lost), 'question')} of these came to nothing" if lost else told


def _call(call: Mapping[str, Any]) -> Call:
    code = shorten(text(call.get("purpose")), bounds.FIELD)
    served = [text(call.get(name)) for name in ("served_model", "system_fingerprint")]
    return Call(
        purpose=shorten(words.purpose(code), bounds.FIELD),
        purpose_code=code,
        model=_identity(call),
        served=shorten(", ".join(part for part in served if part), bounds.FIELD),
        prompt=_digest(call.get("prompt_digest")),
        schema=_digest(call.get("schema_digest")),
        reply=_digest(call.get("reply_digest")),
        tokens_in=_count(call.get("input_tokens")),
        tokens_out=_count(call.get("output_tokens")),
        cost=money(call.get("cost_usd")),
        duration=_duration(call.get("duration_ms")),
        attempts=_attempts(call),
        drawn=_drawn(call),
    )


def _identity(call: Mapping[str, Any]) -> str:
    return shorten(f"{text(call.get('backend'))}:{text(call.get('model'))}", bounds.FIELD)


def _digest(value: Any) -> str:
    return shorten(text(value), bounds.FIELD) or "none"


def _count(value: Any) -> str:
    found = number(value)
    return "unknown" if found is None else f"{found:,.0f}"


def _duration(value: Any) -> str:
    found = number(value)
    return "unknown" if found is None else f"{found:,.0f} ms"


def _attempts(call: Mapping[str, Any]) -> str:
    attempts = number(call.get("attempts")) or 1
    parts = [of_n(int(attempts), "attempt")] if attempts > 1 else []
    parts += ["repaired once"] if call.get("repaired") is True else []
    return ", ".join(parts)


def _drawn(call: Mapping[str, Any]) -> str:
    named = {"seed": "seed", "temperature": "temperature", "max_tokens": "tokens at most", "finish_reason": "ended by"}
    return ", ".join(f"{title} {shorten(text(call[k]), 40)}" for k, title in named.items() if call.get(k) is not None)
