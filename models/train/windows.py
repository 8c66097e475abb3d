"""Cut documents into windows for the relation model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random

from corpora import Document, FewRelItem
from overlap import HeldOut
from relbatch import Window
from relnames import LABEL_OF, RELATED


def facts_of(document: Document) -> dict[tuple[int, int], frozenset[str]]:
    """Return the labels of every related (head, tail) pair of entities; each has "related to"."""
    out: dict[tuple[int, int], set[str]] = defaultdict(set)
    for head, tail, relation in document.facts:
        out[head, tail] |= {RELATED, LABEL_OF.get(relation, RELATED)}
    return {pair: frozenset(labels) for pair, labels in out.items()}


def clean_runs(document: Document, held_out: HeldOut | None) -> tuple[list[list[int]], int]:
    """Return the runs of neighbouring sentences free of overlap with the measuring files, and how many were dropped."""
    out: list[list[int]] = [[]]
    dropped = 0
    for index, words in enumerate(document.sentences):
        if held_out is not None and held_out.shares(words):
            dropped += 1
            out.append([])
        else:
            out[-1].append(index)
    return [run for run in out if run], dropped


def window_of(document: Document, sentences: Iterable[int], facts: dict[tuple[int, int], frozenset[str]]) -> Window:
    """Return one window over neighbouring sentences; mentions longer than twelve words are left out."""
    words: list[str] = []
    offset: dict[int, int] = {}
    for index in sentences:
        offset[index] = len(words)
        words += document.sentences[index]
    mentions = tuple(
        (m.start + offset[m.sentence], m.end - 1 + offset[m.sentence], m.entity)
        for m in document.mentions
        if m.sentence in offset and m.end - m.start <= 12
    )
    return Window(tuple(words), mentions, facts)


def windows(
    document: Document, run: list[int], limit: int, facts: dict[tuple[int, int], frozenset[str]], overlap: bool = False
) -> Iterator[Window]:
    """Yield windows of whole sentences with at most ``limit`` words (one sentence at least).

    With ``overlap`` the next window starts halfway, so that neighbouring sentences meet in one window.
    """
    at = 0
    while at < len(run):
        end, size = at + 1, len(document.sentences[run[at]])
        while end < len(run) and size + len(document.sentences[run[end]]) <= limit:
            size += len(document.sentences[run[end]])
            end += 1
        yield window_of(document, run[at:end], facts)
        if end == len(run):
            break
        at = max(at + 1, (at + end + 1) // 2) if overlap else end


def training_windows(documents: list[tuple[Document, list[list[int]]]], rng: Random) -> list[Window]:
    """Return one pass over the documents, each cut at a random size; windows with fewer than two entities dropped."""
    out: list[Window] = []
    for document, runs in documents:
        facts = facts_of(document)
        for run in runs:
            start = rng.randrange(2) if len(run) > 3 else 0
            out += windows(document, run[start:], rng.choice((30, 50, 80, 110, 150)), facts)
    return [w for w in out if len({m[2] for m in w.mentions}) > 1 and len(w.words) <= 170]


def fewrel_window(item: FewRelItem) -> Window:
    """Return a window with the one pair FewRel annotates, in its direction."""
    labels = frozenset((RELATED, LABEL_OF.get(item.relation, RELATED)))
    mentions = ((item.head.start, item.head.end - 1, 0), (item.tail.start, item.tail.end - 1, 1))
    return Window(item.words, mentions, {(0, 1): labels}, ((0, 1),))
