"""How probable it is that a passage supports a claim: the claim checker's word beside what words and meaning say."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from glassbox.models.manifest import ModelEntry

# Logistic regression over claims of the training corpora that no training saw, those that people labelled and generated
# ones four to one, rounded: models/train/fit_support.py prints them. No measuring set was looked at for them.
CHECKER: Final = 0.3
COSINE: Final = 2.14
FOREIGN_NAMES: Final = -0.9
BIAS: Final = -1.01
# The share of the claim's words that the passages hold has half the say, beside the regression and not in it: where the
# models err together, plain words still stand. Equal shares need no fitting; on people's held-out claims the area under
# the ROC curve is as good as greatest there (0.741, greatest 0.742, without words 0.735; the same script prints them).
WORDS: Final = 0.5
_LARGEST_LOGIT: Final = 4.0
"""The claim checker's word is bounded: one sure model must not outvote everything else."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known about a claim and the passages before a verdict."""

    checker: float
    """The claim checker's probability of support for the best window."""
    cosine: float
    """Cosine of the claim and the nearest window."""
    words: float
    """Share of the claim's words, all alike, that the passages hold: ROUGE-1 precision."""
    foreign_names: bool
    """Whether the claim has a capitalised word that no passage holds."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts; the constants above for the bundled claim checker."""

    checker: float = CHECKER
    cosine: float = COSINE
    foreign_names: float = FOREIGN_NAMES
    bias: float = BIAS
    words: float = WORDS

    @classmethod
    def of(cls, entry: ModelEntry) -> Weights:
        """Return the weights in the manifest's `calibration.support` of a claim checker, else the bundled one's."""
        given = entry.calibration.get("support")
        if not isinstance(given, dict):
            return cls()
        numbers = {key: float(value) for key, value in given.items() if isinstance(value, int | float)}
        return cls(**{field.name: numbers[field.name] for field in fields(cls) if field.name in numbers})


def features(signals: Signals) -> tuple[float, ...]:
    """Return what the first three weights multiply, in their order."""
    bounded = min(max(signals.checker, 1e-6), 1.0 - 1e-6)
    logit = min(max(math.log(bounded / (1.0 - bounded)), -_LARGEST_LOGIT), _LARGEST_LOGIT)
    return logit, max(signals.cosine, 0.0), float(signals.foreign_names)


def support_probability(signals: Signals, weights: Weights) -> float:
    """Return the probability in [0, 1] that the passages support the claim: (1 - w) regression + w words.

    A linear opinion pool (Stone 1961) of a logistic regression and the plain share of words, w = `Weights.words`.
    """
    slopes = (weights.checker, weights.cosine, weights.foreign_names)
    evidence = math.fsum(slope * value for slope, value in zip(slopes, features(signals), strict=True))
    regression = 1.0 / (1.0 + math.exp(-(evidence + weights.bias)))
    return (1.0 - weights.words) * regression + weights.words * signals.words
