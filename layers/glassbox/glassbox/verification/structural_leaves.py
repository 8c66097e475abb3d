"""Leaves of structural fidelity: BLEU and ROUGE are computed again, entities looked up again, pairs counted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.request import Request
from glassbox.judges.entities import source_haystack
from glassbox.metrics.alignment import align, document_scores, rouge_1_precision_baseline
from glassbox_contract.arithmetic import float_leaf, ratio

if TYPE_CHECKING:
    from glassbox.verification.leaves import Notes


def check_structural(request: Request, result: JudgeResult, notes: Notes) -> None:
    """Note every leaf of structural fidelity that the texts don't give."""
    scored = {m.name: m for m in result.measurements if m.micros is not None}
    if scored.keys() & {"aligned_bleu_4", "aligned_rouge_l"}:
        _check_aligned(request, scored, notes)
    if scored.keys() & {"bleu_4", "rouge_l", "rouge_1_precision_baseline"}:
        _check_documents(request, scored, notes)
    entities = result.measurement("entity_precision")
    if entities is not None and entities.evidence:
        _check_entities(request, entities, notes)
    relations = result.measurement("relation_faithfulness")
    if relations is not None and relations.evidence:
        _check_counted(relations, notes)


def _check_aligned(request: Request, scored: dict[str, Measurement], notes: Notes) -> None:
    alignment = align(request.answer, request.sources)
    for name, value in (
        ("aligned_bleu_4", alignment.aligned_bleu_4),
        ("aligned_rouge_l", alignment.aligned_rouge_l),
    ):
        if name in scored and value is not None:
            notes.value(scored[name], float_leaf(value))
        elif name in scored:
            notes.add(name, "scored, though the answer has no token")


def _check_documents(request: Request, scored: dict[str, Measurement], notes: Notes) -> None:
    scores = document_scores(request.answer, request.sources)
    expected = {f"bleu_{n}": getattr(scores.bleu, f"bleu_{n}") for n in (1, 2, 3, 4)}
    expected |= {name: getattr(scores.rouge, name).f1 for name in ("rouge_1", "rouge_2", "rouge_l")}
    expected["rouge_1_precision_baseline"] = rouge_1_precision_baseline(request.answer, request.sources)
    for name, value in expected.items():
        if name in scored:
            notes.value(scored[name], float_leaf(value))


def _check_entities(request: Request, measurement: Measurement, notes: Notes) -> None:
    haystack = source_haystack(request.answer, request.sources)
    for number, item in enumerate(measurement.evidence):
        within = f"/evidence/{number}"
        if request.answer[item["start"] : item["end"]] != item["entity"]:
            notes.add(measurement.name, "the answer names something else here", within=within)
        found = haystack.find(item["entity"])
        if (found is not None) != item["found"]:
            told = "found in the sources" if item["found"] else "novel"
            notes.add(measurement.name, f"called {told}, which the sources don't bear out", within=within)
    _check_counted(measurement, notes)


def _check_counted(measurement: Measurement, notes: Notes) -> None:
    """Compare a ratio with the items of its evidence that were found."""
    if measurement.micros is None:
        return
    hits, size = sum(bool(item["found"]) for item in measurement.evidence), len(measurement.evidence)
    if (measurement.num, measurement.den) != (hits, size):
        notes.add(
            measurement.name, "not the count of its evidence", f"{hits}/{size}", f"{measurement.num}/{measurement.den}"
        )
    notes.value(measurement, ratio(hits, size))
