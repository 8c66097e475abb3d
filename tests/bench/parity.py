"""The metrics beside their reference libraries, on the texts of the sets and on ROUGE-1.5.5's own numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import sets
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

from glassbox.metrics.bleu import bleu
from glassbox.metrics.rouge import PRF, rouge
from glassbox.metrics.rouge_summary import rouge_l_summary
from glassbox.metrics.tokens import UnicodeTokenizer

PAIRS = 150
ORIGINAL = (("ROUGE-1", "rouge_1"), ("ROUGE-2", "rouge_2"), ("ROUGE-L", "rouge_l"))
KINDS = (("rouge1", "rouge_1"), ("rouge2", "rouge_2"), ("rougeL", "rouge_l"))


def parity(path: Path) -> dict[str, Any]:
    """Return the largest difference to sacrebleu, rouge-score and ROUGE-1.5.5, with how many texts were compared."""
    texts = list(islice(_pairs(path), PAIRS))
    return {
        "sacrebleu": {"pairs": len(texts), "largest_difference": _bleu(texts)},
        "rouge-score": {"pairs": len(texts), "largest_difference": _rouge(texts)},
        "ROUGE-1.5.5": _original(path),
    }


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    for load in (sets.attribution, sets.clapnq, sets.mtrag):
        for row in load(path)[: PAIRS // 3]:
            if row.answer.strip():
                yield row.answer, "\n".join(row.passages)


def _bleu(texts: list[tuple[str, str]]) -> float:
    worst = 0.0
    for order in (1, 2, 3, 4):
        theirs = BLEU(max_ngram_order=order, effective_order=True, tokenize="13a")
        for answer, source in texts:
            ours = getattr(bleu(answer, [source], "13a"), f"bleu_{order}")
            worst = max(worst, abs(ours - theirs.sentence_score(answer, [source]).score / 100))
    return float(f"{worst:.3g}")


def _rouge(texts: list[tuple[str, str]]) -> float:
    theirs = rouge_scorer.RougeScorer([kind for kind, _ in KINDS], tokenizer=UnicodeTokenizer())
    worst = 0.0
    for answer, source in texts:
        expected, found = theirs.score(source, answer), rouge(answer, source)
        for kind, name in KINDS:
            score: PRF = getattr(found, name)
            other = expected[kind]
            gaps = (score.precision - other.precision, score.recall - other.recall, score.f1 - other.fmeasure)
            worst = max(worst, *(abs(gap) for gap in gaps))
    return float(f"{worst:.3g}")


def _original(path: Path) -> dict[str, Any]:
    """Compare with the Perl tool's own numbers; it rounds to five decimals and takes other signs for word breaks."""
    gaps: list[float] = []
    for line in (path / "rouge155_parity.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        found = rouge(row["hypothesis"], row["reference"])
        # The Perl tool reads each line as a sentence: its ROUGE-L is the summary-level one.
        found = replace(found, rouge_l=rouge_l_summary(row["hypothesis"], row["reference"]))
        for kind, name in ORIGINAL:
            score, theirs = getattr(found, name), row["rouge155"][kind]
            gaps += [abs(score.recall - theirs["r"]), abs(score.precision - theirs["p"]), abs(score.f1 - theirs["f"])]
    if not gaps:
        return {"values": 0}
    return {
        "values": len(gaps),
        "within_1e-5": round(sum(gap <= 1.1e-5 for gap in gaps) / len(gaps), 4),
        "largest_difference": float(f"{max(gaps):.3g}"),
    }
