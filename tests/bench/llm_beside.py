"""Both engines side by side, on the rows that both of them scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import calibration
from figures import auroc, difference
from intervals import mean, mean_gain
from llm_found import Found
from llm_scored import Row, answers, both_sides, right, rounded


def beside(rows: dict[str, dict[str, list[Row]]], published: dict[str, Any]) -> dict[str, Any]:
    """Return both engines on the rows that both scored."""
    lines = [
        item
        for task in ("faithfulness", "relevance", "relevancy")
        for data, found in rows.get(task, {}).items()
        for item in _engines(task, data, found, published)
    ]
    both = {
        kind: [(t, f) for t, f in both_sides(found) if t.local and f.local]
        for kind, found in rows.get("pairs", {}).items()
    }
    both["all"] = [pair for found in both.values() for pair in found]
    judged = {d: [r for r in found if r.local and r.local.claims] for d, found in rows.get("faithfulness", {}).items()}
    return {
        "lines": lines,
        "pairs": {kind: _pair_engines(found) for kind, found in both.items() if found},
        "coverage": {data: _coverages(found) for data, found in judged.items() if found},
    }


def _engines(task: str, data: str, rows: Sequence[Row], published: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the two engines' AUROC and the paired gain of the judge model's."""
    scores: dict[str, tuple[Callable[[Found], float | None], Callable[[Found], float | None]]] = {
        "faithfulness": (lambda f: f.verdicts, lambda f: f.score),
        "relevance": (lambda f: f.score, lambda f: f.score),
        "relevancy": (lambda f: f.score, lambda f: f.score),
    }
    names = {"faithfulness": "probabilities", "relevancy": "answer_relevancy", "relevance": "relevance"}
    ours, theirs = scores[task]
    values = [(ours(r.found), theirs(r.local), r.truth) for r in rows if r.local is not None]
    known = [(a, b, t) for a, b, t in values if a is not None and b is not None]
    llm, local, truths = [a for a, _, _ in known], [b for _, b, _ in known], [t for _, _, t in known]
    if not any(truths) or all(truths):
        return
    yield {
        "task": task,
        "data": data,
        "positives": sum(truths),
        "negatives": len(truths) - sum(truths),
        "llm": _area(llm, truths),
        "local": _area(local, truths),
        "gain": [round(v, 4) for v in difference(llm, local, truths)],
        "local_in_bench_json": _published(published, task, data, names[task]),
    }


def _area(scores: Sequence[float], truths: Sequence[bool]) -> float:
    rows = list(zip(scores, truths, strict=True))
    return round(auroc([s for s, t in rows if t], [s for s, t in rows if not t]), 4)


def _published(body: dict[str, Any], task: str, data: str, score: str) -> float | None:
    """Return the AUROC that bench.json has for all rows of a set, None where it has none."""
    rows = [*body.get("faithfulness", {}).get("lines", ()), *body.get("lines", ())]
    found = [float(r["auroc"]) for r in rows if (r["task"], r["data"], r["score"]) == (task, data, score)]
    return found[0] if found else None


def _pair_engines(found: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    ours = [right(pair, lambda f: f.worst) for pair in found]
    local = [right(pair, lambda f: f.worst, lambda row: row.local) for pair in found]
    return {
        "pairs": len(found),
        "llm": rounded(mean(ours)),
        "local": rounded(mean(local)),
        "gain": rounded(mean_gain(ours, local)),
    }


def _coverages(rows: Sequence[Row]) -> dict[str, Any]:
    sides = {"llm": answers(rows), "local": answers(rows, lambda row: row.local or row.found)}
    return {engine: calibration.coverage(answers) for engine, answers in sides.items() if answers}
