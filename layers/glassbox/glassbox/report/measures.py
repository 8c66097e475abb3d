"""Judges and measurements made ready to show, with every absence in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.plain import shorten
from glassbox.report.read import (
    Fact,
    array,
    comparison,
    decimal,
    facts,
    mapping,
    number,
    objects,
    percent,
    share,
    text,
)
from glassbox.report.scatter import scatter_of, without_scatter

_PARTS: Final = "absent:"
_ENGINE: Final = re.compile(r"\|engine:(local|llm)(?:\||$)")


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a value and its target stand on a line from 0 to 1, as percentages."""

    value: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Measure:
    """One measurement in plain words."""

    name: str
    title: str
    explains: str
    depth: int
    """0 for a direct part of a judge's score, 1 for a part of a part."""
    weighed: bool
    """Whether it counts towards the score; the others are reported only."""
    value: float | None
    value_text: str
    target: float | None
    target_text: str
    target_sign: str
    """The target as `> 0.85`."""
    passed: bool | None
    outcome: str
    symbol: str
    absence: str
    """Why there is no value, in words; empty where there is one."""
    reason: str
    ratio: str
    weight: str
    bar: Bar | None
    scatter: tuple[str, ...]
    """How far the members of a jury and the runs of one judge model lie apart, in words."""
    signature: str
    engine: str
    """Who gave the value, as its signature says: `local`, `llm`, or an empty text for a mean of others."""
    details: tuple[Fact, ...]
    evidence: tuple[tuple[Fact, ...], ...]
    left_out: int
    """Pieces of evidence that are not shown."""


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge: its question, its score, its measurements."""

    name: str
    title: str
    question: str
    score: float | None
    score_text: str
    absence: str
    reason: str
    """Why there is no score, where all its measurements give the same reason."""
    bar: Bar | None
    target: float | None
    target_text: str
    passed: bool | None
    """Whether the judge's own target is met, where the policy sets one."""
    share: str
    """What it weighs in the trust score, as a percentage."""
    engine: str
    engine_code: str | None
    judge_model: str
    """Identity of the judge model that it asked; empty where it asked none."""
    models: tuple[str, ...]
    libraries: tuple[str, ...]
    measures: tuple[Measure, ...]

    @property
    def main(self) -> tuple[Measure, ...]:
        """The direct parts of the score, and whatever missed a target."""
        return tuple(m for m in self.measures if (m.weighed and m.depth == 0) or m.passed is False)


def judges_of(core: Mapping[str, Any], short: Shortened) -> list[Judge]:
    """Return the judges of a scorecard or core in its order."""
    found = [(text(name), mapping(value)) for name, value in mapping(core.get("judges")).items()]
    total = sum(number(value.get("weight")) or 0.0 for _, value in found)
    return [_judge(name, value, total, short) for name, value in short.items(found, bounds.JUDGES, "judges")]


def _judge(name: str, value: Mapping[str, Any], total: float, short: Shortened) -> Judge:
    word = words.judge(name)
    score, weight = share(value.get("score")), number(value.get("weight"))
    target, passed = share(value.get("target")), value.get("passed")
    measures = short.items(objects(value.get("measurements")), bounds.MEASUREMENTS, f"measurements of {word.title}")
    reasons = {text(m.get("name")): text(m.get("reason")) for m in measures}
    reported = {reasons[text(m.get("name"))] for m in measures if not text(m.get("reason")).startswith(_PARTS)}
    return Judge(
        name=shorten(name, bounds.FIELD),
        title=shorten(word.title, bounds.FIELD),
        question=word.explains or shorten(text(value.get("question")), bounds.FIELD),
        score=score,
        score_text="no score" if score is None else decimal(score, target),
        absence="" if score is not None else words.status(shorten(text(value.get("status")), bounds.FIELD)),
        reason=_reason(min(reported), reasons) if score is None and len(reported) == 1 else "",
        bar=None if score is None else Bar(percent(score), None if target is None else percent(target)),
        target=target,
        target_text="" if target is None else comparison(value.get("comparator"), target),
        passed=passed if isinstance(passed, bool) else None,
        share=f"{weight / total:.0%}" if weight and total > 0 else "",
        engine=words.engine(None if value.get("engine") is None else shorten(text(value["engine"]), bounds.FIELD)),
        engine_code=None if value.get("engine") is None else shorten(text(value["engine"]), bounds.FIELD),
        judge_model=shorten(text(value.get("judge_model")), bounds.FIELD),
        models=_identities(value.get("models"), f"models of {word.title}", short),
        libraries=_identities(value.get("libraries"), f"libraries of {word.title}", short),
        measures=tuple(_measure(m, reasons, short) for m in measures),
    )


def _identities(value: Any, what: str, short: Shortened) -> tuple[str, ...]:
    shown = short.items(array(value), bounds.IDENTITIES, what)
    return tuple(shorten(text(item), bounds.FIELD) for item in shown)


def _measure(m: Mapping[str, Any], reasons: Mapping[str, str], short: Shortened) -> Measure:
    name = text(m.get("name"))
    word = words.measurement(name)
    path = text(m.get("path"))
    value, target = share(m.get("value")), share(m.get("target"))
    passed = m.get("passed") if isinstance(m.get("passed"), bool) else None
    outcome, symbol = _outcome(value, target, passed)
    evidence = objects(m.get("evidence"))
    shown = evidence[: bounds.EVIDENCE]
    return Measure(
        name=shorten(name, bounds.FIELD),
        title=shorten(word.title, bounds.FIELD),
        explains=word.explains,
        depth=max(path.count("/") - 1, 0),
        weighed=m.get("path") is not None,
        value=value,
        value_text="no value" if value is None else decimal(value, target),
        target=target,
        target_text="" if target is None else comparison(m.get("comparator"), target),
        target_sign="" if target is None else f"{'>=' if m.get('comparator') == '>=' else '>'} {target:g}",
        passed=passed,
        outcome=outcome,
        symbol=symbol,
        absence="" if value is not None else words.status(shorten(text(m.get("status")), bounds.FIELD)),
        reason="" if value is not None else _reason(text(m.get("reason")), reasons),
        ratio=_ratio(m),
        weight=text(m.get("weight")) if number(m.get("weight")) is not None else "",
        bar=None if value is None else Bar(percent(value), None if target is None else percent(target)),
        scatter=scatter_of(mapping(m.get("detail"))),
        signature=shorten(text(m.get("signature")), bounds.QUOTE),
        engine=_engine(text(m.get("signature"))),
        details=tuple(facts(without_scatter(mapping(m.get("detail"))), limit=bounds.FACTS, characters=bounds.FIELD)),
        evidence=tuple(tuple(facts(e, limit=bounds.FACTS, characters=bounds.FIELD)) for e in shown),
        left_out=len(evidence) - len(shown),
    )


def _engine(signature: str) -> str:
    named = _ENGINE.search(signature)
    return named.group(1) if named else ""


def _reason(code: str, reasons: Mapping[str, str]) -> str:
    """Return why there is no value, in words; where all parts of it have one reason, that reason."""
    if code.startswith(_PARTS):
        parts = {reasons.get(name, "") for name in code[len(_PARTS) :].split(",")}
        if len(parts) == 1 and "" not in parts:
            code = min(parts)
    return shorten(words.reason(code), bounds.FIELD)


def _outcome(value: float | None, target: float | None, passed: bool | None) -> tuple[str, str]:
    if value is None:
        return "no value", "–"
    if passed is None or target is None:
        return "no target", "·"
    return ("target met", "✓") if passed else ("target missed", "✗")


def _ratio(m: Mapping[str, Any]) -> str:
    num, den = number(m.get("num")), number(m.get("den"))
    return f"{num:.0f} of {den:.0f}" if num is not None and den is not None else ""
