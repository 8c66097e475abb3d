"""The measurements of 1b: rank and distribution agreement, entity hit rate, and mean similarity as the fallback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from glassbox.contract.measurement import Measurement, Status
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.judges.calibration import calibrated_similarity, distribution_agreement, rank_agreement
from glassbox.judges.entity_match import Haystack, short_forms
from glassbox.judges.relevance import PassageVerdict
from glassbox.judges.signature import signature
from glassbox.text.normalise import entity_key, normalise

PARTS: Final = ("rank_agreement", "distribution_agreement", "entity_hit_rate", "mean_similarity")
_ROOT: Final = "contextual_precision/retrieval_calibration"
_RANK_LEAST: Final = 3
# Two scores scaled to [0, 1] are always 0 and 1: their agreement would say no more than their order.
_DISTRIBUTION_LEAST: Final = 3


def calibration_measurements(
    request: Request, policy: Policy, verdicts: Sequence[PassageVerdict], model: str
) -> tuple[Measurement, ...]:
    """Return the four parts of 1b in the order of `PARTS`, each a value or a typed absence."""
    makers: tuple[Callable[[], Measurement], ...] = (
        lambda: _agreement("rank_agreement", rank_agreement, _RANK_LEAST, request, verdicts, model),
        lambda: _agreement(
            "distribution_agreement", distribution_agreement, _DISTRIBUTION_LEAST, request, verdicts, model
        ),
        lambda: entity_hit_rate(request),
        lambda: _mean_similarity(request, verdicts, model),
    )
    return tuple(
        make()
        if policy.enabled(f"{_ROOT}/{name}")
        else Measurement.absent(name, Status.SKIPPED, "disabled", signature(name))
        for name, make in zip(PARTS, makers, strict=True)
    )


def _agreement(
    name: str,
    compute: Callable[[Sequence[float], Sequence[float]], float | None],
    least: int,
    request: Request,
    verdicts: Sequence[PassageVerdict],
    model: str,
) -> Measurement:
    scored = [
        (float(p.score), v)
        for p, v in zip(request.retrieved_passages, verdicts, strict=True)
        if p.score is not None and v.first is not None
    ]
    sign = signature(name, scored=f"{len(scored)}/{len(verdicts)}", model=model)
    detail: dict[str, Any] = {"scored": len(scored), "passages": len(verdicts)}

    def absent(reason: str, status: Status = Status.NOT_APPLICABLE) -> Measurement:
        return Measurement.absent(name, status, reason, sign, detail=detail)

    if not request.query.strip():
        return absent("no_query")
    if not scored:
        return absent("no_scores")
    if len(scored) < least:
        return absent("too_few_scores")
    reported = [score for score, _ in scored]
    if len(set(reported)) == 1:
        return absent("equal_scores")
    similarity = [v.similarity for _, v in scored if v.similarity is not None]
    if len(similarity) < len(scored):
        return absent("language", Status.INCONCLUSIVE)
    # Rounded, so that a difference in the last bits is a tie and not a rank.
    value = compute(reported, [round(s, 6) for s in similarity])
    if value is None:
        return absent("equal_similarities")
    evidence = tuple(
        {"passage": v.index, "score": score, "similarity": round(s, 6)}
        for (score, v), s in zip(scored, similarity, strict=True)
    )
    return Measurement.scored(name, value, sign, evidence=evidence, detail=detail)


def entity_hit_rate(request: Request) -> Measurement:
    """Return the share of the reported entities that the passages hold, each looked up by `Haystack.find`; no model."""
    name = "entity_hit_rate"
    wanted: dict[str, str] = {}
    for entity in request.retrieved_entities or ():
        if entity.strip():
            wanted.setdefault(entity_key(entity) or normalise(entity), entity)
    sign = signature(name, entities=len(wanted))
    if not wanted:
        return Measurement.absent(name, Status.NOT_APPLICABLE, "no_retrieved_entities", sign)
    texts = [p.text for p in request.retrieved_passages]
    haystack = Haystack(texts, short_forms([*texts, *wanted.values()]))
    evidence: list[dict[str, Any]] = []
    for entity in wanted.values():
        found = haystack.find(entity)
        evidence.append(
            {
                "entity": entity,
                "found": found is not None,
                "passage": found.source if found else None,
                "match": found.match if found else None,
            }
        )
    hits = sum(item["found"] for item in evidence)
    return Measurement.of_ratio(name, hits, len(evidence), sign, evidence=tuple(evidence))


def _mean_similarity(request: Request, verdicts: Sequence[PassageVerdict], model: str) -> Measurement:
    name = "mean_similarity"
    sign = signature(name, basis="similarity-only", model=model)
    if any(p.score is not None for p in request.retrieved_passages):
        return Measurement.absent(name, Status.NOT_APPLICABLE, "scores_reported", sign)
    if not request.query.strip():
        return Measurement.absent(name, Status.NOT_APPLICABLE, "no_query", sign)
    looked = [v for v in verdicts if v.first is not None]
    similarity = [v.similarity for v in looked if v.similarity is not None]
    if len(similarity) < len(looked):
        return Measurement.absent(name, Status.INCONCLUSIVE, "language", sign)
    # Rounded first, so that the value follows from the evidence.
    rounded = [round(s, 6) for s in similarity]
    value = sum(calibrated_similarity(s) for s in rounded) / len(rounded)
    evidence = tuple(
        {"passage": v.index, "similarity": s, "calibrated": round(calibrated_similarity(s), 6)}
        for v, s in zip(looked, rounded, strict=True)
    )
    detail = {"basis": "similarity-only", "mean_cosine": round(sum(rounded) / len(rounded), 6)}
    return Measurement.scored(name, value, sign, evidence=evidence, detail=detail)
