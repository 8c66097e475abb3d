"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004), equal to rouge-score and many times faster on long texts.

rouge-score itself is the oracle of the tests and isn't imported here: it brings nltk, which only its stemmer needs, and
its longest common subsequence is a table in pure Python. The n-gram counts below are its definition; the subsequence is
rapidfuzz's bit-parallel one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import LCSseq

from glassbox.metrics.tokens import SIGNATURE as TOKENS
from glassbox.metrics.tokens import tokenize

SIGNATURE: Final = f"ROUGE|case:lower|stem:no|{TOKENS}|agg:none|as:rouge-score-0.1.2"


@dataclass(frozen=True, slots=True)
class PRF:
    """Precision, recall and their harmonic mean F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class RougeScores:
    """ROUGE-1, ROUGE-2 and ROUGE-L of an answer against a reference, with the signature of the computation."""

    rouge_1: PRF
    rouge_2: PRF
    rouge_l: PRF
    signature: str = SIGNATURE


def rouge(answer: str, reference: str) -> RougeScores:
    """Return ROUGE-1/2/L of the answer against the reference, on `metrics.tokens.tokenize` tokens.

    All values are 0.0 where either side has no tokens (ROUGE-2: fewer than two). ROUGE-L is the sentence-level
    reading: the whole text is one sequence. Equal to `rouge_scorer.RougeScorer` with the same tokenizer.
    """
    return rouge_of_tokens(tokenize(answer), tokenize(reference))


def rouge_of_tokens(answer: Sequence[str], reference: Sequence[str]) -> RougeScores:
    """Return ROUGE-1/2/L of tokens that were made before."""
    return RougeScores(
        rouge_1=rouge_n(answer, reference, 1),
        rouge_2=rouge_n(answer, reference, 2),
        rouge_l=rouge_l(answer, reference),
    )


def rouge_n(answer: Sequence[str], reference: Sequence[str], order: int) -> PRF:
    """Return ROUGE-N: clipped n-gram matches over the n-grams of the answer (P) and of the reference (R)."""
    ours = Counter(zip(*(answer[i:] for i in range(order)), strict=False))
    # Only n-grams of the answer can match, so the (long) reference is never counted in full.
    theirs = Counter(filter(ours.__contains__, zip(*(reference[i:] for i in range(order)), strict=False)))
    matches = sum(min(count, theirs[gram]) for gram, count in ours.items() if gram in theirs)
    return _prf(matches, len(answer) - order + 1, len(reference) - order + 1)


def rouge_l(answer: Sequence[str], reference: Sequence[str]) -> PRF:
    """Return ROUGE-L: the longest common subsequence over the length of the answer (P) and of the reference (R)."""
    if not answer or not reference:
        return PRF(0.0, 0.0, 0.0)
    return _prf(LCSseq.similarity(answer, reference), len(answer), len(reference))


def _prf(matches: int, ours: int, theirs: int) -> PRF:
    precision = matches / max(ours, 1)
    recall = matches / max(theirs, 1)
    total = precision + recall
    return PRF(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)
