"""Judge 2, semantic faithfulness: is the answer grounded in the retrieved context?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from glassbox.contract.measurement import Flag, JudgeResult, Measurement, Status
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.judges.claim_verdicts import ClaimJudge
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.faithfulness import claim_flags, judge_claims, mean_support, measure_claims, split_answer
from glassbox.judges.hostility import injection_flags
from glassbox.judges.languages import Languages
from glassbox.judges.refusals import refusal_flag
from glassbox.judges.registry import JUDGES
from glassbox.judges.relevance import PassageVerdict, Reference, judge_passages
from glassbox.judges.relevancy import answer_relevancy
from glassbox.judges.signature import signature
from glassbox.judges.tools import ClaimChecker, Embedder, Tools, Used
from glassbox.text.refusal import is_refusal

if TYPE_CHECKING:
    from glassbox.judges.llm.bench import Bench

NAME: Final = "semantic_faithfulness"
FAITHFULNESS: Final = f"{NAME}/faithfulness"
RELEVANCY: Final = f"{NAME}/answer_relevancy"


def judge(request: Request, policy: Policy, tools: Tools) -> JudgeResult:
    """Return faithfulness, claim by claim, and answer relevancy.

    Both are `not_applicable` for an empty answer (`empty_answer`) and for a refusal (`refusal`); faithfulness also
    where no passage holds text (`no_context`) or the answer claims nothing (`no_claims`). Raises ModelError where a
    model that is needed can't be used, and JudgeModelError where the judge model gives no answer that can be taken.
    """
    return _Judging(request, policy, tools).result()


class _Judging:
    """One call of the judge: what it found so far."""

    def __init__(self, request: Request, policy: Policy, tools: Tools) -> None:
        self._request = request
        self._policy = policy
        self._tools = tools
        self._used = Used()
        self._languages = Languages(request)
        self._flags: list[Flag] = list(injection_flags(request, policy, NAME))
        self._bench: Bench | None = None

    def result(self) -> JudgeResult:
        measurements = self._measurements()
        return JudgeResult(
            judge=NAME,
            question=JUDGES[NAME].question,
            engine=self._engine(measurements),
            measurements=tuple(measurements),
            flags=tuple(self._flags),
            models=tuple(sorted(self._used.models)),
            libraries=tuple(sorted(self._used.libraries)),
            calls=() if self._bench is None else self._bench.calls(),
        )

    def _engine(self, measurements: Sequence[Measurement]) -> Literal["local", "llm"] | None:
        """Return who did the interpreting; where the judge is the judge model's, the bundled models only serve it."""
        found = self._used.engine(measurements)
        return "llm" if found is not None and self._tools.asks(self._policy, NAME) else found

    def _measurements(self) -> list[Measurement]:
        if not self._request.has_answer:
            return self._both("empty_answer")
        refusal = is_refusal(self._request.answer)
        if refusal.recognised:
            self._judge_refusal(refusal.rule)
            return self._both("refusal")
        evidence = PassageEvidence([p.text for p in self._request.retrieved_passages])
        self._bench = self._tools.asked(self._policy, NAME)
        return self._unless_evasive([self._faithfulness(evidence), self._relevancy(evidence)])

    def _unless_evasive(self, measured: list[Measurement]) -> list[Measurement]:
        """Return the measurements, or those of a refusal where the judge model found the answer to claim nothing.

        It evades where most of the generated questions found it noncommittal, and no claim is in it.
        """
        faithfulness, relevancy = measured
        evasive = 2 * int(relevancy.detail.get("noncommittal", 0)) > len(relevancy.evidence)
        if not evasive or faithfulness.reason != "no_claims":
            return measured
        self._flags = [flag for flag in self._flags if flag.code != "agent_drift"]
        self._judge_refusal("noncommittal")
        return self._both("refusal")

    def _both(self, reason: str) -> list[Measurement]:
        return [self._absent(path, Status.NOT_APPLICABLE, reason) for path in (FAITHFULNESS, RELEVANCY)]

    def _absent(self, path: str, status: Status, reason: str) -> Measurement:
        name = path.rsplit("/", 1)[-1]
        if not self._policy.enabled(path):
            status, reason = Status.SKIPPED, "disabled"
        return Measurement.absent(name, status, reason, signature(name, engine=None))

    def _judge_refusal(self, rule: str) -> None:
        verdicts: Sequence[PassageVerdict] = ()
        if self._request.has_context:
            # A refusal says nothing that could serve as a reference, so the question alone decides.
            reference = Reference("query", "")
            verdicts = judge_passages(self._request, reference, self._languages, self._embedder())
        flag = refusal_flag(verdicts, rule)
        if flag is None:
            self._unmeasured("refusal", [self._request.query], self._embedder().entry.languages)
        else:
            self._flags.append(flag)

    def _faithfulness(self, evidence: PassageEvidence) -> Measurement:
        if not self._policy.enabled(FAITHFULNESS):
            return self._absent(FAITHFULNESS, Status.SKIPPED, "disabled")
        if not self._request.has_context:
            return self._absent(FAITHFULNESS, Status.NOT_APPLICABLE, "no_context")
        if self._bench is not None:
            return self._by_statements(self._bench, evidence)
        claims, others = split_answer(self._request.answer)
        entry = self._tools.models.entry("claims")
        readable = frozenset(
            i for i in evidence.unique if self._languages.within(evidence.passages[i], entry.languages)
        )
        judge = ClaimJudge(self._request.query, evidence, self._embedder, self._checker, readable)
        judged = judge_claims(claims, judge, evidence, self._languages, entry.languages)
        self._flags += claim_flags(judged)
        if any(item.verdict.rule == "language" for item in judged):
            texts = [*(claim.text for claim, _ in claims), *evidence.passages]
            self._unmeasured("faithfulness", texts, entry.languages)
        model = self._used.model(entry) if entry.identity in self._used.models else None
        support = mean_support(judged)
        more = {} if support is None else {"mean_support": support}
        return measure_claims(judged, others, self._policy.target(FAITHFULNESS), {"model": model}, more)

    def _relevancy(self, evidence: PassageEvidence) -> Measurement:
        name, request = "answer_relevancy", self._request
        if not self._policy.enabled(RELEVANCY):
            return self._absent(RELEVANCY, Status.SKIPPED, "disabled")
        if not request.query.strip():
            return self._absent(RELEVANCY, Status.NOT_APPLICABLE, "no_query")
        entry = self._tools.models.entry("embed")
        texts = [request.query, request.answer]
        if not self._languages.all_within(texts, entry.languages):
            self._unmeasured(name, texts, entry.languages)
            return self._absent(RELEVANCY, Status.INCONCLUSIVE, "language")
        if self._bench is not None:
            return self._by_questions(self._bench)
        found = answer_relevancy(request.query, request.answer, evidence, self._embedder())
        measured = Measurement.scored(
            name,
            found.value,
            signature(name, rule=found.rule, model=self._used.model(entry)),
            evidence=({"start": found.start, "end": found.end, "passage": found.passage, "cosine": found.cosine},),
            detail={"cosine": found.cosine, "rule": found.rule, "parts": found.parts, "parts_read": found.parts_read},
        )
        return self._drift(measured, found.cosine)

    def _drift(self, measured: Measurement, cosine: float) -> Measurement:
        target = self._policy.target(RELEVANCY)
        if target is not None and measured.micros is not None and measured.micros <= target:
            self._flags.append(Flag(code="agent_drift", detail={"cosine": cosine}))
        return measured

    def _by_statements(self, bench: Bench, evidence: PassageEvidence) -> Measurement:
        from glassbox.judges.llm.faithfulness import faithfulness_by_model

        target = self._policy.target(FAITHFULNESS)
        measured, judged = faithfulness_by_model(bench, self._request, evidence, target, self._used)
        self._flags += claim_flags(judged)
        return measured

    def _by_questions(self, bench: Bench) -> Measurement:
        from glassbox.judges.llm.relevancy import relevancy_by_model

        measured = relevancy_by_model(bench, self._request, self._embedder(), self._used)
        return self._drift(measured, measured.detail["cosine"])

    def _embedder(self) -> Embedder:
        embedder = self._tools.models.embedder()
        self._used.model(embedder.entry)
        return embedder

    def _checker(self) -> ClaimChecker:
        checker = self._tools.models.claims()
        self._used.model(checker.entry)
        return checker

    def _unmeasured(self, part: str, texts: Sequence[str], measured: Sequence[str]) -> None:
        self._flags.append(self._languages.flag(part, texts, measured))
