"""Turn windows of text and their facts into tensors, and score pairs, exactly as the GLiREL architecture does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

RELATION_TOKEN, SEPARATOR = "[REL]", "[SEP]"
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Window:
    """A stretch of text: ``words``, mentions as (first word, last word, entity), and labels per (head, tail) entity.

    ``asked`` lists the entity pairs the text says something about; None means every ordered pair of two entities.
    """

    words: tuple[str, ...]
    mentions: tuple[Place, ...]
    facts: dict[tuple[int, int], frozenset[str]]
    asked: tuple[tuple[int, int], ...] | None = None


@dataclass
class PairBatch:
    """Tensors of B windows: P mention pairs, G entity pairs, C labels.

    ``pairs`` is [P, 4]: window, head mention, tail mention, entity pair. ``keys`` names the entity pairs: (window,
    head, tail). ``targets`` and ``weights`` are [G, C].
    """

    input_ids: Tensor
    attention_mask: Tensor
    word_positions: Tensor
    word_mask: Tensor
    label_positions: Tensor
    mentions: Tensor
    pairs: Tensor
    keys: list[tuple[int, int, int]]
    targets: Tensor
    weights: Tensor


def _pad(rows: list[list[int]]) -> Tensor:
    width = max(len(r) for r in rows)
    return torch.tensor([r + [0] * (width - len(r)) for r in rows])


def collate(windows: list[Window], labels: list[str], tokenizer: Tokenizer, weight: dict[str, float]) -> PairBatch:
    """Return the tensors of a batch; all windows get the same ``labels``. ``weight`` is the loss weight of a label."""
    prompt = [token for label in labels for token in (RELATION_TOKEN, label)] + [SEPARATOR]
    encoded, places, prompts, mentions = [], [], [], []
    pairs: list[tuple[int, int, int, int]] = []
    keys: list[tuple[int, int, int]] = []
    for number, window in enumerate(windows):
        encoding = tokenizer.encode(prompt + list(window.words), is_pretokenized=True)
        first: dict[int, int] = {}
        for position, word in enumerate(encoding.word_ids):
            if word is not None:
                first.setdefault(word, position)
        encoded.append(encoding.ids[:512])
        places.append([min(first.get(len(prompt) + i, 0), 511) for i in range(len(window.words))])
        prompts.append([first[i] for i in range(2 * len(labels))])
        mentions.append([[a, b] for a, b, _ in window.mentions])
        _add_pairs(number, window, pairs, keys)
    facts = [windows[n].facts.get((h, t), frozenset()) for n, h, t in keys]
    most = max(len(m) for m in mentions)
    pieces, lengths = _pad(encoded), torch.tensor([len(w.words) for w in windows])
    return PairBatch(
        pieces,
        (torch.arange(pieces.shape[1])[None] < torch.tensor([len(e) for e in encoded])[:, None]).long(),
        _pad(places),
        torch.arange(int(lengths.max()))[None] < lengths[:, None],
        _pad(prompts),
        torch.tensor([m + [[0, 0]] * (most - len(m)) for m in mentions]),
        torch.tensor(pairs).reshape(-1, 4),
        keys,
        torch.tensor([[float(label in fact) for label in labels] for fact in facts]).reshape(-1, len(labels)),
        torch.tensor([weight.get(label, 1.0) for label in labels]).expand(len(keys), -1),
    )


def _add_pairs(
    number: int, window: Window, pairs: list[tuple[int, int, int, int]], keys: list[tuple[int, int, int]]
) -> None:
    """Append the mention pairs and entity pairs of one window."""
    index: dict[tuple[int, int], int] = {}
    allowed = None if window.asked is None else set(window.asked)
    for i, head in enumerate(window.mentions):
        for j, tail in enumerate(window.mentions):
            key = head[2], tail[2]
            if key[0] == key[1] or (allowed is not None and key not in allowed):
                continue
            if key not in index:
                index[key] = len(keys)
                keys.append((number, *key))
            pairs.append((number, i, j, index[key]))


def score_pairs(model: Any, batch: PairBatch) -> Tensor:
    """Return the logits [P, C] of the mention pairs; ``model`` is a GLiREL with dot scorer and no refine layers.

    Only the order of linear operations differs from upstream: halves of a layer are computed once per mention.
    """
    layer = model.token_rep_layer
    hidden = layer.bert_layer.model(input_ids=batch.input_ids, attention_mask=batch.attention_mask).last_hidden_state
    rows = torch.arange(hidden.shape[0])[:, None]
    words = hidden[rows, batch.word_positions] * batch.word_mask[..., None]
    words = model.rnn(words, batch.word_mask)
    marker = model.span_rep_layer.rel_rep_layer
    spans = marker.span_marker(words, batch.mentions)
    first, _, _, second = marker.out_project
    width = spans.shape[-1]
    as_head = nn.functional.linear(spans, first.weight[:, :width], first.bias)
    as_tail = nn.functional.linear(spans, first.weight[:, width:])
    window, head, tail, _ = batch.pairs.unbind(1)
    inner = (as_head[window, head] + as_tail[window, tail]).relu()
    both = hidden[rows, batch.label_positions]
    prompts = model.prompt_rep_layer((both[:, 0::2] + both[:, 1::2]) / 2)
    folded, offset = prompts @ second.weight, prompts @ second.bias
    counts = torch.bincount(window, minlength=hidden.shape[0]).tolist()
    return torch.cat([part @ folded[b].T + offset[b] for b, part in enumerate(inner.split(counts))]).float()


def pooled(logits: Tensor, batch: PairBatch) -> Tensor:
    """Return the logits [G, C] of entity pairs: the log of the summed odds of their mention pairs, a smooth maximum.

    Stated once is stated: a pair of entities is related when one of its mention pairs says so.
    """
    odds = torch.exp(logits.clamp(-30.0, 20.0))
    total = torch.zeros(len(batch.keys), logits.shape[1]).index_add(0, batch.pairs[:, 3], odds)
    return torch.log(total)
