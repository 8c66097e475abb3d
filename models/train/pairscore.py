"""Measure the relation model: F1 of related (subject, object) pairs, given the entities."""

from __future__ import annotations

from typing import Any

import torch
from corpora import Document
from relbatch import collate, score_pairs
from relnames import LABELS, RELATED
from tokenizers import Tokenizer
from windows import facts_of, windows

Scores = dict[tuple[int, int, int], tuple[float, float]]
THRESHOLDS = tuple(round(0.1 + 0.02 * i, 2) for i in range(43))


def document_scores(
    model: Any, documents: list[Document], tokenizer: Tokenizer, limit: int, labels: tuple[str, ...] = LABELS
) -> Scores:
    """Return for every ordered pair of entities that meet in a window the best score over labels and mentions.

    Keys are (document, head, tail); values (best over all labels, best of "related to"), each in [0, 1].
    """
    out: Scores = {}
    generic = labels.index(RELATED)
    for number, document in enumerate(documents):
        for window in windows(document, list(range(len(document.sentences))), limit, {}, overlap=True):
            if len({m[2] for m in window.mentions}) < 2:
                continue
            batch = collate([window], list(labels), tokenizer, {})
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                scores = torch.sigmoid(score_pairs(model, batch))
            best, related = scores.max(1).values.tolist(), scores[:, generic].tolist()
            for row, (_, _, _, pair) in enumerate(batch.pairs.tolist()):
                key = number, batch.keys[pair][1], batch.keys[pair][2]
                a, b = out.get(key, (0.0, 0.0))
                out[key] = max(a, best[row]), max(b, related[row])
    return out


def best_f1(
    documents: list[Document], scores: Scores, which: int, ordered: bool, met_only: bool
) -> tuple[float, float]:
    """Return (threshold, F1) of related pairs: ``which`` score, ordered or unordered pairs.

    ``met_only`` counts only the gold pairs whose entities share a window; else all pairs of the document.
    """

    def shape(number: int, head: int, tail: int) -> tuple[int, int, int]:
        return (number, head, tail) if ordered else (number, min(head, tail), max(head, tail))

    gold = {shape(n, h, t) for n, d in enumerate(documents) for h, t in facts_of(d) if h != t}
    found: dict[tuple[int, int, int], float] = {}
    for key, value in scores.items():
        found[shape(*key)] = max(found.get(shape(*key), 0.0), value[which])
    if met_only:
        gold &= set(found)
    best = (0.0, 0.0)
    for threshold in THRESHOLDS:
        predicted = {key for key, value in found.items() if value >= threshold}
        f1 = 2 * len(predicted & gold) / max(1, len(predicted) + len(gold))
        best = max(best, (f1, -threshold))
    return -best[1], best[0]
