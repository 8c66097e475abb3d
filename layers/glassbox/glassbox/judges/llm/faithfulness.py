"""Faithfulness by the engine `llm`: Ragas' statements and verdicts, each held to the answer and the passages."""

from __future__ import annotations

from typing import Any, Final

from glassbox.contract.measurement import Measurement
from glassbox.contract.request import Request
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.faithfulness import JudgedClaim, measure_claims, split_answer
from glassbox.judges.llm.asking import Asker, model_entry
from glassbox.judges.llm.claims import PART, claims_of
from glassbox.judges.llm.context import parts_of, shortened
from glassbox.judges.llm.verdicts import Verdicts
from glassbox.judges.tools import Used

QUERY: Final = 8_000
"""Characters of a question that are shown to the judge model."""


def faithfulness_by_model(
    asker: Asker, request: Request, evidence: PassageEvidence, target: int | None, used: Used
) -> tuple[Measurement, list[JudgedClaim]]:
    """Return faithfulness over Ragas' statements of the answer, and the claims behind it; raises JudgeModelError."""
    from glassbox.judges.llm import ragas

    query = shortened(request.query, request.answer, QUERY)
    statements: list[str] = []
    for start, end in parts_of(request.answer, PART):
        statements += ragas.statements_of(asker, query.text, request.answer[start:end])
    claims = claims_of(request.query, request.answer, statements)
    judged = Verdicts(asker, evidence).judge(claims)
    used.models.add(model_entry(asker.identity, ragas.prompts()))
    who = {"engine": "llm", "lib": used.library(ragas.LIBRARY), "judge": asker.identity}
    more: dict[str, Any] = {
        "statements": len(statements),
        "left_out": [number for number, stated in enumerate(claims) if stated.added],
        "not_in_answer": [number for number, stated in enumerate(claims) if stated.foreign],
        # What Ragas alone would have counted, before quotes and numbers were looked at.
        "judge_supported": judged.supported,
        "judge_asked": judged.asked,
    }
    if judged.parts_read < judged.parts:
        more["passage_parts"], more["passage_parts_read"] = judged.parts, judged.parts_read
    if query.cut:
        more["shown_in_part"] = ["query"]
    _, others = split_answer(request.answer)
    return measure_claims(judged.claims, others, target, who, more), judged.claims
