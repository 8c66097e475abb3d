"""Turn sentences and their tasks into tensors, and score spans, exactly as the GLiNER span architecture does.

The score of span (i, j) for label c is out(relu(start(h_i), end(h_j))) . prompt(c) with ``out`` two linear layers. The
first is linear in its two halves, so it is computed once per word; the second is folded into the prompt vectors. Both
rewritings are exact and make the span head cheap enough for a processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from corpora import Sentence
from labels import Task
from tokenizers import Tokenizer
from torch import Tensor, nn

ENTITY_TOKEN, SEPARATOR = "<<ENT>>", "<<SEP>>"


@dataclass
class Batch:
    """Tensors of B examples: S sub-tokens, W words, C labels, N valid spans over all examples.

    ``spans`` is [N, 3]: example, first word, last word (inclusive). ``targets`` and ``weights`` are [N, C].
    """

    input_ids: Tensor
    attention_mask: Tensor
    word_positions: Tensor
    word_mask: Tensor
    label_positions: Tensor
    spans: Tensor
    targets: Tensor
    weights: Tensor


def span_table(lengths: list[int], max_width: int) -> np.ndarray:
    """Return every span of at most ``max_width`` words as rows (example, first, last)."""
    rows = []
    for example, length in enumerate(lengths):
        first = np.repeat(np.arange(length), max_width)
        last = first + np.tile(np.arange(max_width), length)
        keep = last < length
        rows.append(np.stack([np.full(keep.sum(), example), first[keep], last[keep]], axis=1))
    return np.concatenate(rows)


def collate(pairs: list[tuple[Sentence, Task]], tokenizer: Tokenizer, max_width: int, max_words: int) -> Batch:
    """Return the tensors of a batch; sentences are cut after ``max_words`` words."""
    encoded, words_of, labels_of = [], [], []
    for sentence, task in pairs:
        prompt = [token for label in task.labels for token in (ENTITY_TOKEN, label)] + [SEPARATOR]
        words = list(sentence.words[:max_words])
        encoding = tokenizer.encode(prompt + words, is_pretokenized=True)
        first: dict[int, int] = {}
        for position, word in enumerate(encoding.word_ids):
            if word is not None:
                first.setdefault(word, position)
        encoded.append(encoding.ids)
        labels_of.append([first[2 * i] for i in range(len(task.labels))])
        # A word without any piece (control characters) is read at [CLS].
        words_of.append([first.get(len(prompt) + i, 0) for i in range(len(words))])
    table = span_table([len(w) for w in words_of], max_width)
    targets, weights = _targets(pairs, table, max(len(x) for x in labels_of))
    pieces, lengths = _pad(encoded), [len(w) for w in words_of]
    return Batch(
        pieces,
        torch.tensor([[int(i < len(e)) for i in range(pieces.shape[1])] for e in encoded]),
        _pad(words_of),
        torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None],
        _pad(labels_of),
        torch.from_numpy(table),
        torch.from_numpy(targets),
        torch.from_numpy(weights),
    )


def _pad(rows: list[list[int]]) -> Tensor:
    width = max(len(r) for r in rows)
    return torch.tensor([r + [0] * (width - len(r)) for r in rows])


def _targets(pairs: list[tuple[Sentence, Task]], table: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return target and weight of every span and label; weight 0 where the corpus does not say."""
    targets = np.zeros((len(table), width), np.float32)
    weights = np.zeros((len(table), width), np.float32)
    row_of = {tuple(row): i for i, row in enumerate(table.tolist())}
    for example, (_, task) in enumerate(pairs):
        rows = table[:, 0] == example
        weights[rows, : len(task.labels)] = ~task.silent
        for start, end in task.unknown:
            row = row_of.get((example, start, end - 1))
            if row is not None:
                weights[row, : len(task.labels)] *= ~task.doubtful
        for start, end, label in task.positives:
            row = row_of.get((example, start, end - 1))
            if row is not None:
                targets[row, label] = 1.0
                weights[row, label] = 1.0
    return targets, weights


def score_spans(model: Any, batch: Batch) -> Tensor:
    """Return the logits [N, C] of the batch's spans; ``model`` is the inner module of a GLiNER span model."""
    hidden = model.token_rep_layer(batch.input_ids, batch.attention_mask)
    rows = torch.arange(hidden.shape[0])[:, None]
    words = hidden[rows, batch.word_positions] * batch.word_mask[..., None]
    words = model.rnn(words, batch.word_mask)
    layer = model.span_rep_layer.span_rep_layer
    start, end = layer.project_start(words).relu(), layer.project_end(words).relu()
    # No dropout between the two layers: drawing it for every span costs a tenth of a step.
    first, _, _, second = layer.out_project
    width = start.shape[-1]
    from_start = nn.functional.linear(start, first.weight[:, :width], first.bias)
    from_end = nn.functional.linear(end, first.weight[:, width:])
    example, i, j = batch.spans.unbind(1)
    inner = (from_start[example, i] + from_end[example, j]).relu()
    prompts = model.prompt_rep_layer(hidden[rows, batch.label_positions])
    folded, offset = prompts @ second.weight, prompts @ second.bias
    counts = torch.bincount(example, minlength=hidden.shape[0]).tolist()
    parts = inner.split(counts)
    return torch.cat([part @ folded[b].T + offset[b] for b, part in enumerate(parts)]).float()
