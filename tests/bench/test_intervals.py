"""Shares and their bootstrap intervals."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))

from intervals import mean, mean_gain


def test_the_interval_of_a_constant_is_a_point() -> None:
    assert mean([1.0] * 30) == (1.0, 1.0, 1.0)


def test_the_interval_is_that_of_the_normal_approximation_for_many_rows() -> None:
    rng = Random(1)
    values = [float(rng.random() < 0.7) for _ in range(2000)]
    found = mean(values)
    assert found is not None
    share, low, high = found
    half = 1.96 * (share * (1 - share) / len(values)) ** 0.5
    assert abs(low - (share - half)) < 0.004 and abs(high - (share + half)) < 0.004


def test_a_gain_is_taken_row_by_row() -> None:
    rng = Random(2)
    first = [float(rng.random() < 0.5) for _ in range(300)]
    # Unpaired, the interval of two shares near a half would be 0.16 wide.
    assert mean_gain(first, first) == (0.0, 0.0, 0.0)
    better = [1.0, *first[1:]] if first[0] == 0 else [0.0, *first[1:]]
    found = mean_gain(better, first)
    assert found is not None and found[2] - found[1] < 0.02


def test_the_interval_of_the_gain_holds_the_true_gain_in_about_19_of_20_samples() -> None:
    rng, hits = Random(3), 0
    for _ in range(100):
        pairs = [(float(rng.random() < 0.8), float(rng.random() < 0.6)) for _ in range(60)]
        found = mean_gain([a for a, _ in pairs], [b for _, b in pairs])
        assert found is not None
        hits += found[1] <= 0.2 <= found[2]
    assert 88 <= hits <= 100


def test_no_rows_have_no_mean() -> None:
    assert mean([]) is None
    assert mean_gain([], []) is None
