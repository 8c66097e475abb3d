"""Terminology (3a): BLEU and ROUGE, aligned sentence by sentence, and against the whole documents beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from glassbox.contract.measurement import Flag, Measurement, Status
from glassbox.judges.signature import signature
from glassbox.metrics.alignment import (
    Alignment,
    align,
    document_scores,
    is_selective_copying,
    rouge_1_precision_baseline,
)
from glassbox.metrics.rouge import PRF, RougeScores

ALIGNED: Final = ("aligned_bleu_4", "aligned_rouge_l")
BLEU: Final = ("bleu_1", "bleu_2", "bleu_3", "bleu_4")
ROUGE: Final = ("rouge_1", "rouge_2", "rouge_l")
BASELINE: Final = "rouge_1_precision_baseline"
NAMES: Final = (*ALIGNED, *BLEU, *ROUGE, BASELINE)
"""All measurements of 3a, in the order in which they are handed over."""


def measure_terminology(
    answer: str, sources: Sequence[str], mode: str
) -> tuple[tuple[Measurement, ...], tuple[Flag, ...]]:
    """Return the measurements of `NAMES` and a `selective_copying` flag where the cut values are met.

    All are `not_applicable` (`no_words`) for an answer without a token.
    """
    aligned = align(answer, sources)
    if aligned.aligned_bleu_4 is None or aligned.aligned_rouge_l is None:
        return absent_terminology(Status.NOT_APPLICABLE, "no_words"), ()
    whole = document_scores(answer, sources)
    evidence = _evidence(aligned)
    measurements = [
        Measurement.scored(
            "aligned_bleu_4",
            aligned.aligned_bleu_4,
            _signed("aligned_bleu_4", aligned.bleu_signature, mode),
            evidence=evidence,
        ),
        Measurement.scored(
            "aligned_rouge_l", aligned.aligned_rouge_l, _signed("aligned_rouge_l", aligned.rouge_signature, mode)
        ),
    ]
    measurements += [
        Measurement.scored(name, getattr(whole.bleu, name), _signed(name, whole.bleu.signature, mode)) for name in BLEU
    ]
    measurements += [_rouge(name, whole.rouge, mode) for name in ROUGE]
    measurements.append(
        Measurement.scored(
            BASELINE, rouge_1_precision_baseline(answer, sources), _signed(BASELINE, whole.rouge.signature, mode)
        )
    )
    return tuple(measurements), _selective(whole.rouge.rouge_1)


def absent_terminology(status: Status, reason: str) -> tuple[Measurement, ...]:
    """Return every measurement of 3a as the same typed absence."""
    return tuple(Measurement.absent(name, status, reason, signature(name, engine=None)) for name in NAMES)


def _signed(name: str, of_metric: str, mode: str) -> str:
    return f"{signature(name, sources=mode)}|{of_metric}"


def _rouge(name: str, scores: RougeScores, mode: str) -> Measurement:
    prf: PRF = getattr(scores, name)
    return Measurement.scored(
        name,
        prf.f1,
        _signed(name, scores.signature, mode),
        detail={"precision": round(prf.precision, 9), "recall": round(prf.recall, 9), "f1": round(prf.f1, 9)},
    )


def _evidence(aligned: Alignment) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "start": sentence.start,
            "end": sentence.end,
            "tokens": sentence.tokens,
            "bleu_4": round(sentence.bleu_4, 9),
            "rouge_l": round(sentence.rouge_l, 9),
            "windows": [{"source": w.source, "start": w.start, "end": w.end} for w in sentence.windows],
        }
        for sentence in aligned.sentences
    )


def _selective(rouge_1: PRF) -> tuple[Flag, ...]:
    if not is_selective_copying(rouge_1):
        return ()
    detail = {"precision": round(rouge_1.precision, 6), "recall": round(rouge_1.recall, 6)}
    return (Flag(code="selective_copying", detail=detail),)
