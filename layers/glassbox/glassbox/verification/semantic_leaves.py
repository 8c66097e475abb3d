"""Leaves of semantic faithfulness: claims are the answer's, quotes stand in their passages, numbers meet."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.request import Request
from glassbox.judges.exact_evidence import number_faults
from glassbox.judges.faithfulness import split_answer
from glassbox.judges.llm.claims import foreign, left_out
from glassbox.judges.relevancy import calibrated_relevancy
from glassbox.verification.jury_leaves import check_votes, raw_relevancy
from glassbox_contract.arithmetic import float_leaf, ratio

if TYPE_CHECKING:
    from glassbox.verification.leaves import Notes

VERDICTS = ("supported", "contradicted", "unsupported", "inconclusive")


def check_semantic(request: Request, result: JudgeResult, notes: Notes) -> None:
    """Note every leaf of semantic faithfulness that its evidence and the texts don't give."""
    faithfulness = result.measurement("faithfulness")
    if faithfulness is not None and faithfulness.counts is not None:
        if result.engine == "local":
            _check_claims(request, faithfulness, notes)
        else:
            _check_statements(request, faithfulness, notes)
            check_votes(faithfulness, notes)
        for number, item in enumerate(faithfulness.evidence):
            _check_quote(request, faithfulness.name, number, item, notes)
        _check_counts(faithfulness, notes)
    _check_relevancy(result.measurement("answer_relevancy"), result, notes)


def _check_claims(request: Request, measurement: Measurement, notes: Notes) -> None:
    expected = [(claim.text, claim.start, claim.end) for claim, _ in split_answer(request.answer)[0]]
    found = [(item["claim"], item["start"], item["end"]) for item in measurement.evidence]
    for number in range(max(len(expected), len(found))):
        if expected[number : number + 1] != found[number : number + 1]:
            notes.add(measurement.name, "not the claim that the answer makes here", within=f"/evidence/{number}")


def _check_statements(request: Request, measurement: Measurement, notes: Notes) -> None:
    """Check that the judge model's statements are the answer's, and that none of its sentences is left out."""
    name, told = measurement.name, [str(item["claim"]) for item in measurement.evidence]
    for number, (item, other) in enumerate(
        zip(measurement.evidence, foreign(request.query, request.answer, told), strict=True)
    ):
        within = f"/evidence/{number}"
        if not 0 <= item["start"] < item["end"] <= len(request.answer):
            notes.add(name, "a claim from no place of the answer", within=within)
        if other and item["verdict"] != "inconclusive":
            notes.add(name, "a verdict on a statement that the answer doesn't make", within=within)
    for claim, _ in left_out(request.query, request.answer, told):
        notes.add(name, f"the sentence at {claim.start} of the answer is left out", within="/evidence")


def _check_quote(request: Request, name: str, number: int, item: dict[str, Any], notes: Notes) -> None:
    verdict, passage, quote = item["verdict"], item["passage"], item["quote"]
    within = f"/evidence/{number}"
    if verdict not in VERDICTS:
        notes.add(name, "no verdict", ", ".join(VERDICTS), verdict, within)
    if quote is None:
        if verdict in ("supported", "contradicted"):
            notes.add(name, f"{verdict} without a quote", within=within)
        return
    if passage is None or not 0 <= passage < len(request.retrieved_passages):
        notes.add(name, "a quote from no passage", within=within)
        return
    text = request.retrieved_passages[passage].text
    if not quote.strip() or quote not in text:
        notes.add(name, "the quote does not stand in its passage", within=within)
    if verdict == "supported" and number_faults(item["claim"], text):
        notes.add(name, "supported, though a number of the claim is not in the passage", within=within)


def _check_counts(measurement: Measurement, notes: Notes) -> None:
    told = Counter(str(item["verdict"]) for item in measurement.evidence)
    counts = measurement.counts
    if counts is None:
        return
    for verdict in VERDICTS:
        if told[verdict] != getattr(counts, verdict):
            notes.add(
                measurement.name,
                f"not the number of claims that are {verdict}",
                told[verdict],
                getattr(counts, verdict),
                f"/counts/{verdict}",
            )
    decided = counts.supported + counts.contradicted + counts.unsupported
    if measurement.micros is not None and decided:
        notes.value(measurement, ratio(counts.supported, decided))


def _check_relevancy(measurement: Measurement | None, result: JudgeResult, notes: Notes) -> None:
    if measurement is None or measurement.micros is None:
        return
    cosine = float(measurement.detail["cosine"])
    if result.engine == "local":
        if measurement.detail.get("rule") != "polar":
            notes.value(measurement, float_leaf(calibrated_relevancy(cosine)))
        return
    mean = raw_relevancy(measurement)
    if mean != cosine:
        notes.add(measurement.name, "not the mean of the questions' cosines", mean, cosine, "/detail/cosine")
    notes.value(measurement, float_leaf(min(max(cosine, 0.0), 1.0)))
