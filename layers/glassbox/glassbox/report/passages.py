"""The retrieved passages made ready to show: relevance, similarity, the retriever's own score, duplicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.evidence import Claim, evidence_of, passage_texts
from glassbox.report.marking import Piece, highlight
from glassbox.report.plain import shorten
from glassbox.report.read import array, index, mapping, number, of_n, plain_number, text

MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved passage with everything that was measured about it."""

    rank: int
    pieces: tuple[Piece, ...]
    """Its text, the quotes that claims rest on marked."""
    blank: bool
    cut: str
    """What of the text is not shown, in words; empty where all of it is."""
    relevant: bool | None
    similarity: float | None
    similarity_text: str
    score_text: str
    """The retriever's own score, or that none was reported."""
    score_rank: int | None
    """Its place when the passages are ordered by the retriever's score, from 1; the next likewise by similarity."""
    similarity_rank: int | None
    reason: str
    duplicate_of: int | None
    id: str
    source_id: str
    claims: tuple[int, ...]


def irrelevant_in(envelope: Mapping[str, Any]) -> list[int]:
    """Return the indices, from 0, of the passages that were judged irrelevant."""
    judged = evidence_of(envelope, "contextual_precision", "contextual_precision")
    found = (index(item.get("passage"), MOST) for item in judged if item.get("relevant") is False)
    return sorted({i for i in found if i is not None})


def passages_of(envelope: Mapping[str, Any], claims: Sequence[Claim], short: Shortened) -> list[Passage]:
    """Return the passages in the retriever's order."""
    request = mapping(mapping(envelope.get("content")).get("request"))
    texts = passage_texts(request)
    raw = [mapping(p) for p in array(request.get("retrieved_passages"))]
    scores = [number(p.get("score")) for p in raw]
    judged: dict[int, Mapping[str, Any]] = {}
    for item in evidence_of(envelope, "contextual_precision", "contextual_precision", "retrieval_calibration"):
        at = index(item.get("passage"), len(texts))
        if at is not None:
            judged.setdefault(at, item)
    similarities = [number(judged.get(i, {}).get("similarity")) for i in range(len(texts))]
    quoted = _by_passage(claims)
    budget = bounds.PASSAGES_TOTAL
    passages, cuts = [], 0
    for i, whole in enumerate(texts):
        limit = min(bounds.PASSAGE, budget)
        budget -= min(len(whole), limit)
        cuts += len(whole) > limit
        passages.append(
            _passage(i, whole, limit, raw[i], judged.get(i, {}), scores, similarities, texts, quoted.get(i + 1, []))
        )
    if cuts:
        short.notes.append(f"texts of {of_n(cuts, 'passage')}")
    return passages


def _by_passage(claims: Sequence[Claim]) -> dict[int, list[Claim]]:
    quoted: dict[int, list[Claim]] = {}
    for claim in claims:
        if claim.passage is not None:
            quoted.setdefault(claim.passage, []).append(claim)
    return quoted


def _passage(
    i: int,
    whole: str,
    limit: int,
    raw: Mapping[str, Any],
    judged: Mapping[str, Any],
    scores: Sequence[float | None],
    similarities: Sequence[float | None],
    texts: Sequence[str],
    claims: Sequence[Claim],
) -> Passage:
    shown = whole[:limit]
    similarity, score = similarities[i], scores[i]
    relevant = judged.get("relevant")
    return Passage(
        rank=i + 1,
        pieces=highlight(shown, [c.quote for c in claims if c.quote_found]),
        blank=not whole.strip(),
        cut=f"The first {limit:,} of {of_n(len(whole), 'character')} are shown." if len(whole) > limit else "",
        relevant=relevant if isinstance(relevant, bool) else None,
        similarity=similarity,
        similarity_text="not measured" if similarity is None else f"{similarity:.3f}",
        score_text="not reported" if score is None else plain_number(score),
        score_rank=_place(score, scores),
        similarity_rank=_place(similarity, similarities),
        reason=shorten(words.reason(text(judged.get("reason"))), bounds.FIELD),
        duplicate_of=_duplicate(i, judged, texts),
        id=shorten(text(raw.get("id")), bounds.FIELD),
        source_id=shorten(text(raw.get("source_id")), bounds.FIELD),
        claims=tuple(c.number for c in claims),
    )


def _place(value: float | None, values: Sequence[float | None]) -> int | None:
    return None if value is None else 1 + sum(v is not None and v > value for v in values)


def _duplicate(i: int, judged: Mapping[str, Any], texts: Sequence[str]) -> int | None:
    """Return the rank of the earlier passage that this one repeats, as judged or else word for word."""
    named = index(judged.get("duplicate_of"), len(texts))
    if named is not None and named != i:
        return named + 1
    first = texts.index(texts[i])
    return first + 1 if first < i and texts[i].strip() else None
