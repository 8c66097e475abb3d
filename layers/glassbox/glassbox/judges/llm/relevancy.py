"""Answer relevancy by the engine `llm`: Ragas' questions to the answer, and how close they come to the query."""

from __future__ import annotations

import math
from typing import Any, Final

from glassbox.contract.measurement import Measurement
from glassbox.contract.request import Request
from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import Asker, model_entry
from glassbox.judges.llm.context import shortened
from glassbox.judges.relevancy import mean_relevancy
from glassbox.judges.signature import signature
from glassbox.judges.tools import Embedder, Used

ANSWER: Final = 16_000
"""Characters of an answer that are shown to the judge model."""
_TOLERANCE: Final = 1e-5


def relevancy_by_model(asker: Asker, request: Request, embedder: Embedder, used: Used) -> Measurement:
    """Return Ragas' answer relevancy, a negative mean as 0 with the raw one beside it; raises JudgeModelError.

    It is 0 where every question found the answer noncommittal, as Ragas has it.
    """
    from glassbox.judges.llm import ragas

    answer = shortened(request.answer, request.query, ANSWER)
    found = ragas.relevancy_of(asker, request.query, answer.text, embedder)
    raw = mean_relevancy(found.cosines, [bool(mark) for mark in found.noncommittal])
    if not math.isfinite(found.value) or abs(found.value - raw) > _TOLERANCE:
        raise JudgeError("Ragas' relevancy is not what its questions give", where=ragas.QUESTION)
    used.models.add(model_entry(asker.identity, ragas.prompts()))
    detail: dict[str, Any] = {"cosine": raw, "rule": "generated_questions", "noncommittal": sum(found.noncommittal)}
    if answer.cut:
        detail["shown_in_part"] = ["answer"]
    return Measurement.scored(
        "answer_relevancy",
        min(max(raw, 0.0), 1.0),
        signature(
            "answer_relevancy",
            engine="llm",
            lib=used.library(ragas.LIBRARY),
            judge=asker.identity,
            questions=len(found.questions),
            model=used.model(embedder.entry),
        ),
        evidence=tuple(
            {"question": question, "cosine": cosine, "noncommittal": bool(mark)}
            for question, cosine, mark in zip(found.questions, found.cosines, found.noncommittal, strict=True)
        ),
        detail=detail,
    )
