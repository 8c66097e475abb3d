"""Answer relevancy by the engine `llm`: Ragas' questions to the answer, and how close they come to the query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from glassbox.contract.measurement import Measurement
from glassbox.contract.request import Request
from glassbox.errors import JudgeError
from glassbox.judges.llm.bench import Bench
from glassbox.judges.llm.context import shortened
from glassbox.judges.llm.jury import Consensus, consensus
from glassbox.judges.relevancy import mean_relevancy
from glassbox.judges.signature import signature
from glassbox.judges.tools import Embedder, Used

if TYPE_CHECKING:
    from glassbox.judges.llm.ragas import Relevancy

ANSWER: Final = 16_000
"""Characters of an answer that are shown to the judge model."""
_TOLERANCE: Final = 1e-5


def relevancy_by_model(bench: Bench, request: Request, embedder: Embedder, used: Used) -> Measurement:
    """Return Ragas' answer relevancy, a negative mean as 0 with the raw one beside it; raises JudgeModelError.

    A run is 0 where every one of its questions found the answer noncommittal, as Ragas has it. The scores of several
    runs become one by the consensus that is set.
    """
    from glassbox.judges.llm import ragas

    answer = shortened(request.answer, request.query, ANSWER)
    runs = bench.each(lambda asker: _checked(ragas.relevancy_of(asker, request.query, answer.text, embedder)))
    raws = [mean_relevancy(run.result.cosines, [bool(mark) for mark in run.result.noncommittal]) for run in runs]
    raw = combined(raws, [run.weight for run in runs], bench.consensus)
    used.models |= bench.entries(ragas.prompts())
    marks = [mark for run in runs for mark in run.result.noncommittal]
    detail: dict[str, Any] = {"cosine": raw, "rule": "generated_questions", "noncommittal": sum(marks)}
    if answer.cut:
        detail["shown_in_part"] = ["answer"]
    detail |= bench.told(runs, [min(max(value, 0.0), 1.0) for value in raws], [str(value) for value in raws])
    return Measurement.scored(
        "answer_relevancy",
        min(max(raw, 0.0), 1.0),
        signature(
            "answer_relevancy",
            engine="llm",
            lib=used.library(ragas.LIBRARY),
            judge=bench.identity,
            questions=len(marks),
            model=used.model(embedder.entry),
        ),
        evidence=tuple(
            {
                "question": question,
                "cosine": cosine,
                "noncommittal": bool(mark),
                **({"run": n} if len(runs) > 1 else {}),
            }
            for n, run in enumerate(runs)
            for question, cosine, mark in zip(
                run.result.questions, run.result.cosines, run.result.noncommittal, strict=True
            )
        ),
        detail=detail,
    )


def combined(raws: Sequence[float], weights: Sequence[float], by: Consensus) -> float:
    """Return the raw score of several runs, to six places."""
    return raws[0] if len(raws) == 1 else round(consensus(raws, weights, by), 6)


def _checked(found: Relevancy) -> Relevancy:
    raw = mean_relevancy(found.cosines, [bool(mark) for mark in found.noncommittal])
    if not math.isfinite(found.value) or abs(found.value - raw) > _TOLERANCE:
        raise JudgeError("Ragas' relevancy is not what its questions give", where="answer_relevancy.question")
    return found
