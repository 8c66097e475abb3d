"""Area under the ROC curve with a bootstrap interval, on plain lists."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

RESAMPLES = 1000
SEED = 20250301


@dataclass(frozen=True)
class Area:
    """An AUROC with its 95 % percentile bootstrap interval and the numbers of rows behind it."""

    value: float
    low: float
    high: float
    positives: int
    negatives: int


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return the share of (positive, negative) pairs in the right order, ties half; 0.5 where a class is empty."""
    if not positives or not negatives:
        return 0.5
    ordered = sorted(negatives)
    wins = sum(0.5 * (bisect_left(ordered, p) + bisect_right(ordered, p)) for p in positives)
    return wins / (len(positives) * len(negatives))


def area(scores: Sequence[float], truths: Sequence[bool]) -> Area:
    """Return the AUROC of the scores; the interval resamples each class by itself, from a fixed seed."""
    positives = [s for s, t in zip(scores, truths, strict=True) if t]
    negatives = [s for s, t in zip(scores, truths, strict=True) if not t]
    random = Random(SEED)
    values = sorted(
        auroc(random.choices(positives, k=len(positives)), random.choices(negatives, k=len(negatives)))
        for _ in range(RESAMPLES if positives and negatives else 1)
    )
    low, high = values[int(0.025 * len(values))], values[int(0.975 * len(values))]
    return Area(auroc(positives, negatives), low, high, len(positives), len(negatives))


def difference(first: Sequence[float], second: Sequence[float], truths: Sequence[bool]) -> tuple[float, float, float]:
    """Return AUROC(first) - AUROC(second) on the same rows, with its paired 95 % bootstrap interval."""
    positives = [(a, b) for a, b, t in zip(first, second, truths, strict=True) if t]
    negatives = [(a, b) for a, b, t in zip(first, second, truths, strict=True) if not t]

    def gap(p: Sequence[tuple[float, float]], n: Sequence[tuple[float, float]]) -> float:
        return auroc([x[0] for x in p], [x[0] for x in n]) - auroc([x[1] for x in p], [x[1] for x in n])

    random = Random(SEED)
    values = sorted(
        gap(random.choices(positives, k=len(positives)), random.choices(negatives, k=len(negatives)))
        for _ in range(RESAMPLES if positives and negatives else 1)
    )
    return gap(positives, negatives), values[int(0.025 * len(values))], values[int(0.975 * len(values))]
