"""Leaves of contextual precision: bits follow from verdicts, calibration from scores and similarities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.request import Request
from glassbox.judges.calibration import calibrated_similarity, distribution_agreement, rank_agreement
from glassbox.judges.duplicates import first_of_each, untagged
from glassbox.judges.retrieval_calibration import entity_hit_rate
from glassbox.verification.jury_leaves import check_votes
from glassbox_contract.arithmetic import average_precision, float_leaf, ratio

if TYPE_CHECKING:
    from glassbox.verification.leaves import Notes


def check_precision(request: Request, result: JudgeResult, notes: Notes) -> None:
    """Note every leaf of contextual precision that its evidence and the request don't give."""
    precision = result.measurement("contextual_precision")
    if precision is not None and precision.bits is not None:
        _check_bits(request, precision, notes)
        _check_reported(result, precision.bits, notes)
    _check_agreement(request, result.measurement("rank_agreement"), rank_agreement, notes)
    _check_agreement(request, result.measurement("distribution_agreement"), distribution_agreement, notes)
    _check_hits(request, result.measurement("entity_hit_rate"), notes)
    _check_similarity(result.measurement("mean_similarity"), notes)


def _check_bits(request: Request, precision: Measurement, notes: Notes) -> None:
    name, bits = precision.name, str(precision.bits)
    if len(bits) != len(request.retrieved_passages):
        notes.add(name, "not one relevance bit for each passage", len(request.retrieved_passages), len(bits), "/bits")
    if [item["passage"] for item in precision.evidence] != list(range(len(request.retrieved_passages))):
        notes.add(name, "not one verdict for each passage, in rank order", within="/evidence")
        return
    told = "".join("1" if item["relevant"] else "0" for item in precision.evidence)
    if told != bits:
        notes.add(name, "the bits are not those of the verdicts", told, bits, "/bits")
    firsts = first_of_each([untagged(p.text) for p in request.retrieved_passages])
    for index, (bit, first) in enumerate(zip(told, firsts, strict=True)):
        if bit != ("0" if first is None else told[first]):
            notes.add(name, "another verdict than on the equal passage before it", within=f"/evidence/{index}")
    check_votes(precision, notes)
    notes.value(precision, average_precision(bits)[0])


def _check_reported(result: JudgeResult, bits: str, notes: Notes) -> None:
    first, cut = bits.find("1") + 1, min(5, len(bits))
    expected = {
        "precision_at_k": ratio(bits[:cut].count("1"), cut),
        "share_relevant": ratio(bits.count("1"), len(bits)),
        "reciprocal_rank": ratio(1, first) if first else 0,
    }
    for name, micros in expected.items():
        measurement = result.measurement(name)
        if measurement is not None and measurement.micros is not None:
            notes.value(measurement, micros)


def _check_agreement(
    request: Request,
    measurement: Measurement | None,
    compute: Callable[[Sequence[float], Sequence[float]], float | None],
    notes: Notes,
) -> None:
    if measurement is None or measurement.micros is None:
        return
    for number, item in enumerate(measurement.evidence):
        if request.retrieved_passages[item["passage"]].score != item["score"]:
            notes.add(measurement.name, "not the score that the retriever reported", within=f"/evidence/{number}")
    value = compute(
        [item["score"] for item in measurement.evidence], [item["similarity"] for item in measurement.evidence]
    )
    if value is None:
        notes.add(measurement.name, "no agreement follows from this evidence", within="/evidence")
    else:
        notes.value(measurement, float_leaf(value))


def _check_hits(request: Request, measurement: Measurement | None, notes: Notes) -> None:
    if measurement is None or measurement.micros is None:
        return
    again = entity_hit_rate(request)
    if again.micros is None or again.evidence != measurement.evidence:
        notes.add(measurement.name, "the passages hold other entities than the evidence says", within="/evidence")
    if again.micros is not None:
        notes.value(measurement, again.micros)


def _check_similarity(measurement: Measurement | None, notes: Notes) -> None:
    if measurement is None or measurement.micros is None:
        return
    calibrated = [calibrated_similarity(item["similarity"]) for item in measurement.evidence]
    notes.value(measurement, float_leaf(sum(calibrated) / len(calibrated)))
