"""Words of a text as GLiNER and GLiREL see them, and the windows in which a long text is shown to a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glassbox.errors import ModelError
from glassbox.models.session import BoolArray, IntArray

# The splitter that GLiNER and GLiREL were trained with. Each alternative matches what it starts with, so the scan is
# linear.
WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")
# Scripts without spaces make words of any length; a piece of this many characters always fits a window.
LONGEST_WORD = 64

SENTENCE_END = frozenset(".!?。！？।۔؟…")
WIDE_END = frozenset("。！？")
CLOSERS = frozenset("\"'”’»)]}」』）")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text with their code-point offsets."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    boundaries: BoolArray
    """[words], whether a sentence probably begins with the word."""

    def __len__(self) -> int:
        return len(self.words)


def split_words(text: str) -> Words:
    """Return the words of `text`; a word of more than 64 characters is divided into pieces of 64."""
    starts: list[int] = []
    ends: list[int] = []
    for match in WORD.finditer(text):
        for start in range(match.start(), match.end(), LONGEST_WORD):
            starts.append(start)
            ends.append(min(start + LONGEST_WORD, match.end()))
    words = tuple(text[start:end] for start, end in zip(starts, ends, strict=True))
    return Words(words, tuple(starts), tuple(ends), _boundaries(text, words, starts, ends))


def keep(words: Words, wanted: BoolArray) -> Words:
    """Return only the words whose flag in `wanted` is set; a dropped boundary passes to the next word kept."""
    boundaries = np.zeros(int(wanted.sum()), dtype=np.bool_)
    position, pending = 0, False
    for flag, boundary in zip(wanted.tolist(), words.boundaries.tolist(), strict=True):
        pending = pending or boundary
        if flag:
            boundaries[position] = pending
            position, pending = position + 1, False
    chosen = np.flatnonzero(wanted).tolist()
    return Words(
        tuple(words.words[i] for i in chosen),
        tuple(words.starts[i] for i in chosen),
        tuple(words.ends[i] for i in chosen),
        boundaries,
    )


def _boundaries(text: str, words: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> BoolArray:
    boundaries = np.zeros(len(words), dtype=np.bool_)
    ended = "\n"
    for index, word in enumerate(words):
        gap = text[ends[index - 1] : starts[index]] if index else "\n"
        if "\n" in gap:
            ended = "\n"
        # A bracket or quotation mark that touches the full stop still belongs to the sentence before it.
        if ended and not gap and (word in CLOSERS or word in SENTENCE_END):
            continue
        # The point in "3.4" ends nothing; the marks of scripts without spaces do.
        boundaries[index] = bool(ended) and (bool(gap) or ended in WIDE_END)
        ended = word if word in SENTENCE_END else ""
    return boundaries


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of words shown to the model, and the core in it for which its word counts."""

    start: int
    end: int
    core_start: int
    core_end: int


def plan_windows(
    counts: IntArray, boundaries: BoolArray, *, max_words: int, left: int, right: int, max_tokens: int
) -> tuple[Window, ...]:
    """Return windows over all words whose cores partition the text, each at most `max_words` and `max_tokens` long.

    A core is followed by a margin of `right` words and preceded by one of `left`, or as many as a quarter of
    `max_tokens` holds: so whatever begins in a core and is no longer than the right margin lies whole in its window,
    and is judged once, with context on both sides. Cores end where a sentence does if one ends in their second half.
    Depends on nothing but the arguments. Raises ModelError if one word alone exceeds `max_tokens`.
    """
    total = np.concatenate(([0], np.cumsum(counts)))
    size = len(counts)
    if size <= max_words and total[size] <= max_tokens:
        return (Window(0, size, 0, size),) if size else ()
    core_words = max(1, max_words - left - right)
    quarter = max_tokens // 4
    windows: list[Window] = []
    position = 0
    while position < size:
        end = _reach(total, position, core_words, max_tokens - 2 * quarter)
        end = _seam(boundaries, position, end, size)
        start = _reach_back(total, position, left, quarter)
        stop = _reach(total, end, right, quarter, least=0)
        if total[stop] - total[start] > max_tokens:
            start, stop = position, end
        if total[stop] - total[start] > max_tokens:
            raise ModelError(f"Word {position} alone exceeds the {max_tokens} tokens of a window")
        windows.append(Window(start, stop, position, end))
        position = end
    return tuple(windows)


def _reach(total: IntArray, start: int, words: int, tokens: int, *, least: int = 1) -> int:
    """Return the end of the longest run from `start` within both limits, but at least `least` words on."""
    last = min(start + words, len(total) - 1)
    fitting = int(np.searchsorted(total, total[start] + tokens, side="right")) - 1
    return min(max(min(last, fitting), start + least), len(total) - 1)


def _reach_back(total: IntArray, end: int, words: int, tokens: int) -> int:
    first = max(end - words, 0)
    fitting = int(np.searchsorted(total, total[end] - tokens, side="left"))
    return min(max(first, fitting), end)


def _seam(boundaries: BoolArray, start: int, end: int, size: int) -> int:
    """Return the last sentence boundary in the second half of [start, end], or `end`."""
    if end >= size:
        return size
    half = start + (end - start) // 2 + 1
    found = np.flatnonzero(boundaries[half : end + 1])
    return half + int(found[-1]) if len(found) else end
