"""1b: rank agreement, distribution agreement and the calibrated similarity."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.judges.calibration import (
    calibrated_similarity,
    distribution_agreement,
    kendall_tau_b,
    min_max,
    rank_agreement,
)

SCORES = st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=2, max_size=12)


def test_equal_rankings_agree_wholly_and_reversed_ones_not_at_all() -> None:
    assert rank_agreement([3.0, 2.0, 1.0], [0.9, 0.5, 0.1]) == 1.0
    assert rank_agreement([1.0, 2.0, 3.0], [0.9, 0.5, 0.1]) == 0.0


def test_tau_b_of_a_worked_example_with_ties() -> None:
    # Six pairs, five concordant, one tied in the first ranking only.
    assert kendall_tau_b([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(5 / math.sqrt(5 * 6))
    # Four concordant, one tied in each ranking.
    assert kendall_tau_b([1, 1, 2, 3], [2, 1, 3, 3]) == pytest.approx(4 / 5)


def test_a_constant_ranking_has_no_agreement_to_speak_of() -> None:
    assert rank_agreement([1.0, 1.0, 1.0], [0.1, 0.2, 0.3]) is None
    assert rank_agreement([1.0, 2.0, 3.0], [0.2, 0.2, 0.2]) is None
    assert distribution_agreement([1.0, 1.0], [0.1, 0.2]) is None


def test_rankings_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        kendall_tau_b([1.0], [1.0, 2.0])


def test_the_order_of_the_passages_does_not_matter() -> None:
    pairs = [(0.3, 0.9), (0.1, 0.2), (0.7, 0.5), (0.7, 0.1)]
    values = {rank_agreement(*zip(*order, strict=True)) for order in permutations(pairs)}
    assert len(values) == 1


@given(SCORES, st.floats(0.001, 1000), st.floats(-1000, 1000))
def test_agreement_of_a_ranking_with_its_own_rescaling_is_one(scores: list[float], factor: float, shift: float) -> None:
    moved = [score * factor + shift for score in scores]
    if len(set(scores)) == len(set(moved)) and len(set(scores)) > 1:
        assert rank_agreement(scores, moved) == 1.0


@given(SCORES, SCORES)
def test_agreements_stay_between_zero_and_one(first: list[float], second: list[float]) -> None:
    size = min(len(first), len(second))
    for value in (rank_agreement(first[:size], second[:size]), distribution_agreement(first[:size], second[:size])):
        assert value is None or 0.0 <= value <= 1.0


def test_distribution_agreement_does_not_depend_on_the_scale_of_the_scores() -> None:
    similarity = [0.8, 0.4, 0.2]
    bm25 = [30.0, 10.0, 0.0]
    cosine = [b / 30 for b in bm25]
    negative = [b - 100 for b in bm25]
    assert distribution_agreement(bm25, similarity) == pytest.approx(1.0)
    assert distribution_agreement(cosine, similarity) == pytest.approx(1.0)
    assert distribution_agreement(negative, similarity) == pytest.approx(1.0)
    assert distribution_agreement([0.0, 10.0, 30.0], similarity) == pytest.approx(1 - (1 + 0 + 1) / 3)


def test_scores_whose_difference_exceeds_every_float_are_scaled() -> None:
    scaled = min_max([-1.7e308, 0.0, 1.7e308])
    assert scaled is not None and [float(x) for x in scaled] == [0.0, 0.5, 1.0]


def test_calibrated_similarity_rises_from_zero_to_one() -> None:
    values = [calibrated_similarity(x / 50) for x in range(-50, 51)]
    assert values == sorted(values)
    assert values[0] == 0.0 and values[50] == 0.0 and values[-1] == 1.0
    assert 0.45 < calibrated_similarity(0.47) < 0.55
