"""Which retrieved passages are relevant (1a), by their similarity to the question and to a reference answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from glassbox.contract.request import Request
from glassbox.judges.duplicates import first_of_each, untagged
from glassbox.judges.languages import Languages
from glassbox.judges.tools import Embedder
from glassbox.judges.words import keys, share_in
from glassbox.text.refusal import is_refusal
from glassbox.text.windows import Window, passage_windows

# Logistic regression on (query, claim, passage) triples with attribution labels against the passages nearest to the
# query among those of other questions, rounded; checked on question-passage pairs with answerability labels, where it
# parts own passages from the nearest foreign ones with an AUROC above 0.99 (tests/quality).
QUERY_WEIGHT: Final = 2.5
REFERENCE_WEIGHT: Final = 6.0
OVERLAP_WEIGHT: Final = 6.0
BIAS: Final = 6.25
# By the question alone: between the best thresholds against foreign passages (0.47) and against passages on the right
# subject that hold no answer (0.53).
QUERY_ALONE: Final = 0.48
# A passage this close to the question is relevant even where the answer made nothing of it: a wrong answer must not
# make a right passage irrelevant. 98 in 100 of the nearest foreign passages lie below.
QUERY_CLEAR: Final = 0.60
# Lexical shares that decide where no model was measured in the language.
OVERLAP_RELEVANT: Final = 0.60
OVERLAP_IRRELEVANT: Final = 0.25
MOST_WINDOWS: Final = 12
"""Windows of one passage that are embedded; of a longer passage those that share most words with the question."""
LEAST_WINDOWS: Final = 3
ALL_WINDOWS: Final = 480
"""Windows of all passages together, from which each passage gets an equal part between the two bounds above."""

ReferenceMode = Literal["expected", "answer", "query"]


@dataclass(frozen=True, slots=True)
class Reference:
    """What relevance is measured against besides the question."""

    mode: ReferenceMode
    text: str


@dataclass(frozen=True, slots=True)
class PassageVerdict:
    """Whether one passage is relevant, and why; `relevant` is None where that can't be told."""

    index: int
    first: int | None
    """The first passage that says the same; None for a blank one."""
    relevant: bool | None
    reason: str
    similarity: float | None = None
    """Cosine of the question and the passage's nearest window."""
    reference_similarity: float | None = None
    overlap: float | None = None
    """Share of the reference's own content words that the passage holds."""
    windows: int = 0
    windows_read: int = 0


def reference_of(request: Request) -> Reference:
    """Return the expected answer if given, else the answer, else (for a refusal, which says nothing) the question."""
    if request.expected_answer is not None and request.expected_answer.strip():
        return Reference("expected", request.expected_answer)
    if request.has_answer and not is_refusal(request.answer).recognised:
        return Reference("answer", request.answer)
    return Reference("query", "")


def undecided(request: Request) -> tuple[PassageVerdict, ...]:
    """Return an open verdict on each passage, with the first passage that says the same; blank ones are decided."""
    firsts = first_of_each([untagged(p.text) for p in request.retrieved_passages])
    return tuple(
        _blank(index) if first is None else PassageVerdict(index, first, None, "") for index, first in enumerate(firsts)
    )


def _blank(index: int) -> PassageVerdict:
    return PassageVerdict(index, None, False, "The passage is blank")


def judge_passages(
    request: Request, reference: Reference, languages: Languages, embedder: Embedder
) -> tuple[PassageVerdict, ...]:
    """Return one verdict a passage in rank order; equal passages are looked at once and share their verdict.

    No passage is cut: of one with more than 12 windows (fewer where there are more than 40 passages) the most promising
    are embedded, and the verdict says how many.
    """
    texts = [untagged(p.text) for p in request.retrieved_passages]
    firsts = first_of_each(texts)
    fixed = [request.query, reference.text]
    measured = languages.all_within(fixed, embedder.entry.languages)
    different = sum(first == index for index, first in enumerate(firsts))
    most = min(max(ALL_WINDOWS // max(different, 1), LEAST_WINDOWS), MOST_WINDOWS)
    looked: dict[int, PassageVerdict] = {}
    found: list[PassageVerdict] = []
    for index, first in enumerate(firsts):
        if first is None:
            found.append(_blank(index))
            continue
        if first not in looked:
            readable = measured and languages.within(texts[first], embedder.entry.languages)
            looked[first] = (
                _by_model(first, texts[first], request.query, reference, embedder, most)
                if readable
                else _by_words(first, texts[first], request.query, reference)
            )
        found.append(_at(looked[first], index))
    return tuple(found)


def _at(verdict: PassageVerdict, index: int) -> PassageVerdict:
    return PassageVerdict(
        index,
        verdict.index,
        verdict.relevant,
        verdict.reason,
        verdict.similarity,
        verdict.reference_similarity,
        verdict.overlap,
        verdict.windows,
        verdict.windows_read,
    )


def nearest_windows(text: str, wanted: Sequence[str], most: int) -> tuple[tuple[Window, ...], int]:
    """Return the windows of a passage to embed, in text order and at most `most`, and how many it has."""
    windows = passage_windows(text)
    if len(windows) <= most:
        return windows, len(windows)
    goal = set(wanted)
    shared = [len(goal.intersection(keys(text[w.start : w.end]))) for w in windows]
    best = sorted(range(len(windows)), key=lambda i: (-shared[i], i))[:most]
    return tuple(windows[i] for i in sorted(best)), len(windows)


def _by_model(index: int, text: str, query: str, reference: Reference, embedder: Embedder, most: int) -> PassageVerdict:
    query_keys, reference_keys = keys(query), keys(reference.text)
    windows, total = nearest_windows(text, query_keys + reference_keys, most)
    vectors = embedder.embed([text[w.start : w.end] for w in windows])
    similarity = _nearest(vectors, query, embedder) if query.strip() else 0.0
    own = [key for key in reference_keys if key not in set(query_keys)]
    overlap = share_in(own, set(keys(text)))
    to_reference = _nearest(vectors, reference.text, embedder) if overlap is not None else None
    relevant, reason = _decide(similarity, to_reference, overlap)
    return PassageVerdict(
        index, index, relevant, reason, similarity, to_reference, overlap, windows=total, windows_read=len(windows)
    )


def _nearest(vectors: np.ndarray, text: str, embedder: Embedder) -> float:
    cosine = float((vectors @ embedder.embed([text])[0]).max())
    return min(max(cosine, -1.0), 1.0)


def _decide(similarity: float, to_reference: float | None, overlap: float | None) -> tuple[bool, str]:
    if to_reference is None or overlap is None:
        close = similarity >= QUERY_ALONE
        return close, "Close to the question" if close else "Too far from the question"
    if similarity >= QUERY_CLEAR:
        return True, "Close to the question"
    evidence = QUERY_WEIGHT * similarity + REFERENCE_WEIGHT * max(to_reference, 0.0) + OVERLAP_WEIGHT * overlap
    if evidence > BIAS:
        return True, "Holds what the reference answer says"
    return False, "Neither close to the question nor what the reference answer says"


def _by_words(index: int, text: str, query: str, reference: Reference) -> PassageVerdict:
    """Decide by words alone, where no model was measured in the language; between the bounds there is no verdict."""
    overlap = share_in(keys(reference.text or query, content=False), set(keys(text, content=False)))
    relevant: bool | None = None
    reason = "No model was measured in this language, and the words alone don't decide"
    if overlap is not None and overlap >= OVERLAP_RELEVANT and reference.text:
        relevant, reason = True, "Shares most words of the reference answer"
    elif overlap is not None and overlap <= OVERLAP_IRRELEVANT and reference.text:
        relevant, reason = False, "Shares few words of the reference answer"
    return PassageVerdict(index, index, relevant, reason, overlap=overlap)
