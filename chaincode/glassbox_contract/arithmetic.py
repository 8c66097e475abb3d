"""All arithmetic of scores: integers in millionths ("micros"), rounded half up, the same in every process."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Final, Literal

MICRO: Final = 1_000_000
"""One whole, in micros."""

MAX_WEIGHT: Final = 1_000_000
LOWEST: Final = Decimal("-1e-9")
"""How far below 0 a library's float may stray by rounding and still be clamped."""
HIGHEST: Final = Decimal("1.000000001")
"""How far above 1 a library's float may stray by rounding and still be clamped."""

Comparator = Literal[">", ">="]

_CONTEXT = Context(prec=400, rounding=ROUND_HALF_UP, Emin=-99_999, Emax=99_999)


def ratio(num: int, den: int) -> int:
    """Return num/den in micros, 0..1_000_000; raises ValueError unless 0 <= num <= den and den > 0."""
    if not 0 <= num <= den or den == 0:
        raise ValueError("a ratio needs 0 <= num <= den and den > 0")
    return (2 * num * MICRO + den) // (2 * den)


def average_precision(bits: str) -> tuple[int, int, int]:
    """Return (value in micros, p, q) with p/q the exact average precision of ``bits`` in lowest terms.

    ``bits`` holds one "0" or "1" per rank, best rank first; the average is taken over the relevant ranks of
    precision@rank, and is 0 when none is relevant. Raises ValueError for an empty string or another character.
    """
    if not bits or bits.strip("01"):
        raise ValueError("relevance bits are a non-empty string of 0 and 1")
    hits, total = 0, Fraction(0)
    for rank, bit in enumerate(bits, start=1):
        if bit == "1":
            hits += 1
            total += Fraction(hits, rank)
    exact = total / hits if hits else Fraction(0)
    p, q = exact.numerator, exact.denominator
    return (2 * p * MICRO + q) // (2 * q), p, q


def mean(pairs: Iterable[tuple[int, int]]) -> int:
    """Return the weighted mean, in micros, of (weight, value) ``pairs``; raises ValueError when there is none."""
    terms = list(pairs)
    if not terms or any(not 1 <= weight <= MAX_WEIGHT or not 0 <= value <= MICRO for weight, value in terms):
        raise ValueError("a mean needs terms with weights 1..1000000 and values 0..1000000")
    whole = sum(weight for weight, _ in terms)
    return (2 * sum(weight * value for weight, value in terms) + whole) // (2 * whole)


def hmean(a: int, b: int) -> int:
    """Return the harmonic mean of two values in micros, 0 when both are 0; raises ValueError out of range."""
    if not (0 <= a <= MICRO and 0 <= b <= MICRO):
        raise ValueError("a harmonic mean needs values 0..1000000")
    return 0 if a + b == 0 else (4 * a * b + a + b) // (2 * (a + b))


def float_leaf(x: float) -> int:
    """Return a library's float in micros, from its shortest decimal form, half up.

    The only way from a float to the ledger; the contract itself never calls it. Raises ValueError for NaN, Infinity
    and anything outside [-1e-9, 1 + 1e-9]; inside that tolerance the value is clamped to [0, 1].
    """
    exact = Decimal(repr(float(x)))
    if not exact.is_finite() or not LOWEST <= exact <= HIGHEST:
        raise ValueError("a score must be a finite number in [0, 1]")
    clamped = min(max(exact, Decimal(0)), Decimal(1))
    return int(clamped.scaleb(6, _CONTEXT).to_integral_value(rounding=ROUND_HALF_UP, context=_CONTEXT))


def passes(value: int, comparator: Comparator, target: int) -> bool:
    """Return whether ``value`` meets ``target``, both in micros; ``>`` is strict."""
    return value > target if comparator == ">" else value >= target
