"""The verdict on one claim, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from glassbox.judges.evidence import Stretch
from glassbox.judges.exact_evidence import NumberFault

Verdict = Literal["supported", "contradicted", "unsupported", "inconclusive"]


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A verdict with the passage and literal quote it rests on; both None where nothing bears on the claim."""

    verdict: Verdict
    reason: str
    rule: str
    passage: int | None = None
    quote: str | None = None
    probability: float | None = None
    """Calibrated probability that the claim is supported, where the claim checker spoke."""
    numbers: tuple[NumberFault, ...] = ()
    """The claim's numbers that its evidence lacks or contradicts, where the evidence otherwise bears on the claim."""


def verdict_on(
    verdict: Verdict,
    reason: str,
    rule: str,
    stretch: Stretch,
    probability: float | None = None,
    numbers: tuple[NumberFault, ...] = (),
) -> ClaimVerdict:
    """Return a verdict that rests on a stretch of a passage, which becomes its quote."""
    return ClaimVerdict(verdict, reason, rule, stretch.passage, stretch.text, probability, numbers)
