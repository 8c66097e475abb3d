"""Draw training examples for the entity model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

from corpora import Sentence, Span
from generated import sentences as generated_sentences
from labels import Task, coarse_task, fine_task

SHARES = {"crossner": 0.50, "wnut17": 0.20, "redocred": 0.25, "generated": 0.05}


def group_of(source: str) -> str:
    """Return the corpus a source belongs to."""
    return source.split("-")[0]


class Sampler:
    """Draws training examples: corpora by fixed shares, names swapped for others of their kind, labels varied."""

    def __init__(self, train: list[Sentence], rng: Random) -> None:
        self.rng = rng
        self.mentions: dict[tuple[str, str], list[tuple[str, ...]]] = defaultdict(list)
        self.kinds: dict[str, list[str]] = defaultdict(list)
        for sentence in train:
            for span in sentence.spans:
                key = group_of(sentence.source), span.kind
                self.mentions[key].append(sentence.words[span.start : span.end])
                if span.kind not in self.kinds[sentence.source]:
                    self.kinds[sentence.source].append(span.kind)
        names = {k: [" ".join(m) for m in self.mentions["redocred", k]] for k in ("PER", "ORG", "LOC")}
        self.pools: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in [*train, *generated_sentences(names, 2000, rng)]:
            self.pools[group_of(sentence.source)].append(sentence)
        self.kinds["generated"] = ["PER", "ORG", "LOC", "TIME", "NUM", "MONEY", "SUBSTANCE", "PRODUCT"]
        self._queues: dict[str, list[Sentence]] = {group: [] for group in SHARES}

    def _next(self, group: str) -> Sentence:
        if not self._queues[group]:
            self._queues[group] = list(self.pools[group])
            self.rng.shuffle(self._queues[group])
        return self._queues[group].pop()

    def _swapped(self, sentence: Sentence) -> Sentence:
        """Return the sentence with some mentions replaced by others of the same kind and corpus."""
        words: list[str] = []
        spans: list[Span] = []
        last = 0
        for span in sorted(sentence.spans, key=lambda s: (s.start, s.end)):
            if span.start < last:
                return sentence
            words += sentence.words[last : span.start]
            mention = sentence.words[span.start : span.end]
            if self.rng.random() < 0.4:
                mention = self.rng.choice(self.mentions[group_of(sentence.source), span.kind])
            spans.append(Span(len(words), len(words) + len(mention), span.kind))
            words += mention
            last = span.end
        words += sentence.words[last:]
        return replace(sentence, words=tuple(words), spans=tuple(spans))

    def _passage(self, group: str) -> Sentence:
        """Return a sentence, or half the time several of one corpus in a row: they share the cost of one prompt."""
        limit = self.rng.randint(40, 75) if self.rng.random() < 0.5 else 0
        out: Sentence | None = None
        while out is None or len(out.words) < limit:
            sentence = self._next(group)
            if group in ("crossner", "wnut17") and self.rng.random() < 0.35:
                sentence = self._swapped(sentence)
            if out is None:
                out = sentence
                continue
            shift = len(out.words)
            moved = tuple(Span(s.start + shift, s.end + shift, s.kind) for s in sentence.spans)
            out = replace(out, words=out.words + sentence.words, spans=out.spans + moved)
        return out

    def draw(self) -> tuple[Sentence, Task]:
        """Return one training example."""
        group = self.rng.choices(list(SHARES), list(SHARES.values()))[0]
        sentence = self._passage(group)
        if self.rng.random() < 0.04:
            sentence = replace(sentence, words=tuple(w.lower() for w in sentence.words))
        if sentence.spans and self.rng.random() < 0.15:
            return sentence, fine_task(sentence, self.kinds[sentence.source], self.rng)
        return sentence, coarse_task(sentence, self.rng)

    def batches(self, size: int) -> list[list[tuple[Sentence, Task]]]:
        """Return 32 batches of examples of similar length."""
        drawn = [self.draw() for _ in range(32 * size)]
        drawn.sort(key=lambda x: len(x[0].words) + 2 * len(x[1].labels))
        out = [drawn[i : i + size] for i in range(0, len(drawn), size)]
        self.rng.shuffle(out)
        return out
