"""Faithfulness by the engine `llm`: Ragas' statements and verdicts, each held to the answer and the passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from glassbox.contract.measurement import Measurement
from glassbox.contract.request import Request
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.faithfulness import JudgedClaim, measure_claims, split_answer
from glassbox.judges.llm.bench import Bench, Run
from glassbox.judges.llm.claims import PART, claims_of
from glassbox.judges.llm.context import parts_of, shortened
from glassbox.judges.llm.jury import prevailing
from glassbox.judges.llm.verdicts import Judged, Verdicts
from glassbox.judges.tools import Used
from glassbox.judges.verdict import ClaimVerdict

QUERY: Final = 8_000
"""Characters of a question that are shown to the judge model."""


def faithfulness_by_model(
    bench: Bench, request: Request, evidence: PassageEvidence, target: int | None, used: Used
) -> tuple[Measurement, list[JudgedClaim]]:
    """Return faithfulness over Ragas' statements of the answer, and the claims behind it; raises JudgeModelError.

    The first judge model makes the statements, and every run gives verdicts on the same claims.
    """
    from glassbox.judges.llm import ragas

    query = shortened(request.query, request.answer, QUERY)
    statements: list[str] = []
    for start, end in parts_of(request.answer, PART):
        part = request.answer[start:end]
        statements += bench.first(lambda asker, part=part: ragas.statements_of(asker, query.text, part))  # type: ignore[misc]
    claims = claims_of(request.query, request.answer, statements)
    runs = bench.each(lambda asker: Verdicts(asker, evidence).judge(claims))
    judged = together(runs)
    used.models |= bench.entries(ragas.prompts())
    who = {"engine": "llm", "lib": used.library(ragas.LIBRARY), "judge": bench.identity}
    more: dict[str, Any] = {
        "statements": len(statements),
        "left_out": [number for number, stated in enumerate(claims) if stated.added],
        "not_in_answer": [number for number, stated in enumerate(claims) if stated.foreign],
        # What Ragas alone would have counted, before quotes and numbers were looked at.
        "judge_supported": runs[0].result.supported,
        "judge_asked": runs[0].result.asked,
    }
    first = runs[0].result
    if first.parts_read < first.parts:
        more["passage_parts"], more["passage_parts_read"] = first.parts, first.parts_read
    if query.cut:
        more["shown_in_part"] = ["query"]
    more |= bench.told(runs, [_score(run.result.claims) for run in runs], [_votes(run.result.claims) for run in runs])
    _, others = split_answer(request.answer)
    return measure_claims(judged, others, target, who, more), judged


def together(runs: Sequence[Run[Judged]]) -> list[JudgedClaim]:
    """Return each claim with the verdict of the majority of the weight, as the first of those gave it who prevailed.

    Where those prevail together who call it unsupported or contradicted, it is unsupported; else it stays open.
    """
    found = []
    for said in zip(*(run.result.claims for run in runs), strict=True):
        word = prevailing([(one.verdict.verdict, run.weight) for one, run in zip(said, runs, strict=True)])
        if word is None:
            split = ClaimVerdict("inconclusive", "The judges are split", "split")
            found.append(JudgedClaim(said[0].claim, split, said[0].times))
        else:
            found.append(next(one for one in said if one.verdict.verdict == word))
    return found


def _score(claims: Sequence[JudgedClaim]) -> float | None:
    decided = [claim for claim in claims if claim.verdict.verdict != "inconclusive"]
    supported = sum(claim.verdict.verdict == "supported" for claim in decided)
    return supported / len(decided) if decided else None


def _votes(claims: Sequence[JudgedClaim]) -> str:
    """Return one letter for each claim: s, c, u or i."""
    return "".join(claim.verdict.verdict[0] for claim in claims)
