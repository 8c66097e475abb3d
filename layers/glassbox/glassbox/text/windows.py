"""Windows of consecutive sentences over a text: the units in which evidence is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glassbox.text.sentences import Span, split_sentences


@dataclass(frozen=True, slots=True)
class Window:
    """A run of sentences: `text[start:end]`, made of sentences `sentences[0]` up to but without `sentences[1]`."""

    start: int
    end: int
    sentences: tuple[int, int]


def sentence_windows(
    text: str, sizes: Sequence[int] = (1, 2), spans: Sequence[Span] | None = None
) -> tuple[Window, ...]:
    """Return every window of each size in `sizes` (numbers of consecutive sentences), by start, then by size.

    `spans` are the sentences of the text where they are known already. A text of fewer sentences than a size has no
    window of that size. ValueError for a size below 1.
    """
    if any(size < 1 for size in sizes):
        raise ValueError("a window holds at least one sentence")
    found = split_sentences(text) if spans is None else spans
    return tuple(
        Window(found[first].start, found[first + size - 1].end, (first, first + size))
        for first in range(len(found))
        for size in sorted(set(sizes))
        if first + size <= len(found)
    )


def passage_windows(text: str, sentences: int = 4, stride: int = 2, max_chars: int = 1200) -> tuple[Window, ...]:
    """Return overlapping windows that together cover every sentence of the text.

    A window takes up to `sentences` sentences as long as they fit into `max_chars` code points; the next one begins
    `stride` sentences later, or earlier where the limit cut the window short. A sentence longer than `max_chars` is cut
    at white space into pieces of at most that length, each a window of its own. ValueError for a value below 1.
    """
    if min(sentences, stride, max_chars) < 1:
        raise ValueError("sentences, stride and max_chars are at least 1")
    spans = split_sentences(text)
    windows: list[Window] = []
    first = 0
    while first < len(spans):
        last = first + 1
        while last < min(len(spans), first + sentences) and spans[last].end - spans[first].start <= max_chars:
            last += 1
        if last == first + 1 and spans[first].end - spans[first].start > max_chars:
            windows.extend(Window(s.start, s.end, (first, last)) for s in _pieces(text, spans[first], max_chars))
        else:
            windows.append(Window(spans[first].start, spans[last - 1].end, (first, last)))
        if last == len(spans):
            break
        first = min(first + stride, last)
    return tuple(windows)


def _pieces(text: str, span: Span, limit: int) -> list[Span]:
    pieces: list[Span] = []
    start = span.start
    while span.end - start > limit:
        cut = start + limit
        # A word is cut only where it fills more than half of a piece by itself.
        at = max(text.rfind(" ", start + limit // 2, cut + 1), text.rfind("\n", start + limit // 2, cut + 1))
        end = at if at > start else cut
        pieces.append(Span(start, end))
        start = end
        while start < span.end and text[start].isspace():
            start += 1
    if start < span.end:
        pieces.append(Span(start, span.end))
    return pieces
