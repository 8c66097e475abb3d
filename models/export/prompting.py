"""Inputs of the exported graphs, made without torch: the same arrays the upstream packages make."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

SPLITTER = re.compile(r"\w+(?:[-_]\w+)*|\S")
Arrays = dict[str, np.ndarray[Any, Any]]


def split_words(text: str) -> list[str]:
    """Return the words of ``text`` as both upstream packages split them."""
    return SPLITTER.findall(text)


def open_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json with padding and truncation off."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _encode(tokenizer: Tokenizer, prompt: list[str], words: list[str]) -> tuple[list[int], list[int]]:
    """Return the token ids and the position of each item's first sub-token."""
    encoding = tokenizer.encode(prompt + words, is_pretokenized=True)
    first: dict[int, int] = {}
    for position, item in enumerate(encoding.word_ids):
        if item is not None:
            first.setdefault(item, position)
    return encoding.ids, [first[i] for i in range(len(prompt) + len(words))]


def entity_inputs(tokenizer: Tokenizer, config: dict[str, Any], words: list[str], labels: list[str]) -> Arrays:
    """Return the inputs of a span-mode GLiNER graph for one text."""
    prompt = [token for label in labels for token in (config["ent_token"], label)] + [config["sep_token"]]
    ids, first = _encode(tokenizer, prompt, words)
    mask = np.zeros(len(ids), np.int64)
    mask[first[len(prompt) :]] = np.arange(1, len(words) + 1)
    width, size = config["max_width"], len(words)
    start = np.repeat(np.arange(size), width)
    end = start + np.tile(np.arange(width), size)
    inside = end < size
    return {
        "input_ids": np.array([ids], np.int64),
        "attention_mask": np.ones((1, len(ids)), np.int64),
        "words_mask": mask[None],
        "text_lengths": np.array([[size]], np.int64),
        "span_idx": (np.stack([start, end], -1) * inside[:, None])[None].astype(np.int64),
        "span_mask": inside[None],
    }


def relation_inputs(
    tokenizer: Tokenizer, words: list[str], labels: list[str], spans: list[tuple[int, int]]
) -> tuple[Arrays, list[tuple[int, int]]]:
    """Return the inputs of the tensor-only GLiREL graph for one text, and the ordered pairs of spans they ask for."""
    prompt = [token for label in labels for token in ("[REL]", label)] + ["[SEP]"]
    ids, first = _encode(tokenizer, prompt, words)
    pairs = [(i, j) for i in range(len(spans)) for j in range(len(spans)) if i != j]
    inputs = {
        "input_ids": np.array([ids], np.int64),
        "attention_mask": np.ones((1, len(ids)), np.int64),
        "rel_pos": np.array(first[0 : 2 * len(labels) : 2], np.int64),
        "label_pos": np.array(first[1 : 2 * len(labels) : 2], np.int64),
        "word_pos": np.array(first[len(prompt) :], np.int64),
        "span_idx": np.array([spans], np.int64),
        "pair_idx": np.array(pairs, np.int64),
    }
    return inputs, pairs


def run(path: Path, inputs: Arrays) -> np.ndarray[Any, Any]:
    """Return the first output of the graph at ``path`` on one thread; inputs the graph lacks are left out."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    known = {i.name for i in session.get_inputs()}
    result: np.ndarray[Any, Any] = session.run(None, {k: v for k, v in inputs.items() if k in known})[0]
    return result


def decode_entities(
    logits: np.ndarray[Any, Any], labels: list[str], threshold: float
) -> list[tuple[int, int, str, float]]:
    """Return (first word, last word, label, score) of the flat entities: best score first, none sharing a word."""
    scores = 1 / (1 + np.exp(-logits.astype(np.float64)))
    size = logits.shape[0]
    found = [
        (float(scores[i, k, c]), int(i), int(i + k), int(c))
        for i, k, c in np.argwhere(scores > threshold)
        if i + k < size
    ]
    out: list[tuple[int, int, str, float]] = []
    for score, start, end, label in sorted(found, key=lambda x: (-x[0], x[1:])):
        if all(end < a or start > b for a, b, _, _ in out):
            out.append((start, end, labels[label], score))
    return sorted(out)


def save_tokenizer(source: Tokenizer, target: Path, special: tuple[str, ...]) -> None:
    """Write tokenizer.json without padding or truncation; ``special`` tokens are found before text is normalised."""
    source.no_padding()
    source.no_truncation()
    state = json.loads(source.to_str())
    for token in state["added_tokens"]:
        if token["content"] in special:
            token.update(special=True, normalized=False, single_word=False, lstrip=False, rstrip=False)
    target.write_text(json.dumps(state, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
