"""Judge 1, contextual precision: did the retriever surface the right content?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from glassbox.contract.measurement import Flag, JudgeResult, Measurement, Status
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.judges.duplicates import duplicate_flags
from glassbox.judges.hostility import injection_flags
from glassbox.judges.languages import Languages
from glassbox.judges.registry import JUDGES
from glassbox.judges.relevance import PassageVerdict, judge_passages, reference_of, undecided
from glassbox.judges.retrieval_calibration import PARTS, calibration_measurements
from glassbox.judges.signature import signature
from glassbox.judges.tools import Tools, Used
from glassbox_contract.arithmetic import average_precision

if TYPE_CHECKING:
    from glassbox.judges.llm.bench import Bench

NAME: Final = "contextual_precision"
REPORTED: Final = ("precision_at_k", "share_relevant", "reciprocal_rank")
_PATH: Final = f"{NAME}/{NAME}"
_SIMILARITIES: Final = tuple(f"{NAME}/retrieval_calibration/{part}" for part in PARTS if part != "entity_hit_rate")
"""Leaves that rest on the embedder's similarities."""
_CUTS: Final = (1, 3, 5, 10)


def judge(request: Request, policy: Policy, tools: Tools) -> JudgeResult:
    """Return the verdict on each passage, their average precision, and how far the retriever's scores can be trusted.

    Every measurement is `not_applicable` for an empty answer (`empty_answer`) and where no passage holds text
    (`no_context`); no model is opened or asked then. Raises ModelError where the embedder can't be used, and
    JudgeModelError where the judge model gives no answer that can be taken.
    """
    absence = _absence(request)
    if absence is not None:
        return _without_models(request, policy, absence)
    return _Judging(request, policy, tools).result()


class _Judging:
    """One call of the judge on a request that has an answer and passages."""

    def __init__(self, request: Request, policy: Policy, tools: Tools) -> None:
        self._request = request
        self._policy = policy
        self._tools = tools
        self._used = Used()
        self._languages = Languages(request)
        self._flags: list[Flag] = list(injection_flags(request, policy, NAME))
        self._bench: Bench | None = None
        self._embedder = "none"

    def result(self) -> JudgeResult:
        """Return everything found; raises what `judge` raises."""
        found = self._by_similarity()
        self._flags += duplicate_flags([v.first for v in found])
        measurements = (
            *self._precision(found),
            *calibration_measurements(self._request, self._policy, found, self._embedder),
        )
        return JudgeResult(
            judge=NAME,
            question=JUDGES[NAME].question,
            engine="llm" if self._tools.asks(self._policy, NAME) else "local",
            measurements=measurements,
            flags=tuple(self._flags),
            models=tuple(sorted(self._used.models)),
            libraries=tuple(sorted(self._used.libraries)),
            calls=() if self._bench is None else self._bench.calls(),
        )

    def _by_similarity(self) -> tuple[PassageVerdict, ...]:
        """Return the embedder's verdicts, or undecided ones where a judge model decides and nothing else needs it."""
        request, policy = self._request, self._policy
        if self._tools.asks(policy, NAME) and not any(policy.enabled(path) for path in _SIMILARITIES):
            return undecided(request)
        embedder = self._tools.models.embedder()
        found = judge_passages(request, reference_of(request), self._languages, embedder)
        self._embedder = self._used.model(embedder.entry)
        if any(v.first is not None and v.similarity is None for v in found):
            texts = [request.query, request.answer, *(p.text for p in request.retrieved_passages)]
            self._flags.append(self._languages.flag(NAME, texts, embedder.entry.languages))
        return found

    def _precision(self, found: Sequence[PassageVerdict]) -> tuple[Measurement, ...]:
        request, policy = self._request, self._policy
        self._bench = self._tools.asked(policy, NAME) if policy.enabled(_PATH) else None
        if self._bench is None:
            return _precision(request, policy, found, {"model": self._embedder})
        from glassbox.judges.llm.precision import judge_by_model

        judged = judge_by_model(self._bench, request, reference_of(request), found, self._used)
        return _precision(request, policy, judged.verdicts, judged.who, judged.detail)


def _absence(request: Request) -> str | None:
    if not request.has_answer:
        return "empty_answer"
    return None if request.has_context else "no_context"


def _without_models(request: Request, policy: Policy, reason: str) -> JudgeResult:
    leaves = (_PATH, *(f"{NAME}/retrieval_calibration/{part}" for part in PARTS))
    names = [(path.rsplit("/", 1)[-1], policy.enabled(path)) for path in leaves]
    names += [(name, policy.enabled(_PATH)) for name in REPORTED]
    measurements = [
        Measurement.absent(name, Status.NOT_APPLICABLE, reason, signature(name, engine=None))
        if enabled
        else Measurement.absent(name, Status.SKIPPED, "disabled", signature(name, engine=None))
        for name, enabled in names
    ]
    flags: Sequence[Flag] = injection_flags(request, policy, NAME)
    return JudgeResult(
        judge=NAME, question=JUDGES[NAME].question, engine=None, measurements=tuple(measurements), flags=tuple(flags)
    )


def _precision(
    request: Request,
    policy: Policy,
    verdicts: Sequence[PassageVerdict],
    who: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> tuple[Measurement, ...]:
    if not policy.enabled(_PATH):
        return tuple(
            Measurement.absent(name, Status.SKIPPED, "disabled", signature(name)) for name in (NAME, *REPORTED)
        )
    mode = reference_of(request).mode
    evidence = tuple(_evidence(v, mode) for v in verdicts)
    sign: dict[str, Any] = {"reference": mode, "passages": len(verdicts), **who}
    open_ranks = [v.index for v in verdicts if v.relevant is None]
    if open_ranks:
        # Only a jury that is split leaves a passage open where every language is read.
        why = "split" if who.get("engine") == "llm" else "language"
        return tuple(
            Measurement.absent(
                name,
                Status.INCONCLUSIVE,
                why,
                signature(name, **sign),
                evidence=evidence if name == NAME else (),
                detail={"undecided": open_ranks, **(more or {})},
            )
            for name in (NAME, *REPORTED)
        )
    bits = "".join("1" if v.relevant else "0" for v in verdicts)
    micros, num, den = average_precision(bits)
    detail: dict[str, Any] = {"reference_mode": mode, "exact": f"{num}/{den}", "unique_bits": _unique_bits(verdicts)}
    detail |= more or {}
    if len({v.first for v in verdicts if v.first is not None}) == 1:
        # With one passage the average precision can only be 0 or 1.
        detail["low_information"] = True
    precision = Measurement(
        name=NAME,
        status=Status.SCORED,
        micros=micros,
        bits=bits,
        signature=signature(NAME, **sign),
        evidence=evidence,
        detail=detail,
    )
    return (precision, *_reported(bits, sign))


def _unique_bits(verdicts: Sequence[PassageVerdict]) -> str:
    """Return the bits of the passages that say something new, so that copies can be seen through."""
    return "".join("1" if v.relevant else "0" for v in verdicts if v.first == v.index)


def _reported(bits: str, sign: dict[str, Any]) -> tuple[Measurement, ...]:
    relevant, size = bits.count("1"), len(bits)
    cut = min(_CUTS[2], size)
    at = {f"at_{k}": round(bits[:k].count("1") / k, 6) for k in _CUTS if k <= size}
    first = bits.find("1") + 1
    return (
        Measurement.of_ratio(
            "precision_at_k", bits[:cut].count("1"), cut, signature("precision_at_k", k=cut, **sign), detail=at
        ),
        Measurement.of_ratio("share_relevant", relevant, size, signature("share_relevant", **sign)),
        Measurement.of_ratio("reciprocal_rank", 1 if first else 0, first or 1, signature("reciprocal_rank", **sign)),
    )


def _evidence(verdict: PassageVerdict, mode: str) -> dict[str, Any]:
    item: dict[str, Any] = {
        "passage": verdict.index,
        "relevant": verdict.relevant,
        "similarity": _rounded(verdict.similarity),
        "reason": verdict.reason,
        "reference_mode": mode,
        "reference_similarity": _rounded(verdict.reference_similarity),
        "overlap": _rounded(verdict.overlap),
    }
    if verdict.first is not None and verdict.first != verdict.index:
        item["duplicate_of"] = verdict.first
    if verdict.windows_read < verdict.windows:
        item["windows"], item["windows_read"] = verdict.windows, verdict.windows_read
    return item


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
