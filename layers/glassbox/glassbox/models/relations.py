"""Relations between the entities of a text by a model of the GLiREL architecture, without torch."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from glassbox.errors import ModelError, UsageError
from glassbox.models.files import LoadedModel
from glassbox.models.session import FloatArray, Graph, IntArray, sigmoid
from glassbox.models.tokenizer import PromptTokenizer
from glassbox.models.types import Entity, Relation
from glassbox.models.words import Window, Words, keep, plan_windows, split_words

NEEDED = ("input_ids", "word_pos", "span_idx", "pair_idx")
# A graph whose labels are represented by the marker or by the label alone lacks the other input.
KNOWN_INPUTS = (*NEEDED, "attention_mask", "rel_pos", "label_pos")
MARKER, SEPARATOR = "[REL]", "[SEP]"
MAX_WORDS = 150
MAX_PAIR_WORDS = 75
MAX_LABELS = 25
PAIRS_PER_RUN = 2048

Span = tuple[int, int]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Group:
    """The pairs that are scored in one window, as indices into the entities."""

    window: Window
    pairs: tuple[Pair, ...]


class RelationExtractor:
    """Scores ordered entity pairs against relation types; the graph is the tensor-only GLiREL wrapper.

    Its inputs are the prompt and words, the positions of each `[REL]` marker, label and word, the entity spans and the
    pairs; its output is one logit for each pair and type. Prompt and word handling follow the `glirel` package.
    """

    def __init__(self, model: LoadedModel, *, threads: int = 1) -> None:
        """Load the model; raise ModelError if it isn't a supported GLiREL export."""
        self.entry = model.entry
        if model.entry.file("config") is not None and model.config().get("add_entity_markers"):
            raise ModelError("Models that put markers around entities are not supported", where=model.entry.name)
        self._graph = Graph(model, threads=threads)
        self._graph.require(NEEDED, KNOWN_INPUTS, kind="a tensor-only GLiREL export")
        self._tokenizer = PromptTokenizer(model, marker=MARKER, separator=SEPARATOR)
        limits = self.entry.limits
        self._max_words = limits.max_words or MAX_WORDS
        # Half a window at most: the other half is the core, in which the earlier entity of a pair begins.
        self.max_pair_words = min(limits.max_pair_words or MAX_PAIR_WORDS, self._max_words // 2)
        self._max_labels = limits.max_labels or MAX_LABELS

    def extract(
        self, text: str, entities: Sequence[Entity], labels: Sequence[str] | None = None
    ) -> tuple[Relation, ...]:
        """Return the relations above the manifest's thresholds, by subject, object and falling score.

        `labels` are the relation types, by default the manifest's. Which pairs are looked at says `pairs`; every one of
        them is scored, however many there are. Raises UsageError for bad labels or entities outside the text,
        ModelError if the graph fails.
        """
        names = tuple(self.entry.labels if labels is None else labels)
        label_groups = self._label_groups(names)
        words, spans, groups = self._plan(text, entities, label_groups)
        found: list[Relation] = []
        for group in groups:
            window = group.window
            part = words.words[window.start : window.end]
            members = sorted({index for pair in group.pairs for index in pair})
            local = [(spans[i][0] - window.start, spans[i][1] - window.start) for i in members]
            place = {index: position for position, index in enumerate(members)}
            pairs = [(place[subject], place[object_]) for subject, object_ in group.pairs]
            for chosen in label_groups:
                scores = sigmoid(self.logits(part, local, pairs, chosen))
                thresholds = np.array([self.entry.thresholds.of(label) for label in chosen])
                for row, column in np.argwhere(scores > thresholds).tolist():
                    subject, object_ = group.pairs[row]
                    found.append(Relation(subject, object_, chosen[column], float(scores[row, column])))
        order = {label: position for position, label in enumerate(names)}
        return tuple(sorted(found, key=lambda r: (r.subject_index, r.object_index, -r.score, order[r.label])))

    def pairs(self, text: str, entities: Sequence[Entity], labels: Sequence[str] | None = None) -> tuple[Pair, ...]:
        """Return the ordered pairs (subject, object) that `extract` looks at, sorted.

        Two different, not overlapping entities make two pairs if from the first word of the earlier to the last of the
        later there are at most `max_pair_words` words, and if those fit one window of the model.
        """
        names = tuple(self.entry.labels if labels is None else labels)
        _, _, groups = self._plan(text, entities, self._label_groups(names))
        return tuple(sorted(pair for group in groups for pair in group.pairs))

    def logits(
        self, words: Sequence[str], spans: Sequence[Span], pairs: Sequence[Pair], labels: Sequence[str]
    ) -> FloatArray:
        """Return the raw scores of `pairs` (indices into `spans`) for `labels`, float32 [pairs, labels].

        `spans` are first and last word, both inclusive.
        """
        prompted = self._tokenizer.encode(labels, words)
        rows: list[FloatArray] = []
        for start in range(0, len(pairs), PAIRS_PER_RUN):
            part = pairs[start : start + PAIRS_PER_RUN]
            feed: dict[str, IntArray] = {
                "input_ids": prompted.ids[None],
                "attention_mask": np.ones((1, len(prompted.ids)), dtype=np.int64),
                "rel_pos": prompted.open_positions,
                "label_pos": prompted.label_positions,
                "word_pos": prompted.word_positions,
                "span_idx": np.asarray(spans, dtype=np.int64)[None],
                "pair_idx": np.asarray(part, dtype=np.int64),
            }
            scores = self._graph.run(feed, output="logits")
            if scores.shape != (len(part), len(labels)):
                raise ModelError(
                    f"The graph gave shape {scores.shape}, not {(len(part), len(labels))}", where=self.entry.name
                )
            rows.append(scores)
        return np.concatenate(rows) if rows else np.zeros((0, len(labels)), dtype=np.float32)

    def _label_groups(self, labels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        room = self.entry.max_tokens // 2
        return self._tokenizer.label_groups(labels, max_tokens=room, max_labels=self._max_labels)

    def _plan(
        self, text: str, entities: Sequence[Entity], label_groups: Sequence[Sequence[str]]
    ) -> tuple[Words, dict[int, Span], list[_Group]]:
        words = split_words(text)
        counts = self._tokenizer.token_counts(words.words)
        words, counts = keep(words, counts > 0), counts[counts > 0]
        places = [self._span(words, text, index, entity) for index, entity in enumerate(entities)]
        spans = {index: span for index, span in enumerate(places) if span is not None}
        if len(spans) < 2:
            return words, spans, []
        # One layout for all label groups, so that which pairs are in reach doesn't depend on the label.
        prompt = max(self._tokenizer.prompt_tokens(group) for group in label_groups)
        windows = plan_windows(
            counts,
            words.boundaries,
            max_words=self._max_words,
            left=self._max_words // 8,
            right=self.max_pair_words,
            max_tokens=self.entry.max_tokens - prompt,
        )
        return words, spans, _group_pairs(spans, windows, self.max_pair_words)

    def _span(self, words: Words, text: str, index: int, entity: Entity) -> Span | None:
        """Return first and last word that the entity touches, or None if it touches none."""
        if not 0 <= entity.start < entity.end <= len(text):
            raise UsageError(f"Entity {index} lies outside the text of {len(text)} characters", where=self.entry.name)
        first = bisect_right(words.ends, entity.start)
        last = bisect_left(words.starts, entity.end) - 1
        return (first, last) if first <= last else None


def _group_pairs(spans: Mapping[int, Span], windows: Sequence[Window], reach: int) -> list[_Group]:
    order = sorted((span[0], span[1], index) for index, span in spans.items())
    starts = [item[0] for item in order]
    groups: list[_Group] = []
    for window in windows:
        pairs: list[Pair] = []
        for place in range(bisect_left(starts, window.core_start), bisect_left(starts, window.core_end)):
            start, end, index = order[place]
            limit = min(start + reach, window.end)
            for other_start, other_end, other in order[place + 1 : bisect_left(starts, limit)]:
                if other_start > end and other_end < limit:
                    pairs += [(index, other), (other, index)]
        if pairs:
            groups.append(_Group(window, tuple(sorted(pairs))))
    return groups
