"""Answer relevancy by the local engine: how close the answer keeps to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from glassbox.judges.calibration import scaled_logistic
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.tools import Embedder
from glassbox.judges.words import keys
from glassbox.text.sentences import split_sentences
from glassbox.text.windows import passage_windows

# Logistic map from cosine to the probability that the answer belongs to the question, fitted on right answers against
# the nearest answers to other questions and against random ones (three sets; leaving one out moves the midpoint by at
# most 0.03), then shifted by prior odds of 2.5 : 1 that an answer keeps to its question.
MIDPOINT: Final = 0.36
SLOPE: Final = 14.0
MOST_PARTS: Final = 48
"""Parts of an answer that are embedded; of a longer answer those that share most words with the question."""
ELLIPTIC: Final = 5
"""An answer of at most this many content words is read in the passage sentence that holds them all."""

_POLAR_ANSWER_RE: Final = regex.compile(r"\W*(?:yes|no|yep|nope|correct|incorrect|true|false)\W*", regex.IGNORECASE)
_POLAR_QUESTION_RE: Final = regex.compile(
    r"\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Relevancy:
    """The calibrated relevancy in [0, 1], the cosine behind it, and the rule and part of the answer that gave it."""

    value: float
    cosine: float
    rule: str
    start: int
    end: int
    passage: int | None
    parts: int
    parts_read: int


def calibrated_relevancy(cosine: float) -> float:
    """Return the calibrated relevancy in [0, 1] of a cosine; increasing, negative cosines give 0."""
    return scaled_logistic(cosine, midpoint=MIDPOINT, slope=SLOPE)


def answer_relevancy(query: str, answer: str, evidence: PassageEvidence, embedder: Embedder) -> Relevancy:
    """Return the relevancy of a non-blank answer to a non-blank question.

    The nearest sentence or window of sentences speaks for the answer, so that a long answer isn't punished for its
    details. An answer too short to have a meaning of its own ("In Paris.") is read in the passage sentence that holds
    its words, and a bare yes or no to a question that asks for one belongs to it.
    """
    if _POLAR_ANSWER_RE.fullmatch(answer) and _POLAR_QUESTION_RE.match(query):
        return Relevancy(1.0, 1.0, "polar", 0, len(answer), None, 1, 1)
    asked = embedder.embed([query])[0]
    parts, total = _parts(query, answer)
    cosines = (embedder.embed([answer[a:b] for a, b in parts]) @ asked).tolist()
    best = max(range(len(parts)), key=lambda i: (cosines[i], -i))
    found = Relevancy(0.0, cosines[best], "nearest_part", parts[best][0], parts[best][1], None, total, len(parts))
    elliptic = _in_passage(asked.tolist(), answer, evidence, embedder)
    if elliptic is not None and elliptic[0] > found.cosine:
        found = Relevancy(0.0, elliptic[0], "in_passage", 0, len(answer), elliptic[1], total, len(parts))
    # Rounded before it is mapped, so that the value follows from the cosine that stands beside it.
    cosine = round(min(max(found.cosine, -1.0), 1.0), 6)
    return Relevancy(
        calibrated_relevancy(cosine),
        cosine,
        found.rule,
        found.start,
        found.end,
        found.passage,
        found.parts,
        found.parts_read,
    )


def _parts(query: str, answer: str) -> tuple[list[tuple[int, int]], int]:
    spans = [(s.start, s.end) for s in split_sentences(answer)] + [(w.start, w.end) for w in passage_windows(answer)]
    spans = list(dict.fromkeys(spans)) or [(0, len(answer))]
    if len(spans) <= MOST_PARTS:
        return spans, len(spans)
    asked = set(keys(query))
    shared = [len(asked.intersection(keys(answer[a:b]))) for a, b in spans]
    best = sorted(range(len(spans)), key=lambda i: (-shared[i], i))[:MOST_PARTS]
    return [spans[i] for i in sorted(best)], len(spans)


def _in_passage(
    asked: Sequence[float], answer: str, evidence: PassageEvidence, embedder: Embedder
) -> tuple[float, int] | None:
    wanted = set(keys(answer)) or set(keys(answer, content=False))
    if not wanted or len(wanted) > ELLIPTIC:
        return None
    holding = [s for s in evidence.sentences(answer, 8) if wanted <= set(keys(s.text, content=False))]
    if not holding:
        return None
    vectors = embedder.embed([s.text for s in holding])
    cosines = [sum(a * b for a, b in zip(row, asked, strict=True)) for row in vectors.tolist()]
    best = max(range(len(holding)), key=lambda i: (cosines[i], -i))
    return cosines[best], holding[best].passage


def mean_relevancy(cosines: Sequence[float], noncommittal: Sequence[bool]) -> float:
    """Return the mean cosine of generated questions to the query, to six places; 0 where all draws are noncommittal.

    Source: Ragas 0.4.3, AnswerRelevancy.
    """
    return 0.0 if all(noncommittal) else round(sum(cosines) / len(cosines), 6)
