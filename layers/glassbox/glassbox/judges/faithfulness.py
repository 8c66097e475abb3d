"""Faithfulness: every claim of an answer with its verdict, quote and reason, and their count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import regex

from glassbox.contract.measurement import ClaimCounts, Flag, Measurement, Status
from glassbox.errors import JudgeError
from glassbox.judges.claim_verdicts import ClaimJudge
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.languages import Languages
from glassbox.judges.signature import signature
from glassbox.judges.verdict import ClaimVerdict
from glassbox.text.claims import CHECKED_KINDS, Claim, extract_claims
from glassbox.text.normalise import normalise
from glassbox_contract.arithmetic import ratio

NAME: Final = "faithfulness"
WORTH: Final = {"supported": 1.0, "inconclusive": 0.5, "contradicted": 0.0, "unsupported": 0.0}
BY_WORDS: Final = ("exact", "number", "negation")
"""Rules by which words and numbers decide, whatever a model says."""
_MARKER_RE: Final = regex.compile(r"\s+(\d{1,2})[.)]$")


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim that was judged, and how often the answer makes it."""

    claim: Claim
    verdict: ClaimVerdict
    times: int


def split_answer(answer: str) -> tuple[list[tuple[Claim, int]], dict[str, int]]:
    """Return the different claims of an answer with how often each is made, and how many parts claim nothing, by kind.

    A claim that is repeated counts once: saying a supported sentence twice makes no answer more faithful.
    """
    claims: dict[str, tuple[Claim, int]] = {}
    others: Counter[str] = Counter()
    for part in _without_markers(extract_claims(answer)):
        if part.kind not in CHECKED_KINDS:
            others[part.kind] += 1
            continue
        key = normalise(f"{part.context} {part.text}")
        first, times = claims.get(key, (part, 0))
        claims[key] = (first, times + 1)
    return list(claims.values()), dict(sorted(others.items()))


def _without_markers(parts: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the parts without the marker of the next list item at their end ("Rust 2." before "Dust 3.")."""
    ends = [_marker(part) for part in parts]
    for index, part in enumerate(parts):
        mine = ends[index]
        near = [*ends[max(index - 1, 0) : index], *ends[index + 1 : index + 2]]
        if mine is not None and any(other is not None and abs(other - mine) == 1 for other in near):
            yield replace(part, text=_MARKER_RE.sub("", part.text))
        else:
            yield part


def _marker(part: Claim) -> int | None:
    found = _MARKER_RE.search(part.text)
    return int(found.group(1)) if found else None


def judge_claims(
    claims: Sequence[tuple[Claim, int]],
    judge: ClaimJudge,
    evidence: PassageEvidence,
    languages: Languages,
    measured: Sequence[str],
) -> list[JudgedClaim]:
    """Return the claims with their verdicts in the answer's order; each quote is a substring of its passage."""
    judged = []
    for claim, times in claims:
        verdict = judge.judge(claim, languages.within(claim.text, measured))
        if verdict.quote is not None and verdict.passage is not None:
            _check_quote(verdict.quote, evidence.passages[verdict.passage], claim)
        judged.append(JudgedClaim(claim, verdict, times))
    return judged


def _check_quote(quote: str, passage: str, claim: Claim) -> None:
    if quote not in passage:
        raise JudgeError(f"The quote for the claim at {claim.start} is no part of its passage", where=NAME)


def measure_claims(
    judged: Sequence[JudgedClaim],
    others: dict[str, int],
    target: int | None,
    who: Mapping[str, str | None],
    more: Mapping[str, Any] | None = None,
) -> Measurement:
    """Return S/(S+C+U) with the four counts; `inconclusive` where undecided claims could move it over the target.

    The rule is record.md's: no value when S+C+U = 0, or when S/(n+I) and (S+I)/(n+I) lie on different sides of the
    target, n = S+C+U. Targets of this measure are met above (`>`), never at, the target.
    `who` gave the verdicts, by engine, library and model; `more` is reported beside the value.
    """
    found = Counter(item.verdict.verdict for item in judged)
    counts = ClaimCounts(
        supported=found["supported"],
        contradicted=found["contradicted"],
        unsupported=found["unsupported"],
        inconclusive=found["inconclusive"],
    )
    sign = _signature(judged, who)
    detail: dict[str, Any] = {
        "not_claims": others,
        "repeated": sum(item.times - 1 for item in judged),
        **(more or {}),
    }
    if not judged:
        return Measurement.absent(NAME, Status.NOT_APPLICABLE, "no_claims", sign, detail=detail)
    evidence = tuple(_evidence(item) for item in judged)
    decided = counts.supported + counts.contradicted + counts.unsupported
    if decided == 0 or _straddles(counts, decided, target):
        reason = "language" if any(i.verdict.rule == "language" for i in judged) else "undecided_claims"
        return Measurement.absent(
            NAME, Status.INCONCLUSIVE, reason, sign, counts=counts, evidence=evidence, detail=detail
        )
    return Measurement.of_ratio(NAME, counts.supported, decided, sign, counts=counts, evidence=evidence, detail=detail)


def mean_support(judged: Sequence[JudgedClaim]) -> float | None:
    """Return the mean probability of support, each claim weighed by its words, in [0, 1] to millionths.

    The verdicts are steps; this is the scale behind them, reported and never scored. A claim that words and numbers
    decide counts 1 or 0. None where a claim has neither that nor a probability.
    """
    total, words = 0.0, 0
    for item in judged:
        verdict = item.verdict
        settled = verdict.rule in BY_WORDS or verdict.probability is None
        if settled and verdict.verdict == "inconclusive":
            return None
        weight = max(1, len(item.claim.text.split()))
        total += weight * (WORTH[verdict.verdict] if settled else float(verdict.probability or 0.0))
        words += weight
    return round(total / words, 6) if words else None


def _signature(judged: Sequence[JudgedClaim], who: Mapping[str, str | None]) -> str:
    if who.get("engine") == "llm":
        return signature(NAME, **{key: value for key, value in who.items() if value is not None}, claims=len(judged))
    exact = sum(item.verdict.rule == "exact" for item in judged)
    return signature(NAME, claims=len(judged), exact=exact, model=who.get("model") or "none")


def _straddles(counts: ClaimCounts, decided: int, target: int | None) -> bool:
    if target is None:
        return False
    everything = decided + counts.inconclusive
    lowest = ratio(counts.supported, everything) > target
    highest = ratio(counts.supported + counts.inconclusive, everything) > target
    return lowest != highest


def claim_flags(judged: Sequence[JudgedClaim]) -> list[Flag]:
    """Return `contradicted_claim` for each contradicted claim, `number_mismatch` for each with wrong numbers."""
    flags: list[Flag] = []
    for index, item in enumerate(judged):
        verdict = item.verdict
        if verdict.verdict == "contradicted":
            flags.append(
                Flag(
                    code="contradicted_claim", detail={"claim": index, "passage": verdict.passage, "rule": verdict.rule}
                )
            )
        if verdict.numbers:
            numbers = [
                {"number": n.number, "written": n.written, "conflicting": n.conflicting} for n in verdict.numbers
            ]
            flags.append(
                Flag(code="number_mismatch", detail={"claim": index, "passage": verdict.passage, "numbers": numbers})
            )
    return flags


def _evidence(item: JudgedClaim) -> dict[str, Any]:
    claim, verdict = item.claim, item.verdict
    entry: dict[str, Any] = {
        "claim": claim.text,
        "verdict": verdict.verdict,
        "passage": verdict.passage,
        "quote": verdict.quote,
        "reason": verdict.reason,
        "rule": verdict.rule,
        "start": claim.start,
        "end": claim.end,
        "kind": claim.kind,
        "probability": verdict.probability,
    }
    if verdict.numbers:
        entry["numbers"] = [n.written for n in verdict.numbers]
    if item.times > 1:
        entry["times"] = item.times
    return entry
