"""Are the probabilities probabilities? Reliability, accuracy against coverage, and constants of other origin.

A probability belongs to a claim, a label to an answer: only answers of one claim whose verdict rests on a probability
tell how reliable it is. Accuracy against coverage ranks whole answers by the distance of their mean from 0.5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from figures import auroc
from judged import EXACT, JudgedAnswer

from glassbox.judges.claim_support import WORDS, Signals, features

BINS = 5
COVERAGES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)


def reliability(answers: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Return the bins of the reliability diagram, equal in count, and the expected calibration error."""
    pairs = sorted(
        (c.probability, float(a.truth))
        for a in answers
        if len(a.claims) == 1 and (c := a.claims[0]).probability is not None and c.rule not in EXACT
    )
    if len(pairs) < BINS:
        return {"claims": len(pairs)}
    bins = []
    for i in range(BINS):
        part = pairs[i * len(pairs) // BINS : (i + 1) * len(pairs) // BINS]
        mean, share = (sum(p[k] for p in part) / len(part) for k in (0, 1))
        bins.append({"probability": round(mean, 3), "supported": round(share, 3), "claims": len(part)})
    error = sum(b["claims"] * abs(b["probability"] - b["supported"]) for b in bins) / len(pairs)
    brier = sum((p - t) ** 2 for p, t in pairs) / len(pairs)
    return {"claims": len(pairs), "bins": bins, "ece": round(error, 3), "brier": round(brier, 3)}


def coverage(answers: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Return accuracy at the line of 0.5 over the answers that are surest, and what the product itself leaves open."""
    ranked = sorted(answers, key=lambda a: (-abs(a.graded - 0.5), a.identity))
    table = []
    for share in COVERAGES:
        part = ranked[: max(1, round(share * len(ranked)))]
        right = sum((a.graded > 0.5) == a.truth for a in part)
        table.append({"coverage": share, "accuracy": round(right / len(part), 3), "answers": len(part)})
    claims = [c for a in answers for c in a.claims]
    decided = [a for a in answers if all(c.verdict != "inconclusive" for c in a.claims)]
    right = sum((a.verdicts > 0.5) == a.truth for a in decided)
    return {
        "by_distance": table,
        "claims_inconclusive": round(sum(c.verdict == "inconclusive" for c in claims) / max(1, len(claims)), 3),
        "answers_scored": round(sum(a.value is not None for a in answers) / max(1, len(answers)), 3),
        "answers_without_open_claim": {
            "share": round(len(decided) / max(1, len(answers)), 3),
            "accuracy": round(right / max(1, len(decided)), 3),
        },
    }


def leave_one_out(judged: Mapping[str, Sequence[JudgedAnswer]]) -> dict[str, Any]:
    """Return for each set the AUROC with the shipped constants and with constants fitted on the other measuring sets.

    The shipped ones come from training corpora alone; the others tell how far that origin matters. The answers of a set
    weigh as one, whatever its size; a claim carries its answer's label. The share of plain words is the shipped one.
    """
    result = {}
    for name, answers in judged.items():
        others = {n: a for n, a in judged.items() if n != name}
        weights = _fit(others)
        truths = [a.truth for a in answers]
        refitted = [_graded(a, weights) for a in answers]
        result[name] = {
            "shipped": round(_area([a.graded for a in answers], truths), 4),
            "fitted_on_others": round(_area(refitted, truths), 4),
            "constants": [round(float(w), 3) for w in weights],
        }
    return result


def _area(scores: Sequence[float], truths: Sequence[bool]) -> float:
    rows = list(zip(scores, truths, strict=True))
    return auroc([s for s, t in rows if t], [s for s, t in rows if not t])


def _graded(answer: JudgedAnswer, weights: np.ndarray) -> float:
    values = [
        c.graded if c.rule in EXACT or c.signals is None else _probability(c.signals, weights) for c in answer.claims
    ]
    return sum(values) / len(values)


def _probability(signals: Signals, weights: np.ndarray) -> float:
    regression = 1.0 / (1.0 + math.exp(-float(np.dot(_row(signals), weights))))
    return (1.0 - WORDS) * regression + WORDS * signals.words


def _row(signals: Signals) -> list[float]:
    return [*features(signals), 1.0]


def _fit(judged: Mapping[str, Sequence[JudgedAnswer]], ridge: float = 1.0, steps: int = 40) -> np.ndarray:
    """Return the weights of a logistic regression by Newton's method, ridge on all but the offset."""
    rows, truths, shares = [], [], []
    for answers in judged.values():
        count = sum(len(a.claims) > 0 for a in answers)
        for answer in answers:
            # The claims of an answer share its weight.
            spoken = [c.signals for c in answer.claims if c.signals is not None and c.rule not in EXACT]
            rows += [_row(s) for s in spoken]
            truths += [float(answer.truth)] * len(spoken)
            shares += [150.0 / count / max(1, len(spoken))] * len(spoken)
    x, y, share = np.array(rows), np.array(truths), np.array(shares)
    weights, penalty = np.zeros(x.shape[1]), np.diag([ridge] * (x.shape[1] - 1) + [0.0])
    for _ in range(steps):
        guess = 1.0 / (1.0 + np.exp(-x @ weights))
        slope = x.T @ (share * (guess - y)) + penalty @ weights
        bend = (x * (share * guess * (1 - guess))[:, None]).T @ x + penalty
        weights = weights - np.linalg.solve(bend, slope)
    return weights
