"""What several votes and several scores come to: majorities, means, scatter, and scores that stand apart. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

Consensus = Literal["mean", "median", "trimmed_mean"]
Word = TypeVar("Word")

APART: Final = 3.5
"""Modified z-score (Iglewicz and Hoaglin 1993) from which a score stands apart."""
LEAST_APART: Final = 0.1
"""Distance from the median below which no score does, however close the others lie together."""
_AGAINST: Final = ("unsupported", "contradicted")
_MAD: Final = 1.4826
_LEAST_MEMBERS: Final = 3
_PLACES: Final = 6


def majority(votes: Sequence[tuple[Word, float]]) -> Word | None:
    """Return the word that more than half of the weight voted for, None where no word has it."""
    total = math.fsum(weight for _, weight in votes)
    for word in dict.fromkeys(word for word, _ in votes):
        if 2.0 * math.fsum(weight for voted, weight in votes if voted == word) > total:
            return word
    return None


def prevailing(votes: Sequence[tuple[str, float]]) -> str | None:
    """Return the verdict on a claim that more than half of the weight gave.

    Where those have it together who call the claim unsupported or contradicted, it is the one of the two with more
    weight, or `unsupported`. None where there is no majority.
    """
    word = majority(votes)
    against = [(verdict, weight) for verdict, weight in votes if verdict in _AGAINST]
    if word is not None or majority([(verdict in _AGAINST, weight) for verdict, weight in votes]) is not True:
        return word
    return majority(against) or _AGAINST[0]


def mean(scores: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Return the mean of scores, weighted where weights are given; ValueError for none."""
    if not scores:
        raise ValueError("no scores")
    by = [1.0] * len(scores) if weights is None else list(weights)
    return math.fsum(s * w for s, w in zip(scores, by, strict=True)) / math.fsum(by)


def trimmed_mean(scores: Sequence[float]) -> float:
    """Return the mean without the lowest and the highest score; with fewer than three, the mean."""
    ordered = sorted(scores)
    return mean(ordered[1:-1] if len(ordered) >= _LEAST_MEMBERS else ordered)


def sigma(scores: Sequence[float]) -> float:
    """Return the population's standard deviation; 0 for one score."""
    return statistics.pstdev(scores) if len(scores) > 1 else 0.0


def outliers(scores: Sequence[float]) -> list[int]:
    """Return the positions of scores that stand apart from the others, none where there are fewer than three.

    One stands apart whose distance from the median is more than 3.5 times 1.4826 times the median distance, and more
    than 0.1.
    """
    if len(scores) < _LEAST_MEMBERS:
        return []
    middle = statistics.median(scores)
    distances = [abs(score - middle) for score in scores]
    least = max(APART * _MAD * statistics.median(distances), LEAST_APART)
    return [number for number, distance in enumerate(distances) if distance > least]


def consensus(scores: Sequence[float], weights: Sequence[float], by: Consensus) -> float:
    """Return the one score of a jury; only the mean is weighted. ValueError for no scores."""
    if by == "median":
        return float(statistics.median(scores))
    return trimmed_mean(scores) if by == "trimmed_mean" else mean(scores, weights)


def summary(scores: Sequence[float | None], weights: Sequence[float]) -> dict[str, Any]:
    """Return mean, median, trimmed mean, weighted mean, sigma and outliers of the scores that there are.

    Positions of outliers are those in `scores`; without any score there is nothing to tell.
    """
    there = [number for number, score in enumerate(scores) if score is not None]
    known = [float(score) for score in scores if score is not None]
    if not known:
        return {}
    return {
        "mean": _round(mean(known)),
        "median": _round(statistics.median(known)),
        "trimmed_mean": _round(trimmed_mean(known)),
        "weighted_mean": _round(mean(known, [weights[number] for number in there])),
        "sigma": _round(sigma(known)),
        "outliers": [there[number] for number in outliers(known)],
    }


def stability(runs: Mapping[str, Sequence[float | None]]) -> dict[str, Any]:
    """Return for each judge the scores of its runs and their standard deviation."""
    told: dict[str, Any] = {}
    for judge, scores in runs.items():
        known = [float(score) for score in scores if score is not None]
        rounded = [None if score is None else _round(score) for score in scores]
        told[judge] = {"scores": rounded, "sigma": _round(sigma(known)) if known else None}
    return told


def _round(value: float) -> float:
    return round(value, _PLACES)
