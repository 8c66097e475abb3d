"""The tables of a judge model: the local engine's, and beside them what the judge model alone would have said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import calibration
import llm_rows
import pairs
from intervals import mean, mean_gain
from lines import Line, line
from llm_beside import beside
from llm_found import Found
from llm_running import Outcome
from llm_scored import Row, answers, both_sides, right, rounded, scored
from tables import as_rows

from glassbox.text.refusal import is_refusal

LINE = 0.80
"""The target of answer relevancy."""


def tables(outcomes: Sequence[Outcome], local: Sequence[Found | None], published: dict[str, Any]) -> dict[str, Any]:
    """Return all tables; `published` is the local engine's bench.json, `{}` where there is none."""
    groups: dict[str, dict[str, list[tuple[Outcome, Found | None]]]] = {}
    for one, other in zip(outcomes, local, strict=True):
        groups.setdefault(one.job.task, {}).setdefault(one.job.data, []).append((one, other))
    body: dict[str, Any] = {"rows": {task: _counted(sets) for task, sets in groups.items()}}
    rows = {t: {d: list(scored(found)) for d, found in sets.items()} for t, sets in groups.items()}
    if "faithfulness" in rows:
        body["faithfulness"] = _faithfulness(rows["faithfulness"])
    for task in ("relevance", "relevancy"):
        if task in rows:
            body[task] = [item for data, found in rows[task].items() for item in _plain(task, data, found)]
    if "pairs" in rows:
        body["pairs"] = _pairs(rows["pairs"])
    if "refusals" in rows:
        body["refusals"] = {data: _refusals(found) for data, found in rows["refusals"].items()}
    both = beside(rows, published)
    return {**body, "beside_local": both} if any(both.values()) else body


def _counted(sets: dict[str, list[tuple[Outcome, Found | None]]]) -> dict[str, dict[str, int]]:
    """Return for each set how many rows there are, and what came of them."""
    return {
        data: {
            "rows": len(found),
            "scored": sum(one.found is not None and one.found.score is not None for one, _ in found),
            "without_score": sum(one.found is not None and one.found.score is None for one, _ in found),
            "errors": sum(one.error is not None for one, _ in found),
            "not_asked": sum(one.found is None and one.error is None for one, _ in found),
        }
        for data, found in sets.items()
    }


def _lines(task: str, data: str, rows: Sequence[Row], columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Return a line for each column over the rows that have both sides; a line with one class only is left out."""
    made: list[Line] = []
    for column in columns:
        values = [(column.of(row), column.base(row), row.truth) for row in rows]
        known = [(a, b, t) for a, b, t in values if a is not None and b is not None]
        scores, base, truths = [a for a, _, _ in known], [b for _, b, _ in known], [t for _, _, t in known]
        if any(truths) and not all(truths):
            item = line(task, data, column.name, scores, (column.beside, base), truths)
            made.append(replace(item, note=column.note(scores, truths)))
    return as_rows(made)


def _baseline(row: Row) -> float | None:
    return row.outcome.job.baseline()


@dataclass(frozen=True)
class Column:
    """A score beside another one on the same rows."""

    name: str
    of: Callable[[Row], float | None]
    beside: str
    base: Callable[[Row], float | None] = _baseline
    note: Callable[[Sequence[float], Sequence[bool]], str] = lambda scores, truths: ""


WORDS = "ROUGE-1 precision"
FAITHFULNESS = (
    Column("verdicts", lambda row: row.found.verdicts, WORDS),
    Column("judge alone", lambda row: row.found.alone, WORDS),
    Column("verdicts", lambda row: row.found.verdicts, "judge alone", lambda row: row.found.alone),
)


def _faithfulness(sets: dict[str, list[Row]]) -> dict[str, Any]:
    return {
        "lines": [item for data, rows in sets.items() for item in _lines("faithfulness", data, rows, FAITHFULNESS)],
        "coverage": {data: calibration.coverage(answers(rows)) for data, rows in sets.items() if rows},
        "accuracy": {data: _accuracy(rows) for data, rows in sets.items() if rows},
        "rules": {data: _rules(rows) for data, rows in sets.items() if rows},
    }


def _accuracy(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how often an answer is called rightly: wholly supported or not, by our verdicts and by the judge's own.

    An answer with an open claim counts as not supported here, so that leaving it open is never free.
    """
    asked = [row for row in rows if row.found.alone is not None]
    ours = [float((row.found.verdicts == 1.0) is row.truth) for row in asked]
    alone = [float((row.found.alone == 1.0) is row.truth) for row in asked]
    # The costly mistake: an answer that people call unfaithful is passed.
    wrong = [row for row in asked if not row.truth]
    return {
        "answers": len(asked),
        "ours": rounded(mean(ours)),
        "judge_alone": rounded(mean(alone)),
        "gain": rounded(mean_gain(ours, alone)),
        "unfaithful_answers": len(wrong),
        "unfaithful_passed": sum(row.found.verdicts == 1.0 for row in wrong),
        "unfaithful_passed_by_judge_alone": sum(row.found.alone == 1.0 for row in wrong),
    }


def _rules(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Return how many claims each rule decided in answers that people call faithful, and in the others."""
    found = {
        truth: Counter(f"{c.verdict}: {c.rule}" for r in rows if r.truth is truth for c in r.found.claims)
        for truth in (True, False)
    }
    names = sorted({*found[True], *found[False]})
    return {name: {"faithful": found[True][name], "unfaithful": found[False][name]} for name in names}


def _plain(task: str, data: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    if task == "relevance":
        right = [row.found.yes is row.truth for row in rows]
        note = f"verdicts right {sum(right) / len(right):.3f}" if right else ""
        return _lines(task, data, rows, [Column(task, _score, "shared words", note=lambda scores, truths: note)])
    return _lines(task, data, rows, [Column("answer_relevancy", _score, "shared words", note=_above)])


def _score(row: Row) -> float | None:
    return row.found.score


def _above(scores: Sequence[float], truths: Sequence[bool]) -> str:
    passed = [sum(s > LINE for s, t in zip(scores, truths, strict=True) if t is want) for want in (True, False)]
    return f"above {LINE:.2f}: {passed[0]}/{sum(truths)} right, {passed[1]}/{len(truths) - sum(truths)} wrong answers"


def _pairs(kinds: dict[str, list[Row]]) -> dict[str, Any]:
    """Return the rates of each kind of change and of all, by our verdicts and by the judge model's own."""
    found = {kind: both_sides(rows) for kind, rows in kinds.items()}
    found["all"] = [pair for pairs_ in found.values() for pair in pairs_]
    return {
        kind: {
            "ours": _rates(found_pairs, lambda f: f.worst),
            "judge_alone": _rates(found_pairs, lambda f: f.worst_alone),
            "gain": rounded(
                mean_gain(
                    [right(pair, lambda f: f.worst) for pair in found_pairs],
                    [right(pair, lambda f: f.worst_alone) for pair in found_pairs],
                )
            ),
        }
        for kind, found_pairs in found.items()
        if found_pairs
    }


def _rates(found: Sequence[tuple[Row, Row]], verdict: Callable[[Found], str]) -> dict[str, Any]:
    return pairs._rates([(verdict(true.found), verdict(false.found), 0.0, 0.0) for true, false in found])


def _refusals(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how many answers are taken for a refusal, and how many of them by their words, before any call."""
    taken = [row for row in rows if row.found.score == 1.0]
    by_words = sum(is_refusal(row.outcome.job.request.answer).recognised for row in taken)
    return {
        "refusals": bool(rows) and rows[0].outcome.job.data == llm_rows.REFUSALS,
        "answers": len(rows),
        "taken_for_refusal": len(taken),
        "by_words": by_words,
        "by_judge_model": len(taken) - by_words,
    }
