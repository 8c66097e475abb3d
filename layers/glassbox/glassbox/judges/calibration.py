"""Retrieval calibration (1b): do the scores that the retriever reported agree with an independent similarity?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

# Logistic map from query-passage cosine to the share of such passages that hold the answer, fitted on passages with
# attributed claims and checked on question-passage pairs with human answerability labels (tests/quality). Two
# constants; leaving either set out moves the midpoint by at most 0.07.
SIMILARITY_MIDPOINT: Final = 0.47
SIMILARITY_SLOPE: Final = 10.5


def scaled_logistic(value: float, *, midpoint: float, slope: float) -> float:
    """Return a logistic map of a cosine, scaled so that 0 and below give exactly 0 and 1 gives exactly 1."""

    def raw(x: float) -> float:
        return 1.0 / (1.0 + math.exp(-slope * (x - midpoint)))

    low, high = raw(0.0), raw(1.0)
    return (raw(min(max(value, 0.0), 1.0)) - low) / (high - low)


def calibrated_similarity(cosine: float) -> float:
    """Return the calibrated similarity in [0, 1] of a cosine in [-1, 1]; increasing, about 0.5 at the midpoint."""
    return scaled_logistic(cosine, midpoint=SIMILARITY_MIDPOINT, slope=SIMILARITY_SLOPE)


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b in [-1, 1] of two equally long sequences, or None where either holds one value only.

    tau_b = (concordant - discordant) / sqrt((n0 - ties in first) * (n0 - ties in second)), n0 = n(n-1)/2
    (Kendall 1945, "The treatment of ties in ranking problems"). Quadratic; the counts are exact integers, so that
    equal rankings give exactly 1. ValueError for sequences of different length.
    """
    if len(first) != len(second):
        raise ValueError("both rankings cover the same items")
    balance = untied_first = untied_second = 0
    for i in range(len(first)):
        for j in range(i):
            a = (first[i] > first[j]) - (first[i] < first[j])
            b = (second[i] > second[j]) - (second[i] < second[j])
            balance += a * b
            untied_first += a != 0
            untied_second += b != 0
    if not untied_first or not untied_second:
        return None
    if untied_first == untied_second:
        return balance / untied_first
    return balance / math.sqrt(untied_first * untied_second)


def rank_agreement(reported: Sequence[float], similarity: Sequence[float]) -> float | None:
    """Return (tau_b + 1) / 2 in [0, 1], or None where either ranking holds one value only."""
    tau = kendall_tau_b(reported, similarity)
    return None if tau is None else min(max((tau + 1.0) / 2.0, 0.0), 1.0)


def min_max(values: Sequence[float]) -> tuple[Fraction, ...] | None:
    """Return the values scaled exactly to [0, 1], or None where they are all equal.

    Exact fractions, because the difference of two legal scores may exceed the largest float.
    """
    exact = [Fraction(value) for value in values]
    low, high = min(exact), max(exact)
    if low == high:
        return None
    return tuple((value - low) / (high - low) for value in exact)


def distribution_agreement(reported: Sequence[float], similarity: Sequence[float]) -> float | None:
    """Return 1 - mean |s - r| in [0, 1] over both sequences scaled to [0, 1]; None where either is constant."""
    scaled_reported, scaled_similarity = min_max(reported), min_max(similarity)
    if scaled_reported is None or scaled_similarity is None:
        return None
    distance = sum((abs(s - r) for s, r in zip(scaled_similarity, scaled_reported, strict=True)), start=Fraction(0))
    return float(1 - distance / len(scaled_reported))
