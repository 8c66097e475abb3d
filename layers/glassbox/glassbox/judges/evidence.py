"""Where in the passages the evidence for a claim may stand: sentences and windows, found by their words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glassbox.judges.duplicates import first_of_each
from glassbox.judges.words import is_content, keys, stem, tokens, untokenised
from glassbox.metrics.tokens import tokenize
from glassbox.text.numbers import Quantity, extract_quantities
from glassbox.text.sentences import split_sentences
from glassbox.text.windows import passage_windows

_NEIGHBOURS: Final = (1, 2)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a passage, `passages[passage][start:end]`, and the share of a claim's words that it holds."""

    passage: int
    start: int
    end: int
    text: str
    recall: float
    """Share in [0, 1] of the claim's words found in it, each weighted by its rarity in the passages."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: int
    start: int
    end: int
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Window:
    passage: int
    start: int
    end: int
    first: int
    last: int


class PassageEvidence:
    """The passages of one evaluation, prepared once and searched for every claim; equal passages are held once.

    Preparing takes time linear in the passages, a search time linear in the sentences that share a word with the claim.
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self.passages = tuple(passages)
        self.unique = tuple(i for i, first in enumerate(first_of_each(passages)) if first == i)
        self._forms: set[str] | None = None
        self._counts: Counter[str] | None = None
        self._quantities: tuple[Quantity, ...] | None = None
        self._sentences: list[_Sentence] = []
        self._windows: list[_Window] = []
        for index in self.unique:
            self._add(index, self.passages[index])
        self._holders: dict[str, list[int]] = {}
        for number, sentence in enumerate(self._sentences):
            for key in sorted(sentence.keys):
                self._holders.setdefault(key, []).append(number)
        size = max(1, len(self._sentences))
        self._rarity = {key: math.log1p(size / len(holders)) for key, holders in self._holders.items()}
        self._unheard = math.log1p(size)

    def _add(self, index: int, text: str) -> None:
        base = len(self._sentences)
        spans = split_sentences(text)
        for span in spans:
            held = frozenset(keys(text[span.start : span.end], content=False))
            self._sentences.append(_Sentence(index, span.start, span.end, held))
        for window in passage_windows(text):
            first, last = window.sentences
            self._windows.append(_Window(index, window.start, window.end, base + first, base + last))

    @property
    def window_count(self) -> int:
        """How many windows the passages make."""
        return len(self._windows)

    def foreign_names(self, claim: str) -> float:
        """Return the share in [0, 1] of the claim's capitalised words that no passage holds; 0 where it has none.

        The first word is capitalised by its place and doesn't count; scripts without capitals have none.
        """
        if self._forms is None:
            self._forms = {stem(token.form) for index in self.unique for token in tokens(self.passages[index])}
        names = {stem(t.form) for t in tokens(claim)[1:] if claim[t.start].isupper() and is_content(t.form)}
        return len(names - self._forms) / len(names) if names else 0.0

    def words_held(self, claim: str) -> float:
        """Return the share in [0, 1] of the claim's words that the passages hold, none oftener than they do.

        ROUGE-1 precision of the claim against all passages; 0 where it has no words.
        """
        if self._counts is None:
            self._counts = Counter(token for index in self.unique for token in tokenize(self.passages[index]))
        wanted = Counter(tokenize(claim))
        total = sum(wanted.values())
        return sum(min(count, self._counts[word]) for word, count in wanted.items()) / total if total else 0.0

    def quantities(self) -> tuple[Quantity, ...]:
        """Return all numbers, amounts and dates of the passages; found once."""
        if self._quantities is None:
            self._quantities = tuple(
                quantity for index in self.unique for quantity in extract_quantities(untokenised(self.passages[index]))
            )
        return self._quantities

    def weights(self, claim: str) -> dict[str, float]:
        """Return the rarity of each content word of the claim, or of all its words where it has no content words."""
        wanted = keys(claim) or keys(claim, content=False)
        return {key: self._rarity.get(key, self._unheard) for key in dict.fromkeys(wanted)}

    def windows(self, claim: str, most: int, within: frozenset[int] | None = None) -> tuple[Stretch, ...]:
        """Return the windows that hold most of the claim's words, best first, at most `most`; never an empty text.

        `within` restricts them to some of the passages, by index.
        """
        weights, hits = self._hits(claim)
        total = sum(weights.values()) or 1.0
        scored: list[tuple[float, int]] = []
        for number, window in enumerate(self._windows):
            if within is not None and window.passage not in within:
                continue
            found: set[str] = set()
            for sentence in range(window.first, window.last):
                found |= hits.get(sentence, frozenset())
            scored.append((-_total(weights, found) / total, number))
        best = sorted(scored)[:most]
        return tuple(self._stretch(self._windows[n], -score) for score, n in best)

    def sentences(self, claim: str, most: int) -> tuple[Stretch, ...]:
        """Return the runs of one or two sentences that hold most of the claim's words, best and shortest first."""
        weights, hits = self._hits(claim)
        total = sum(weights.values()) or 1.0
        runs: dict[tuple[int, int], float] = {}
        for sentence in hits:
            for size in _NEIGHBOURS:
                for first in range(sentence - size + 1, sentence + 1):
                    if self._is_run(first, first + size):
                        found = set[str]().union(*(hits.get(s, frozenset()) for s in range(first, first + size)))
                        runs[(first, first + size)] = _total(weights, found) / total
        best = sorted(runs.items(), key=lambda item: (-round(item[1], 9), item[0][1] - item[0][0], item[0]))[:most]
        return tuple(
            self._stretch(
                _Window(self._sentences[a].passage, self._sentences[a].start, self._sentences[b - 1].end, a, b), r
            )
            for (a, b), r in best
        )

    def best_sentences_in(self, claim: str, window: Stretch, most: int = 1) -> tuple[Stretch, ...]:
        """Return the sentences of a window that hold most of the claim's words, best first: quotes for a verdict."""
        weights, hits = self._hits(claim)
        total = sum(weights.values()) or 1.0
        inside = [
            (-_total(weights, hits.get(n, frozenset())) / total, n)
            for n, s in enumerate(self._sentences)
            if s.passage == window.passage and s.start < window.end and s.end > window.start
        ]
        found = []
        for score, n in sorted(inside)[:most]:
            s = self._sentences[n]
            start, end = max(s.start, window.start), min(s.end, window.end)
            found.append(self._stretch(_Window(s.passage, start, end, n, n + 1), -score))
        return tuple(found)

    def _is_run(self, first: int, end: int) -> bool:
        if first < 0 or end > len(self._sentences):
            return False
        return self._sentences[first].passage == self._sentences[end - 1].passage

    def _hits(self, claim: str) -> tuple[dict[str, float], dict[int, frozenset[str]]]:
        weights = self.weights(claim)
        hits: dict[int, set[str]] = {}
        for key in weights:
            for sentence in self._holders.get(key, ()):
                hits.setdefault(sentence, set()).add(key)
        return weights, {sentence: frozenset(found) for sentence, found in sorted(hits.items())}

    def _stretch(self, window: _Window, recall: float) -> Stretch:
        text = self.passages[window.passage][window.start : window.end]
        return Stretch(window.passage, window.start, window.end, text, min(recall, 1.0))


def _total(weights: dict[str, float], found: frozenset[str] | set[str]) -> float:
    # Summed in the claim's order, so that the result doesn't depend on the order of a set.
    return math.fsum(weight for key, weight in weights.items() if key in found)
