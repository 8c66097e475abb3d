"""The answer cut into runs, so that claims, names and quotes can be marked without ever overlapping."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A marked stretch of a text and what it belongs to."""

    start: int
    end: int
    key: int


class Piece(NamedTuple):
    """A stretch of text inside a run, marked or not."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive pieces that belong to one claim, or to none."""

    key: int | None
    pieces: tuple[Piece, ...]


def separate(spans: Iterable[Span], length: int) -> list[Span]:
    """Return the spans in order, clipped to the text and to the end of the span before; empty ones are left out."""
    kept: list[Span] = []
    cursor = 0
    for span in sorted(spans):
        start, end = max(span.start, cursor), min(span.end, length)
        if start < end:
            kept.append(Span(start, end, span.key))
            cursor = end
    return kept


def runs(text: str, claims: Iterable[Span], marks: Iterable[Span]) -> list[Run]:
    """Return the whole text as runs: one per claim and one per gap, each cut into marked and unmarked pieces.

    The texts of all pieces, joined, are the text. Takes time linear in the text and n log n in the spans.
    """
    marked = separate(marks, len(text))
    found: list[Run] = []
    cursor, first = 0, 0
    for start, end, key in [*separate(claims, len(text)), Span(len(text), len(text), -1)]:
        for left, right, owner in ((cursor, start, None), (start, end, key)):
            if left < right:
                while first < len(marked) and marked[first].end <= left:
                    first += 1
                found.append(Run(owner, _pieces(text, left, right, marked, first)))
        cursor = end
    return found


def _pieces(text: str, left: int, right: int, marked: Sequence[Span], first: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    cursor = left
    for position in range(first, len(marked)):
        start, end = max(marked[position].start, left), min(marked[position].end, right)
        if start >= right:
            break
        if start > cursor:
            pieces.append(Piece(text[cursor:start], False))
        pieces.append(Piece(text[start:end], True))
        cursor = end
    if cursor < right:
        pieces.append(Piece(text[cursor:right], False))
    return tuple(pieces)


def highlight(text: str, quotes: Iterable[str]) -> tuple[Piece, ...]:
    """Return the text in pieces, the first occurrence of each quote marked."""
    found = [Span(at, at + len(quote), 0) for quote in quotes if quote and (at := text.find(quote)) >= 0]
    return _pieces(text, 0, len(text), separate(found, len(text)), 0)
