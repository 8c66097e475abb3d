"""Entities of a text by a span model of the GLiNER architecture, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from glassbox.errors import ModelError
from glassbox.models.files import LoadedModel
from glassbox.models.session import FloatArray, Graph, sigmoid
from glassbox.models.tokenizer import PromptTokenizer
from glassbox.models.types import Entity
from glassbox.models.words import Window, Words, keep, plan_windows, split_words

NEEDED = ("input_ids", "attention_mask", "words_mask", "span_idx", "span_mask")
KNOWN_INPUTS = (*NEEDED, "text_lengths", "token_type_ids")
MAX_WORDS = 192
MAX_LABELS = 50


class Candidate(NamedTuple):
    """A span of words above its threshold; sorts by score, then by place and label."""

    negative_score: float
    start: int
    end: int
    """Last word, inclusive."""
    label: int


class EntityExtractor:
    """Finds entities of the given types; the graph is a span-mode GLiNER export, BERT or DeBERTa.

    Input and decoding follow the `gliner` package (span mode `markerV0`, first sub-token of a word, greedy flat
    decoding), so one of its exports runs unchanged.
    """

    def __init__(self, model: LoadedModel, *, threads: int = 1) -> None:
        """Load the model; raise ModelError if it isn't a span model of a supported kind."""
        self.entry = model.entry
        config = model.config()
        self._refuse_other_kinds(config)
        self.max_width = _positive(config, "max_width", 12, self.entry.name)
        self._graph = Graph(model, threads=threads)
        self._graph.require(NEEDED, KNOWN_INPUTS, kind="a span-mode GLiNER export (token-level ones don't fit)")
        self._tokenizer = PromptTokenizer(
            model, marker=str(config.get("ent_token", "<<ENT>>")), separator=str(config.get("sep_token", "<<SEP>>"))
        )
        limits = self.entry.limits
        self._max_words = min(limits.max_words or MAX_WORDS, _positive(config, "max_len", 384, self.entry.name))
        self._max_labels = limits.max_labels or MAX_LABELS

    def extract(self, text: str, labels: Sequence[str] | None = None) -> tuple[Entity, ...]:
        """Return the entities of `text` in order, none overlapping another.

        `labels` are the types to look for, by default the manifest's; scores are probabilities above the manifest's
        threshold for the type. A long text is read in windows whose margins hold every span the model can name, so
        nothing is cut off; a type list too long for one prompt is read in several. Raises UsageError for bad labels,
        ModelError if the graph fails.
        """
        names = tuple(self.entry.labels if labels is None else labels)
        room = self.entry.max_tokens // 2
        groups = self._tokenizer.label_groups(names, max_tokens=room, max_labels=self._max_labels)
        words = split_words(text)
        counts = self._tokenizer.token_counts(words.words)
        words, counts = keep(words, counts > 0), counts[counts > 0]
        candidates: list[Candidate] = []
        first = 0
        for group in groups:
            windows = plan_windows(
                counts,
                words.boundaries,
                max_words=self._max_words,
                left=min(self.max_width, self._max_words // 4),
                right=min(self.max_width, self._max_words // 4),
                max_tokens=self.entry.max_tokens - self._tokenizer.prompt_tokens(group),
            )
            for window in windows:
                candidates += self._candidates(words, window, group, first)
            first += len(group)
        return tuple(self._entity(text, words, names, item) for item in _greedy(candidates, len(words)))

    def logits(self, words: Sequence[str], labels: Sequence[str]) -> FloatArray:
        """Return the raw scores of one run, float32 [words, max_width, labels].

        Entry [i, k, c] belongs to the span of words i..i+k and label c; spans beyond the last word hold no meaning.
        """
        prompted = self._tokenizer.encode(labels, words)
        size, width = len(words), self.max_width
        starts = np.repeat(np.arange(size, dtype=np.int64), width)
        ends = starts + np.tile(np.arange(width, dtype=np.int64), size)
        inside = ends < size
        mask = np.zeros(len(prompted.ids), dtype=np.int64)
        mask[prompted.word_positions] = np.arange(1, size + 1, dtype=np.int64)
        feed = {
            "input_ids": prompted.ids[None],
            "attention_mask": np.ones((1, len(prompted.ids)), dtype=np.int64),
            "token_type_ids": np.zeros((1, len(prompted.ids)), dtype=np.int64),
            "words_mask": mask[None],
            "text_lengths": np.array([[size]], dtype=np.int64),
            "span_idx": (np.stack([starts, ends], axis=-1) * inside[:, None])[None],
            "span_mask": inside[None],
        }
        scores = self._graph.run(feed, output="logits")
        if scores.shape != (1, size, width, len(labels)):
            raise ModelError(
                f"The graph gave shape {scores.shape}, not {(1, size, width, len(labels))}", where=self.entry.name
            )
        table: FloatArray = scores[0]
        return table

    def _candidates(self, words: Words, window: Window, labels: Sequence[str], first: int) -> list[Candidate]:
        scores = sigmoid(self.logits(words.words[window.start : window.end], labels))
        thresholds = np.array([self.entry.thresholds.of(label) for label in labels])
        found: list[Candidate] = []
        for start, width, label in np.argwhere(scores > thresholds).tolist():
            begin, end = window.start + start, window.start + start + width
            # A span belongs to the window whose core it begins in, where it has context on both sides.
            if end < window.end and window.core_start <= begin < window.core_end:
                found.append(Candidate(-float(scores[start, width, label]), begin, end, first + label))
        return found

    def _entity(self, text: str, words: Words, labels: Sequence[str], item: Candidate) -> Entity:
        start, end = words.starts[item.start], words.ends[item.end]
        return Entity(start, end, text[start:end], labels[item.label], -item.negative_score)

    def _refuse_other_kinds(self, config: dict[str, object]) -> None:
        """Raise ModelError for what the graph's inputs can't tell: how words are made and how they are pooled."""
        supported = {"subtoken_pooling": "first", "words_splitter_type": "whitespace"}
        for key, value in supported.items():
            if config.get(key) not in (value, None):
                raise ModelError(f"The model's {key} is {config[key]!r}, supported is {value!r}", where=self.entry.name)
        if "token" in str(config.get("span_mode", "")):
            raise ModelError(
                "The model scores tokens; only models that score spans are supported", where=self.entry.name
            )


def _greedy(candidates: list[Candidate], size: int) -> list[Candidate]:
    """Return the best candidates that share no word, in text order (greedy flat decoding)."""
    used = np.zeros(size, dtype=np.bool_)
    chosen: list[Candidate] = []
    for item in sorted(candidates):
        if not used[item.start : item.end + 1].any():
            used[item.start : item.end + 1] = True
            chosen.append(item)
    return sorted(chosen, key=lambda item: item.start)


def _positive(config: dict[str, object], key: str, default: int, where: str) -> int:
    value = config.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"The model's config holds no positive integer {key}", where=where)
    return value
