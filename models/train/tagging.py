"""Decode span scores into entities and measure them: strict micro-F1 over the merged types."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from corpora import Sentence
from labels import COARSE, LABELS, VALUES, coarse_task
from spanbatch import collate, score_spans
from tokenizers import Tokenizer

Entity = tuple[int, int, str]
Candidates = list[tuple[float, int, int, str]]
THRESHOLDS = tuple(round(0.2 + 0.025 * i, 3) for i in range(25))


def decode(candidates: Candidates, threshold: float) -> set[Entity]:
    """Return the entities above ``threshold``: best score first, none overlapping one taken before."""
    taken: list[tuple[int, int]] = []
    out: set[Entity] = set()
    for score, start, end, label in sorted(candidates, key=lambda c: (-c[0], c[1], c[2], c[3])):
        if score < threshold:
            break
        if all(end <= a or start >= b for a, b in taken):
            taken.append((start, end))
            out.add((start, end, label))
    return out


def scored_sentences(
    model: Any, sentences: list[Sentence], tokenizer: Tokenizer, max_width: int, max_words: int
) -> list[tuple[set[Entity], Candidates]]:
    """Return, for each sentence, its gold entities and every span and label scored at least 0.2."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i].words))
    out: list[tuple[set[Entity], Candidates]] = [(set(), [])] * len(sentences)
    for at in range(0, len(order), 16):
        chunk = order[at : at + 16]
        batch = collate([(sentences[i], coarse_task(sentences[i])) for i in chunk], tokenizer, max_width, max_words)
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            scores = torch.sigmoid(score_spans(model, batch)).numpy()
        spans = batch.spans.numpy()
        for position, i in enumerate(chunk):
            gold = {(s.start, s.end, COARSE[s.kind]) for s in sentences[i].spans if s.kind in COARSE}
            rows = np.flatnonzero(spans[:, 0] == position)
            hits = np.argwhere(scores[rows] >= THRESHOLDS[0])
            found = [
                (float(scores[rows[r], c]), int(spans[rows[r], 1]), int(spans[rows[r], 2]) + 1, LABELS[c])
                for r, c in hits
            ]
            out[i] = gold, found
    return out


def micro_f1(scored: list[tuple[set[Entity], Candidates]], threshold: float) -> float:
    """Return strict micro-F1; dates, numbers and sums of money are left out on both sides."""
    hit = predicted = wanted = 0
    for gold, candidates in scored:
        found = {e for e in decode(candidates, threshold) if e[2] not in VALUES}
        named = {e for e in gold if e[2] not in VALUES}
        hit += len(found & named)
        predicted += len(found)
        wanted += len(named)
    return 2 * hit / max(1, predicted + wanted)


def best_threshold(scored: list[tuple[set[Entity], Candidates]]) -> tuple[float, float]:
    """Return the threshold with the best micro-F1 and that F1."""
    f1, threshold = max((micro_f1(scored, t), -t) for t in THRESHOLDS)
    return -threshold, f1
