"""How the product reads an answer with the claim checker, without torch: windows, lexical evidence, combination.

An answer is split into claim sentences. Each claim meets windows of consecutive passage sentences; the best window's
supported-probability counts. Lexical evidence is the share of the claim's word pieces, weighted by rarity, that the
passages hold. Rarity needs no table: the vocabulary of the tokenizer is sorted by frequency, so that by Zipf's law the
information of a piece is about the logarithm of its rank.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from claim_text import split_sentences
from tokenizers import Tokenizer

MAX_TOKENS = 256
WINDOW_SENTENCES = 4
WINDOW_STRIDE = 2
WINDOW_WORDS = 150
SHORT_PASSAGE_WORDS = 40
MAX_WINDOWS = 5
FIRST_RANKED_ID = 1996
SINGLE_CHARACTER_RANK = 50

Floats = npt.NDArray[np.float64]


def rouge1_precision(claim: str, passages: Sequence[str]) -> float:
    """Return the share of the claim's words that the passages hold, in [0,1]; clipped counts, no stemming."""
    words = re.findall(r"[a-z0-9]+", claim.lower())
    held = Counter(word for text in passages for word in re.findall(r"[a-z0-9]+", text.lower()))
    hits = sum(min(count, held[word]) for word, count in Counter(words).items())
    return hits / len(words) if words else 0.0


def join_short(passages: Sequence[str]) -> list[str]:
    """Return the passages with runs of short neighbours (lines of one page) joined to one text."""
    texts: list[list[str]] = []
    previous_short = False
    for passage in passages:
        short = len(passage.split()) < SHORT_PASSAGE_WORDS
        if texts and short and previous_short:
            texts[-1].append(passage)
        else:
            texts.append([passage])
        previous_short = short
    return ["\n".join(parts) for parts in texts]


def evidence_windows(passages: Sequence[str]) -> list[str]:
    """Return windows of up to 4 consecutive sentences and about 150 words, every 2 sentences, of every passage."""
    result: list[str] = []
    for text in join_short(passages):
        pieces = [piece for sentence in split_sentences(text) for piece in _cut(sentence)]
        start = 0
        while start < len(pieces):
            end, count = start, 0
            while end < len(pieces) and end - start < WINDOW_SENTENCES:
                count += len(pieces[end].split())
                if count > WINDOW_WORDS and end > start:
                    break
                end += 1
            result.append(" ".join(pieces[start:end]))
            if end == len(pieces):
                break
            start += min(WINDOW_STRIDE, end - start)
    return result


def _cut(sentence: str) -> list[str]:
    words = sentence.split()
    return [" ".join(words[i : i + WINDOW_WORDS]) for i in range(0, len(words), WINDOW_WORDS)]


def claims_of(answer: str) -> list[str]:
    """Return the sentences of an answer that have at least three words, without citation marks and list marks."""
    found = [re.sub(r"\s*\[\d+\]|^\s*(?:[-*•]|\d+[.)])\s+", "", s) for s in split_sentences(answer)]
    return [s for s in found if len(re.findall(r"\w+", s)) >= 3] or [answer]


class Checker:
    """The exported model on one CPU thread; every pair is run by itself, so a score does not depend on its batch."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
        self._plain = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def logits(self, passage: str, claim: str) -> Floats:
        """Return the three class logits of one pair."""
        encoding = self.tokenizer.encode(passage, " ".join(claim.split()[:120]))
        feed = {
            "input_ids": np.array([encoding.ids], dtype=np.int64),
            "attention_mask": np.array([encoding.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        output: Floats = self._session.run(["logits"], feed)[0][0].astype(np.float64)
        return output

    def weights(self, text: str) -> Counter[int]:
        """Return the word pieces of `text` with their counts."""
        return Counter(self._plain.encode(text, add_special_tokens=False).ids)

    def rare_precision(self, claim: Counter[int], held: Counter[int]) -> float:
        """Return the rarity-weighted share of the claim's pieces that are held (clipped counts), in [0,1]."""
        total = sum(count * rarity(piece) for piece, count in claim.items())
        hits = sum(min(count, held[piece]) * rarity(piece) for piece, count in claim.items())
        return hits / total if total else 0.0

    def evidence(self, claim: str, windows: Sequence[str], held: Counter[int]) -> Floats:
        """Return (margin, precision) of a claim: the largest log-odds of "supported" over the windows, and the share.

        Only the `MAX_WINDOWS` windows with the largest rarity-weighted share of the claim are read.
        """
        pieces = self.weights(claim)
        shares = [self.rare_precision(pieces, self.weights(window)) for window in windows]
        order = sorted(range(len(windows)), key=lambda i: (-shares[i], i))[:MAX_WINDOWS]
        margins = [log_odds(self.logits(windows[i], claim)) for i in order]
        return np.array([max(margins, default=-10.0), self.rare_precision(pieces, held)])

    def answer_evidence(self, answer: str, passages: Sequence[str]) -> Floats:
        """Return one row (margin, precision) for each claim of the answer."""
        windows = evidence_windows(passages)
        held: Counter[int] = Counter()
        for passage in passages:
            held.update(self.weights(passage))
        return np.array([self.evidence(claim, windows, held) for claim in claims_of(answer)])


def rarity(piece: int) -> float:
    """Return the information of a vocabulary entry in nats: log(1 + rank); signs and lone characters count little."""
    return math.log1p(piece - FIRST_RANKED_ID + 1) if piece >= FIRST_RANKED_ID else math.log(SINGLE_CHARACTER_RANK)


def log_odds(logits: Floats) -> float:
    """Return log(p / (1 - p)) of the first class under softmax."""
    return float(logits[0] - np.logaddexp(logits[1], logits[2]))


def probability(rows: Floats, constants: Sequence[float]) -> Floats:
    """Return 1 / (1 + exp(-(a margin + b precision + c))) for each row; constants are (a, b, c)."""
    result: Floats = 1.0 / (1.0 + np.exp(-(constants[0] * rows[:, 0] + constants[1] * rows[:, 1] + constants[2])))
    return result


def fit(rows: Floats, truths: Floats, penalty: float = 1.0, steps: int = 50) -> tuple[float, ...]:
    """Return the slopes and the offset of the logistic regression of `truths` on the columns of `rows`.

    Newton's method with a ridge `penalty` on the slopes of the standardised columns.
    """
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    design = np.column_stack(((rows - mean) / spread, np.ones(len(rows))))
    ridge = np.diag([penalty] * rows.shape[1] + [0.0])
    weights = np.zeros(rows.shape[1] + 1)
    for _ in range(steps):
        guess = 1.0 / (1.0 + np.exp(-design @ weights))
        slope = design.T @ (guess - truths) + ridge @ weights
        bend = (design * (guess * (1 - guess))[:, None]).T @ design + ridge
        weights -= np.linalg.solve(bend, slope)
    slopes = weights[:-1] / spread
    return (*(float(value) for value in slopes), float(weights[-1] - (slopes * mean).sum()))
