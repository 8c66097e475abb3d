"""What is kept of one judged row: verdicts, rules and numbers, never a text of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import measure
from judged import JudgedClaim
from pairs import ORDER

from glassbox.contract.measurement import JudgeResult


@dataclass(frozen=True)
class Found:
    """What one judge found on one row, by either engine."""

    score: float | None
    """The continuous score that an AUROC is taken of; None where the question did not arise."""
    value: float | None = None
    """The measurement itself, None where it was absent."""
    reason: str | None = None
    """Why the measurement was absent."""
    claims: tuple[JudgedClaim, ...] = ()
    supported: int | None = None
    asked: int | None = None
    """Claims that the judge model was asked about, and called supported, before any check of ours."""
    yes: bool | None = None
    """The yes or no that the judge came to: a passage is relevant."""

    @property
    def alone(self) -> float | None:
        """What the judge model's own verdicts give, as Ragas counts them; None where it was asked about no claim."""
        return None if not self.asked or self.supported is None else self.supported / self.asked

    @property
    def verdicts(self) -> float | None:
        """The mean worth of our verdicts: supported 1, open 0.5, contradicted and unsupported 0."""
        return None if not self.claims else sum(claim_worth(c) for c in self.claims) / len(self.claims)

    @property
    def worst(self) -> str:
        """The verdict on a text that stands or falls as a whole."""
        return min((c.verdict for c in self.claims), key=ORDER.index, default="inconclusive")

    @property
    def worst_alone(self) -> str:
        """The same by the judge model's own verdicts."""
        return "inconclusive" if self.alone is None else "supported" if self.alone == 1.0 else "unsupported"


def claim_worth(claim: JudgedClaim) -> float:
    """Return what a verdict counts for, whatever probability stands behind it."""
    return JudgedClaim(claim.verdict, claim.rule, None, None).graded


def read(task: str, result: JudgeResult) -> Found:
    """Return what a judge found on a row of a task."""
    if task == "relevance":
        return _relevance(result)
    if task == "relevancy":
        return _relevancy(result)
    if task == "refusals":
        measured = result.measurement("answer_relevancy")
        reason = None if measured is None else measured.reason
        return Found(float(reason == "refusal"), reason=reason)
    return _faithfulness(result)


def _faithfulness(result: JudgeResult) -> Found:
    measured = result.measurement("faithfulness")
    if measured is None:
        return Found(None)
    claims = tuple(JudgedClaim(e["verdict"], e["rule"], e.get("probability"), None) for e in measured.evidence)
    graded = sum(c.graded for c in claims) / len(claims) if claims else None
    detail: Mapping[str, Any] = measured.detail
    asked = detail.get("judge_asked"), detail.get("judge_supported")
    return Found(graded, _value(measured.micros), measured.reason, claims, asked[1], asked[0])


def _relevance(result: JudgeResult) -> Found:
    measured = result.measurement("contextual_precision")
    evidence: Sequence[dict[str, Any]] = measured.evidence if measured else ()
    if measured is None or not evidence:
        return Found(None, reason=None if measured is None else measured.reason)
    relevant = any(item["relevant"] for item in evidence)
    if result.engine == "llm":
        # A judge model gives a word, not a distance; a jury that is split leaves a passage open.
        worth = {True: 1.0, False: 0.0, None: 0.5}
        score = max(worth[item["relevant"]] for item in evidence)
    else:
        score = max(measure._evidence(item) for item in evidence)
    return Found(score, _value(measured.micros), measured.reason, yes=relevant)


def _relevancy(result: JudgeResult) -> Found:
    measured = result.measurement("answer_relevancy")
    if measured is None:
        return Found(None)
    value = _value(measured.micros)
    return Found(value, value, measured.reason)


def _value(micros: int | None) -> float | None:
    return None if micros is None else micros / 1e6
