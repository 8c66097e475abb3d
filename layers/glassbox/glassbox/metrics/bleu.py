"""BLEU-1 to BLEU-4 of one text (Papineni et al. 2002) with sacrebleu's tokenizers, smoothing and effective order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from sacrebleu import __version__ as _sacrebleu_version
from sacrebleu.metrics.bleu import BLEU

from glassbox.text.scripts import BleuTokenizer, bleu_tokenizer

MAX_ORDER: Final = 4
Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BleuScores:
    """BLEU of orders 1 to 4, each in [0, 1], with sacrebleu's signature."""

    bleu_1: float
    bleu_2: float
    bleu_3: float
    bleu_4: float
    signature: str


class Statistics(NamedTuple):
    """Sufficient statistics of BLEU: clipped matches and n-grams of the answer by order, and the two lengths."""

    correct: tuple[int, ...]
    total: tuple[int, ...]
    answer_length: int
    reference_length: int


def bleu(answer: str, references: Sequence[str], tokenizer: BleuTokenizer | None = None) -> BleuScores:
    """Return BLEU-1..4 of the answer against one or more references.

    Equal to `BLEU(max_ngram_order=n, effective_order=True, tokenize=tokenizer).sentence_score(...) / 100`, clamped at 1
    and exactly 1.0 where every n-gram matches without a brevity penalty. Without a tokenizer the script of the answer
    decides (`text.scripts.bleu_tokenizer`). 0.0 when the answer has no tokens, or no reference has any.
    """
    chosen = tokenizer or bleu_tokenizer(answer)
    ours = tokens(answer, chosen)
    scores = scores_of(statistics(ours, [tokens(reference, chosen) for reference in references]))
    return BleuScores(*scores, signature=signature(chosen, len(references)))


def signature(tokenizer: BleuTokenizer, references: int | str) -> str:
    """Return the signature in sacrebleu's form, led by the name of the metric."""
    return f"BLEU|nrefs:{references}|case:mixed|eff:yes|tok:{tokenizer}|smooth:exp|version:{_sacrebleu_version}"


def tokens(text: str, tokenizer: BleuTokenizer) -> list[str]:
    """Return sacrebleu's tokens of the text."""
    return _tokenizer(tokenizer)(text.rstrip()).split()


def grams(text_tokens: Sequence[str]) -> tuple[Counter[Gram], ...]:
    """Return the n-gram counts of the tokens for orders 1 to 4."""
    return tuple(Counter(_grams(text_tokens, order)) for order in range(1, MAX_ORDER + 1))


def statistics(answer: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
    """Return the statistics of the answer's tokens against those of the references (closest length, clipped counts)."""
    return statistics_of(grams(answer), len(answer), references)


def statistics_of(ours: tuple[Counter[Gram], ...], length: int, references: Sequence[Sequence[str]]) -> Statistics:
    """Return the statistics for n-gram counts that were made before.

    A reference is counted only at the answer's own n-grams, which keeps a long source cheap.
    """
    correct = []
    for order, counts in enumerate(ours, start=1):
        best: dict[Gram, int] = {}
        for reference in references:
            _raise_to(best, Counter(filter(counts.__contains__, _grams(reference, order))))
        correct.append(sum(min(count, best[gram]) for gram, count in counts.items() if gram in best))
    total = tuple(max(0, length - order + 1) for order in range(1, MAX_ORDER + 1))
    return Statistics(tuple(correct), total, length, _closest(length, [len(reference) for reference in references]))


def scores_of(stats: Statistics) -> tuple[float, float, float, float]:
    """Return BLEU-1..4 in [0, 1] from the statistics, by sacrebleu's own formula."""
    one, two, three, four = (_score(stats, order) for order in range(1, MAX_ORDER + 1))
    return one, two, three, four


def bleu_4(stats: Statistics) -> float:
    """Return BLEU-4 in [0, 1] from the statistics."""
    return _score(stats, MAX_ORDER)


def _score(stats: Statistics, order: int) -> float:
    correct, total = list(stats.correct[:order]), list(stats.total[:order])
    if not any(correct):
        return 0.0
    if correct == total and stats.answer_length >= stats.reference_length:
        return 1.0  # the exponential of a mean of logarithms misses 1 by an ulp or two
    result = BLEU.compute_bleu(
        correct,
        total,
        stats.answer_length,
        stats.reference_length,
        smooth_method="exp",
        effective_order=True,
        max_ngram_order=order,
    )
    return float(min(1.0, max(0.0, result.score / 100.0)))


def _grams(text_tokens: Sequence[str], order: int) -> zip[Gram]:
    return zip(*(text_tokens[i:] for i in range(order)), strict=False)


def _raise_to(best: dict[Gram, int], counts: Mapping[Gram, int]) -> None:
    for gram, count in counts.items():
        if count > best.get(gram, 0):
            best[gram] = count


def _closest(length: int, lengths: Sequence[int]) -> int:
    """Return the reference length closest to the answer's; the shorter one of two that are equally close."""
    return min(lengths, key=lambda other: (abs(other - length), other), default=0)


@cache
def _tokenizer(name: BleuTokenizer) -> Callable[[str], str]:
    tokenizer = BLEU(tokenize=name, effective_order=True).tokenizer
    uncached = getattr(type(tokenizer).__call__, "__wrapped__", None)
    inner = getattr(tokenizer, "_post_tokenizer", None)
    if inner is not None and (plain := getattr(type(inner).__call__, "__wrapped__", None)) is not None:
        tokenizer._post_tokenizer = lambda line: plain(inner, line)
    # sacrebleu keeps the last 65,536 texts of a process in memory; evaluated text isn't kept.
    return (lambda line: str(uncached(tokenizer, line))) if uncached is not None else tokenizer
