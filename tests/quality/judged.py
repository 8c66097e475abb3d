"""Answers of a set judged once: what every table about faithfulness is made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import sets

from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import compile_policy
from glassbox.contract.request import Request
from glassbox.judges import claim_verdicts, semantic_faithfulness
from glassbox.judges.claim_support import Signals, Weights, support_probability
from glassbox.judges.faithfulness import BY_WORDS, WORTH
from glassbox.judges.tools import Tools
from glassbox.metrics.alignment import align, rouge_1_precision_baseline

EXACT = BY_WORDS
"""Rules whose verdict counts, whatever the model said."""


@dataclass(frozen=True)
class JudgedClaim:
    """One claim's verdict; `signals` is None where words and numbers decided before any model was asked."""

    verdict: str
    rule: str
    probability: float | None
    signals: Signals | None
    words: int = 1
    """How many words the claim has."""

    @property
    def graded(self) -> float:
        """The probability of support in [0, 1]; the verdict's worth where it doesn't rest on a probability."""
        decided = self.rule in EXACT or self.probability is None
        return WORTH[self.verdict] if decided else float(self.probability or 0.0)


@dataclass(frozen=True)
class JudgedAnswer:
    """One answer's claims beside what words alone say of it, and the truth."""

    identity: str
    truth: bool
    claims: tuple[JudgedClaim, ...]
    rouge_1: float
    rouge_l: float
    bleu_4: float
    value: float | None
    """The measurement itself; None where it was absent."""

    @property
    def verdicts(self) -> float:
        """The mean worth of the verdicts, in [0, 1]."""
        return sum(WORTH[c.verdict] for c in self.claims) / len(self.claims)

    @property
    def graded(self) -> float:
        """The mean probability of support, in [0, 1]."""
        return sum(c.graded for c in self.claims) / len(self.claims)

    @property
    def graded_by_length(self) -> float:
        """The mean probability of support, each claim weighed by its words as ROUGE weighs them, in [0, 1]."""
        return sum(c.graded * c.words for c in self.claims) / sum(c.words for c in self.claims)


def request_of(row: sets.Row, answer: str | None = None) -> Request:
    """Return a row as a request; the answer "-" stands in where the set has none."""
    text = row.answer if answer is None else answer
    return Request.model_validate({"query": row.query, "answer": text or "-", "retrieved_passages": list(row.passages)})


@contextmanager
def recorded() -> Iterator[list[Signals]]:
    """Collect the signals of every claim that the models are asked about, in order; the scores stay what they are."""
    seen: list[Signals] = []

    def record(signals: Signals, weights: Weights) -> float:
        seen.append(signals)
        return support_probability(signals, weights)

    with mock.patch.object(claim_verdicts, "support_probability", record):
        yield seen


def judged(rows: Sequence[sets.Row], tools: Tools) -> list[JudgedAnswer]:
    """Return the rows whose answer has claims, judged by the local engine."""
    policy = compile_policy({"name": "f", "extends": "default", "disable": ["semantic_faithfulness/answer_relevancy"]})
    found = []
    for row in rows:
        with recorded() as seen:
            result = semantic_faithfulness.judge(request_of(row), policy, tools)
        claims = _claims(result, seen)
        if not claims:
            continue
        measured = result.measurement("faithfulness")
        aligned = align(row.answer, row.passages)
        found.append(
            JudgedAnswer(
                row.identity,
                row.truth,
                claims,
                rouge_1_precision_baseline(row.answer, row.passages),
                aligned.aligned_rouge_l or 0.0,
                aligned.aligned_bleu_4 or 0.0,
                measured.micros / 1e6 if measured is not None and measured.micros is not None else None,
            )
        )
    return found


def _claims(result: JudgeResult, seen: Sequence[Signals]) -> tuple[JudgedClaim, ...]:
    measured = result.measurement("faithfulness")
    entries: Sequence[dict[str, Any]] = measured.evidence if measured else ()
    # One call of the fusion for each claim that has a probability, in the order of the claims.
    left = iter(seen)
    return tuple(
        JudgedClaim(
            e["verdict"],
            e["rule"],
            e["probability"],
            None if e["probability"] is None else next(left),
            max(1, len(e["claim"].split())),
        )
        for e in entries
    )


def load_all(path: Path, limit: int | None = None) -> dict[str, list[sets.Row]]:
    """Return the sets about faithfulness, each cut to its first `limit` rows."""
    return {name: load(path)[:limit] for name, load in sets.FAITHFULNESS.items()}
