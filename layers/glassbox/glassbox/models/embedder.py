"""Sentence embeddings: one vector for a text of any length, or one for each of its windows."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from glassbox.errors import ModelError
from glassbox.models.files import LoadedModel
from glassbox.models.session import FloatArray, Graph, IntArray
from glassbox.models.tokenizer import load_tokenizer

OVERLAP_TOKENS = 64
REMEMBERED = 2048
SMALLEST_NORM = 1e-12
KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass(frozen=True, slots=True)
class TextWindow:
    """A stretch of a text that fits the embedder, by code-point offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Part:
    window: TextWindow
    ids: tuple[int, ...]
    fresh: int
    """Tokens that no part before it holds."""


class Embedder:
    """Maps texts to unit vectors.

    Every text runs alone. Dynamic int8 quantisation scales the activations of a whole batch by one factor, so a text
    that shared a batch would get other bytes in other company; alone its vector depends on nothing but itself.
    """

    def __init__(self, model: LoadedModel, *, threads: int = 1, remember: int = REMEMBERED) -> None:
        """Load the model; the last `remember` vectors are kept, under digests of their texts."""
        self.entry = model.entry
        self._graph = Graph(model, threads=threads)
        self._graph.require(KNOWN_INPUTS[:1], KNOWN_INPUTS, kind="a sentence embedder")
        self._tokenizer = load_tokenizer(model, literal=True)
        self._before, self._after = _frame(self._tokenizer)
        self._room = model.entry.max_tokens - len(self._before) - len(self._after)
        overlap = model.entry.limits.overlap_tokens
        self._overlap = min(OVERLAP_TOKENS if overlap is None else overlap, self._room // 2)
        self._remember = remember
        self._memory: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._lock = threading.Lock()
        self.dimensions = len(self._run(()))

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Return one L2-normalised vector a text, float32 [texts, dimensions].

        A text longer than the model's input is embedded window by window (`windows`), and its vector is the normalised
        mean of the windows' vectors, weighted by the tokens each adds to the ones before it. A blank text gets the
        vector of an empty input, which means nothing; callers look for blanks themselves. Raises ModelError if the
        graph fails.
        """
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._remembered(text) for text in texts])

    def windows(self, text: str) -> tuple[TextWindow, ...]:
        """Return windows that together cover every token of `text`, each within the model's input.

        Neighbours share 64 tokens (or the manifest's `overlap_tokens`). A text that fits is one window.
        """
        return tuple(part.window for part in self._parts(text))

    def embed_windows(self, text: str) -> tuple[tuple[TextWindow, ...], FloatArray]:
        """Return the windows of `text` and their L2-normalised vectors, float32 [windows, dimensions]."""
        parts = self._parts(text)
        return tuple(part.window for part in parts), np.stack([self._run(part.ids) for part in parts])

    def _parts(self, text: str) -> list[_Part]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids, offsets, size = encoding.ids, encoding.offsets, len(encoding.ids)
        if size <= self._room:
            return [_Part(TextWindow(0, len(text)), tuple(ids), size)]
        parts: list[_Part] = []
        start = covered = 0
        while covered < size:
            end = min(start + self._room, size)
            first = 0 if start == 0 else offsets[start][0]
            last = len(text) if end == size else offsets[end - 1][1]
            parts.append(_Part(TextWindow(first, last), tuple(ids[start:end]), end - covered))
            covered = end
            start = end - self._overlap
        return parts

    def _remembered(self, text: str) -> FloatArray:
        key = hashlib.sha256(text.encode("utf-8")).digest()
        with self._lock:
            known = self._memory.get(key)
            if known is not None:
                self._memory.move_to_end(key)
                return known
        vector = self._mean(text)
        with self._lock:
            self._memory[key] = vector
            while len(self._memory) > self._remember:
                self._memory.popitem(last=False)
        return vector

    def _mean(self, text: str) -> FloatArray:
        parts = self._parts(text)
        vectors = [self._run(part.ids) for part in parts]
        if len(vectors) == 1:
            return vectors[0]
        total = np.zeros(self.dimensions, dtype=np.float64)
        for vector, part in zip(vectors, parts, strict=True):
            total += part.fresh * vector.astype(np.float64)
        return self._unit(total)

    def _run(self, tokens: Sequence[int]) -> FloatArray:
        """Return the vector of one input without its special tokens, float32 [dimensions]."""
        ids: IntArray = np.asarray([[*self._before, *tokens, *self._after]], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        output = self._graph.run(feed, output="sentence_embedding")
        if output.ndim != 2 or output.shape[0] != 1:
            raise ModelError(f"The graph gave shape {output.shape}, not one vector", where=self.entry.name)
        return self._unit(output[0].astype(np.float64))

    def _unit(self, vector: npt.NDArray[np.float64]) -> FloatArray:
        norm = float(np.sqrt((vector * vector).sum()))
        if norm < SMALLEST_NORM:
            raise ModelError("A vector has length zero and no direction", where=self.entry.name)
        return (vector / norm).astype(np.float32)


def _frame(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the special tokens that the tokenizer puts before and after a text."""
    encoding = tokenizer.encode("a")
    content = [i for i, special in enumerate(encoding.special_tokens_mask) if not special]
    return encoding.ids[: content[0]], encoding.ids[content[-1] + 1 :]


def cosine_matrix(left: FloatArray, right: FloatArray) -> npt.NDArray[np.float64]:
    """Return the cosines of unit vectors, float64 [len(left), len(right)], in [-1,1].

    Computed in double precision row by row, so that one entry doesn't depend on which others are asked for; clipped
    because a vector's product with itself may round to a little more than 1.
    """
    result = np.zeros((len(left), len(right)), dtype=np.float64)
    for i, a in enumerate(left.astype(np.float64)):
        for j, b in enumerate(right.astype(np.float64)):
            result[i, j] = (a * b).sum()
    return np.clip(result, -1.0, 1.0)
