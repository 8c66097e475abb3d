"""Shares with a 95 % bootstrap interval, alone and as a paired difference, from the same fixed seed as the AUROCs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from figures import RESAMPLES, SEED

Interval = tuple[float, float, float]
"""A value with the lower and the upper bound of its interval."""


def mean(values: Sequence[float]) -> Interval | None:
    """Return the mean with its percentile interval over resampled rows; None without rows."""
    if not values:
        return None
    random = Random(SEED)
    found = sorted(sum(random.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return sum(values) / len(values), found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES)]


def mean_gain(first: Sequence[float], second: Sequence[float]) -> Interval | None:
    """Return mean(first) - mean(second) with its interval; the rows are resampled in pairs. None without rows."""
    return mean([a - b for a, b in zip(first, second, strict=True)])
