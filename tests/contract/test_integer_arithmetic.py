"""All rounding is half up, exact, in integers."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox_contract.arithmetic import MICRO, average_precision, float_leaf, hmean, mean, passes, ratio

micros = st.integers(0, MICRO)
pairs = st.lists(st.tuples(st.integers(1, 1_000_000), micros), min_size=1, max_size=20)


def half_up(exact: Fraction) -> int:
    """Return exact * 1e6 rounded half up, by another way than the code under test."""
    scaled = exact * MICRO
    below = scaled.numerator // scaled.denominator
    return below + (scaled - below >= Fraction(1, 2))


@given(st.integers(0, 1_000_000), st.integers(1, 1_000_000))
def test_a_ratio_is_the_exact_fraction_rounded_half_up(num: int, den: int) -> None:
    num = min(num, den)
    assert ratio(num, den) == half_up(Fraction(num, den))


@pytest.mark.parametrize(("num", "den"), [(1, 0), (0, 0), (2, 1), (-1, 2), (1, -2)])
def test_a_ratio_outside_zero_to_one_is_refused(num: int, den: int) -> None:
    with pytest.raises(ValueError, match="ratio"):
        ratio(num, den)


@pytest.mark.parametrize(
    ("bits", "value", "p", "q"),
    [
        ("101", 833_333, 5, 6),
        ("1", 1_000_000, 1, 1),
        ("0", 0, 0, 1),
        ("0000", 0, 0, 1),
        ("01", 500_000, 1, 2),
        ("0001", 250_000, 1, 4),
        ("1100", 1_000_000, 1, 1),
        ("011", 583_333, 7, 12),
    ],
)
def test_average_precision_of_known_rankings(bits: str, value: int, p: int, q: int) -> None:
    assert average_precision(bits) == (value, p, q)


@given(st.text("01", min_size=1, max_size=60))
def test_average_precision_is_the_mean_over_relevant_ranks_of_precision_there(bits: str) -> None:
    relevant = [rank for rank, bit in enumerate(bits, 1) if bit == "1"]
    exact = sum((Fraction(bits[:rank].count("1"), rank) for rank in relevant), Fraction(0))
    exact = exact / len(relevant) if relevant else Fraction(0)
    value, p, q = average_precision(bits)
    assert (value, Fraction(p, q)) == (half_up(exact), exact)


@pytest.mark.parametrize("bits", ["", "2", "0 1", "10\n", "１"])
def test_relevance_bits_are_zeros_and_ones(bits: str) -> None:
    with pytest.raises(ValueError, match="bits"):
        average_precision(bits)


@given(pairs)
def test_a_mean_is_exact_and_lies_between_its_terms(terms: list[tuple[int, int]]) -> None:
    whole = sum(weight for weight, _ in terms)
    assert mean(terms) == half_up(Fraction(sum(weight * value for weight, value in terms), whole * MICRO))
    assert min(v for _, v in terms) <= mean(terms) <= max(v for _, v in terms)


@given(pairs, st.randoms())
def test_a_mean_does_not_depend_on_the_order_of_its_terms(terms: list[tuple[int, int]], random: object) -> None:
    shuffled = list(terms)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert mean(shuffled) == mean(terms)


@given(micros, micros)
def test_a_harmonic_mean_is_exact_symmetric_and_below_the_arithmetic_one(a: int, b: int) -> None:
    expected = half_up(Fraction(2 * a * b, (a + b) * MICRO)) if a + b else 0
    assert hmean(a, b) == hmean(b, a) == expected
    assert hmean(a, b) <= mean([(1, a), (1, b)])


@pytest.mark.parametrize(
    "call", [lambda: mean([]), lambda: mean([(0, 1)]), lambda: mean([(1, -1)]), lambda: hmean(-1, 2)]
)
def test_means_of_nothing_or_out_of_range_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match="needs"):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (0.0, 0),
        (-0.0, 0),
        (1.0, MICRO),
        (0.5, 500_000),
        (0.0000005, 1),
        (0.00000049999, 0),
        (0.1234565, 123_457),
        (0.9999995, MICRO),
        (5e-324, 0),
        (-1e-9, 0),
        (1 + 1e-9, MICRO),
        (1.0000000000000002, MICRO),
    ],
)
def test_a_float_becomes_micros_from_its_shortest_form_half_up(x: float, value: int) -> None:
    assert float_leaf(x) == value


@pytest.mark.parametrize("x", [float("nan"), float("inf"), float("-inf"), -1.1e-9, 1.0000000011, 2.0, -1.0, 1e308])
def test_a_float_that_is_no_score_is_refused(x: float) -> None:
    with pytest.raises(ValueError, match="finite number"):
        float_leaf(x)


@given(st.floats(0, 1))
def test_every_score_is_rounded_as_decimal_does_it(x: float) -> None:
    expected = int((Decimal(repr(x)) * MICRO).quantize(Decimal(1), rounding=ROUND_HALF_UP))
    assert float_leaf(x) == expected


def test_the_callers_decimal_context_changes_nothing() -> None:
    with localcontext() as context:
        context.prec = 3
        context.rounding = "ROUND_DOWN"
        assert getcontext().prec == 3
        assert float_leaf(0.1234565) == 123_457
        assert float_leaf(1.0000000005) == MICRO


def test_a_target_is_compared_as_an_integer() -> None:
    assert not passes(950_000, ">", 950_000)
    assert passes(950_000, ">=", 950_000)
    assert passes(950_001, ">", 950_000)
    assert not passes(949_999, ">=", 950_000)
