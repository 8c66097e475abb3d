"""The probability that passages support a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glassbox.judges.claim_support import Signals, Weights, support_probability

from .support import entry

CLEAR = Signals(checker=0.95, cosine=0.85, words=1.0, foreign_names=False)
NONE = Signals(checker=0.03, cosine=0.1, words=0.1, foreign_names=True)


def test_agreeing_signals_decide() -> None:
    assert support_probability(CLEAR, Weights()) > 0.85
    assert support_probability(NONE, Weights()) < 0.1


@pytest.mark.parametrize("signal", ["checker", "cosine", "words"])
def test_more_of_a_signal_is_more_support(signal: str) -> None:
    values = [support_probability(replace(NONE, **{signal: x / 10}), Weights()) for x in range(11)]
    assert values == sorted(values) and values[0] < values[-1]


def test_names_that_no_passage_holds_speak_against() -> None:
    foreign = replace(CLEAR, foreign_names=True)
    assert support_probability(foreign, Weights()) < support_probability(CLEAR, Weights())


def test_extreme_probabilities_stay_finite() -> None:
    for value in (0.0, 1.0):
        assert 0.0 <= support_probability(replace(CLEAR, checker=value), Weights()) <= 1.0


def test_a_manifest_may_weigh_its_own_checker_otherwise() -> None:
    model = entry("other", "claims")
    assert Weights.of(model) == Weights()
    model.calibration["support"] = {"checker": 2.0, "bias": -1}
    assert Weights.of(model) == replace(Weights(), checker=2.0, bias=-1.0)


def test_plain_words_have_half_the_say() -> None:
    least, most = (support_probability(replace(CLEAR, words=share), Weights()) for share in (0.0, 1.0))
    assert most - least == pytest.approx(Weights().words)
    assert Weights().words == 0.5
