"""Which passages are relevant by the judge model, with the similarities that calibration needs left as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glassbox.contract.request import Request
from glassbox.judges.llm.asking import Asker
from glassbox.judges.llm.passages import judge_passages
from glassbox.judges.relevance import PassageVerdict, Reference


def judged_by_model(
    asker: Asker, request: Request, reference: Reference, verdicts: Sequence[PassageVerdict]
) -> list[PassageVerdict]:
    """Return the verdicts with the judge model's word on each passage in place of the local one.

    Passages that say the same are judged once; a blank one is irrelevant without a question. Raises JudgeModelError.
    """
    first = [v.index for v in verdicts if v.first == v.index]
    texts = [request.retrieved_passages[i].text for i in first]
    # A refusal says nothing that could serve as a reference: then the question itself has to.
    answer = reference.text if reference.mode != "query" else request.query
    useful = dict(zip(first, judge_passages(asker, request.query, answer, texts), strict=True))
    return [
        replace(v, relevant=useful[v.first].useful, reason=useful[v.first].reason) if v.first is not None else v
        for v in verdicts
    ]
