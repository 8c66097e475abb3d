"""An inverted index over the windows of all sources: which windows share the most tokens with a sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from glassbox.metrics.tokens import tokenize
from glassbox.text.sentences import split_sentences
from glassbox.text.windows import sentence_windows

WINDOW_SIZES: Final = (1, 2)
# Postings read per query are bounded, so that a long answer against a long source stays near-linear. Below the bound,
# which no answer of a usual length reaches, the ranking is exact; above it a query's commonest tokens are left out.
_ALL_POSTINGS: Final = 5_000_000
_LEAST_POSTINGS: Final = 500


class SourceWindow(NamedTuple):
    """A window of consecutive sentences: `sources[source][start:end]`."""

    source: int
    start: int
    end: int


class WindowIndex:
    """Windows of 1 and 2 consecutive sentences over all sources, searchable by the tokens of a sentence.

    Only tokens in `vocabulary` (those of the answer) are indexed. Built once per evaluation, read-only afterwards.
    """

    def __init__(self, sources: Sequence[str], vocabulary: frozenset[str]) -> None:
        self.windows: list[SourceWindow] = []
        self._tokens: list[list[str]] = []
        self._spans: list[tuple[int, int]] = []
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, source in enumerate(sources):
            self._add(number, source, vocabulary)

    def tokens(self, window: int) -> list[str]:
        """Return the ROUGE tokens of the window with this number."""
        first, last = self._spans[window]
        return [token for sentence in self._tokens[first:last] for token in sentence]

    def best(self, query: Counter[str], count: int, queries: int = 1) -> tuple[int, ...]:
        """Return the numbers of up to `count` windows with the greatest overlap with the query, best first.

        Overlap is the F1 of the clipped unigram matches; ties go to the earlier window. Windows without a common token
        aren't returned. `queries` says how many queries will be made of this index in all.
        """
        matches: defaultdict[int, int] = defaultdict(int)
        budget = max(_LEAST_POSTINGS, _ALL_POSTINGS // max(1, queries))
        for token in sorted(query, key=lambda word: (len(self._postings.get(word, ())), word)):
            wanted = query[token]
            postings = self._postings.get(token, [])
            for window, held in postings[:budget]:
                matches[window] += min(wanted, held)
            budget -= len(postings)
            if budget <= 0:
                break
        length = sum(query.values())
        ranked = sorted(matches, key=lambda window: (-matches[window] / (length + self._length(window)), window))
        return tuple(ranked[:count])

    def _add(self, number: int, source: str, vocabulary: frozenset[str]) -> None:
        spans = split_sentences(source)
        offset = len(self._tokens)
        self._tokens.extend(tokenize(source[span.start : span.end]) for span in spans)
        counts = [Counter(filter(vocabulary.__contains__, tokens)) for tokens in self._tokens[offset:]]
        for window in sentence_windows(source, WINDOW_SIZES, spans):
            first, last = window.sentences
            held = sum(counts[first + 1 : last], counts[first])
            for token, count in held.items():
                self._postings[token].append((len(self.windows), count))
            self.windows.append(SourceWindow(number, window.start, window.end))
            self._spans.append((offset + first, offset + last))

    def _length(self, window: int) -> int:
        first, last = self._spans[window]
        return sum(len(tokens) for tokens in self._tokens[first:last])
