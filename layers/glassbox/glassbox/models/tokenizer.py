"""Tokenizers without torch: sub-tokens of plain texts, of pairs, and of word lists behind a prompt of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Encoding, Tokenizer

from glassbox.errors import ModelError, UsageError
from glassbox.models.files import LoadedModel
from glassbox.models.session import IntArray

SLICE = 8192


def load_tokenizer(model: LoadedModel, *, literal: bool) -> Tokenizer:
    """Return the model's tokenizer, which neither pads nor cuts.

    Published files often carry a fixed padding and truncation (128 tokens for all-MiniLM-L6-v2), which would cut texts
    off unseen. With `literal` the names of special tokens inside a text are ordinary characters, so that a text which
    spells `[SEP]` can't forge the end of a segment; without it they are recognised, as a prompt of labels needs.
    """
    try:
        tokenizer = Tokenizer.from_buffer(model.content("tokenizer"))
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"The tokenizer can't be loaded ({type(error).__name__})", where=model.entry.name) from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = literal
    return tokenizer


@dataclass(frozen=True, slots=True)
class Prompted:
    """The sub-tokens of a label prompt followed by words."""

    ids: IntArray
    """[tokens]"""
    word_positions: IntArray
    """[words], index of each word's first sub-token."""
    open_positions: IntArray
    """[labels], index of the marker before each label."""
    label_positions: IntArray
    """[labels], index of each label's first sub-token."""


class PromptTokenizer:
    """Encodes `marker label marker label ... separator word word ...` as GLiNER and GLiREL do."""

    def __init__(self, model: LoadedModel, *, marker: str, separator: str) -> None:
        """Load the tokenizer; raise ModelError if it doesn't know the marker or the separator as one token."""
        self.name = model.entry.name
        self._tokenizer = load_tokenizer(model, literal=False)
        self._marker, self._separator = marker, separator
        for token in (marker, separator):
            if self._tokenizer.token_to_id(token) is None:
                raise ModelError(f"The tokenizer has no token {token!r}", where=self.name)
        self._special = self._tokenizer.num_special_tokens_to_add(is_pair=False)

    def encode(self, labels: Sequence[str], words: Sequence[str]) -> Prompted:
        """Return the sub-tokens of the prompt and the words; every word must have at least one sub-token."""
        prompt = self._prompt(labels)
        encoding = self._tokenizer.encode([*prompt, *words], is_pretokenized=True)
        first = np.full(len(prompt) + len(words), -1, dtype=np.int64)
        for position, word in enumerate(encoding.word_ids):
            if word is not None and first[word] < 0:
                first[word] = position
        if (first < 0).any():
            missing = int((first < 0).argmax())
            raise ModelError(f"The tokenizer gives no token for item {missing} of prompt and words", where=self.name)
        labelled = first[: 2 * len(labels)]
        return Prompted(
            ids=np.asarray(encoding.ids, dtype=np.int64),
            word_positions=first[len(prompt) :],
            open_positions=labelled[0::2],
            label_positions=labelled[1::2],
        )

    def prompt_tokens(self, labels: Sequence[str]) -> int:
        """Return how many sub-tokens the prompt takes, special tokens of the whole input included."""
        return int(self.token_counts(self._prompt(labels)).sum()) + self._special

    def token_counts(self, words: Sequence[str]) -> IntArray:
        """Return the number of sub-tokens of each word, [words]; 0 for a word of characters the tokenizer drops."""
        counts = np.zeros(len(words), dtype=np.int64)
        # In slices, so that the encoding of a very long text never lies in memory as a whole.
        for start in range(0, len(words), SLICE):
            part = list(words[start : start + SLICE])
            encoding: Encoding = self._tokenizer.encode(part, is_pretokenized=True, add_special_tokens=False)
            ids = np.asarray([word for word in encoding.word_ids if word is not None], dtype=np.int64)
            counts[start : start + len(part)] = np.bincount(ids, minlength=len(part))
        return counts

    def label_groups(self, labels: Sequence[str], *, max_tokens: int, max_labels: int) -> tuple[tuple[str, ...], ...]:
        """Return `labels` in order, in as few groups as keep each prompt within both limits.

        Raises UsageError if labels are empty or repeated, or if one alone exceeds the limit.
        """
        if not labels or len(set(labels)) != len(labels):
            raise UsageError("Labels must be given, and each only once", where=self.name)
        counts = self.token_counts(labels)
        if (counts == 0).any():
            raise UsageError(f"Label {int((counts == 0).argmax())} has no token", where=self.name)
        base = self.prompt_tokens(())
        groups: list[list[str]] = [[]]
        used = base
        for label, count in zip(labels, counts.tolist(), strict=True):
            if base + count + 1 > max_tokens:
                raise UsageError(f"Label {list(labels).index(label)} is longer than the prompt may be", where=self.name)
            if groups[-1] and (used + count + 1 > max_tokens or len(groups[-1]) == max_labels):
                groups.append([])
                used = base
            groups[-1].append(label)
            used += count + 1
        return tuple(tuple(group) for group in groups)

    def _prompt(self, labels: Sequence[str]) -> list[str]:
        return [item for label in labels for item in (self._marker, label)] + [self._separator]
