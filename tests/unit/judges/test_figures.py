"""The figures that quality is measured with."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "quality"))

from figures import area, auroc, difference


def test_auroc_counts_pairs_in_the_right_order_and_ties_half() -> None:
    assert auroc([3.0, 2.0], [1.0, 0.0]) == 1.0
    assert auroc([0.0], [1.0, 2.0]) == 0.0
    assert auroc([1.0], [1.0]) == 0.5
    assert auroc([2.0, 0.0], [1.0]) == 0.5


def test_the_interval_holds_the_value_and_comes_out_the_same_again() -> None:
    scores, truths = [0.9, 0.8, 0.4, 0.7, 0.3, 0.1, 0.5, 0.2], [True, True, True, True, False, False, False, False]
    found = area(scores, truths)
    assert found.low <= found.value <= found.high and found == area(scores, truths)
    assert (found.positives, found.negatives) == (4, 4)


def test_a_score_does_not_differ_from_itself() -> None:
    scores, truths = [0.9, 0.2, 0.4, 0.7], [True, False, True, False]
    assert difference(scores, scores, truths) == pytest.approx((0.0, 0.0, 0.0))
