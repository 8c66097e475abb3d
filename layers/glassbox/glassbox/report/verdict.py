"""The decision made ready to show: trust score against the bar in plain words, and the four states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glassbox.report import bounds, words
from glassbox.report.measures import Bar
from glassbox.report.plain import shorten
from glassbox.report.read import comparison, decimal, mapping, of_n, percent, share, text


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision in words, with the trust score and the bar it is held against."""

    decision: str
    symbol: str
    label: str
    sentence: str
    trust: float | None
    trust_text: str
    bar_text: str
    bar_mark: str
    """The bar's value alone, to stand beside its mark."""
    bar: Bar | None
    states: tuple[tuple[str, str, str, str], ...]
    """Title, value in words, code and explanation of each of the four states."""


def verdict_of(core: Mapping[str, Any], failing: int, blocking: int) -> Verdict:
    """Return the decision, the trust score against the bar, and the four states.

    ``failing`` and ``blocking`` say how many findings fail the answer and how many keep it from passing.
    """
    decision = text(core.get("decision"))
    symbol, label = words.DECISIONS.get(decision, ("?", shorten(decision, bounds.FIELD) or "No decision"))
    bar = mapping(core.get("bar"))
    trust, target = share(core.get("trust_score")), share(bar.get("value"))
    states = mapping(core.get("states"))
    return Verdict(
        decision=decision if decision in words.DECISIONS else "unknown",
        symbol=symbol,
        label=label,
        sentence=_sentence(decision, trust, target, failing, blocking),
        trust=trust,
        trust_text="none" if trust is None else decimal(trust, target),
        bar_text="no bar is given" if target is None else comparison(bar.get("comparator"), target),
        bar_mark="" if target is None else f"bar {target:g}",
        bar=None if trust is None else Bar(percent(trust), None if target is None else percent(target)),
        states=tuple((title, *_state(text(states.get(key)))) for key, title in words.STATES.items()),
    )


def _state(value: str) -> tuple[str, str, str]:
    word = words.STATE_VALUES.get(value)
    return (word.title, value, word.explains) if word else (shorten(value, bounds.FIELD) or "not given", "unknown", "")


def _sentence(decision: str, trust: float | None, bar: float | None, failing: int, blocking: int) -> str:
    if decision == "pass":
        return "The trust score reaches the bar, and no finding fails or blocks the answer."
    if decision == "fail" and failing:
        because = f"{of_n(failing, 'finding')} {'fails' if failing == 1 else 'fail'} the answer under this policy"
        if trust is None or bar is None:
            return f"{because}; there is no trust score."
        alone = "the trust score alone would have reached the bar" if trust >= bar else "the trust score misses the bar"
        return f"{because}; {alone}."
    if decision == "fail":
        return "The trust score does not reach the bar."
    if decision == "inconclusive" and trust is None:
        return "There is no trust score: a question could not be answered, or did not arise. Nothing was guessed."
    if decision == "inconclusive":
        clear = of_n(blocking, "finding") if blocking else "something"
        return f"The trust score reaches the bar, but {clear} must be cleared by a person before the answer may pass."
    return "The record names no decision that is known here."
