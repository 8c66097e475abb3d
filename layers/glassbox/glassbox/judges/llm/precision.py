"""Contextual precision (1a) by the engine `llm`: DeepEval's verdict on each passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from glassbox.contract.request import Request
from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import Asker, model_entry
from glassbox.judges.llm.context import shortened
from glassbox.judges.relevance import PassageVerdict, Reference
from glassbox.judges.tools import Used
from glassbox_contract.arithmetic import average_precision

QUERY: Final = 8_000
REFERENCE: Final = 16_000
PASSAGE: Final = 24_000
"""Characters of each text that are shown to the judge model; of a longer one the parts that share most words."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict for each passage in rank order, and who gave it."""

    verdicts: tuple[PassageVerdict, ...]
    who: dict[str, Any]
    """Engine, library and judge model, for a signature."""
    detail: dict[str, Any]
    """Reported beside the value: which texts were not shown in full."""


def judge_by_model(
    asker: Asker, request: Request, reference: Reference, found: Sequence[PassageVerdict], used: Used
) -> Judged:
    """Return `found` with the judge model's verdicts and reasons; what was measured there stays.

    Equal passages are judged once and share their verdict, blank ones are not asked about. With the reference mode
    `query` (the answer is a refusal) a passage counts as useful where it serves any good answer. Raises
    JudgeModelError.
    """
    from glassbox.judges.llm import deepeval

    query = shortened(request.query, reference.text, QUERY)
    expected = shortened(reference.text, request.query, REFERENCE)
    asked = [v.index for v in found if v.first == v.index]
    wanted = f"{request.query}\n{reference.text}"
    passages = {i: shortened(request.retrieved_passages[i].text, wanted, PASSAGE) for i in asked}
    measured = deepeval.measure_precision(
        asker,
        query.text,
        expected.text if reference.mode != "query" else None,
        [(index, passages[index].text) for index in asked],
    )
    told = dict(zip(asked, measured.verdicts, strict=True))
    bits = "".join("1" if told[index].verdict == "yes" else "0" for index in asked)
    deepeval.check_score(measured.score, average_precision(bits)[0])
    verdicts = []
    for verdict in found:
        if verdict.first is None:
            verdicts.append(verdict)
            continue
        said = told.get(verdict.first)
        if said is None:
            raise JudgeError("A passage got no verdict", where=f"$.retrieved_passages[{verdict.index}]")
        verdicts.append(replace(verdict, relevant=said.verdict == "yes", reason=said.reason))
    cut = [name for name, shown in (("query", query), ("reference", expected)) if shown.cut]
    cut += [f"passages.{index}" for index in asked if passages[index].cut]
    used.models.add(model_entry(asker.identity, deepeval.prompts()))
    who = {"engine": "llm", "lib": used.library(deepeval.LIBRARY), "judge": asker.identity}
    return Judged(tuple(verdicts), who, {"shown_in_part": cut} if cut else {})
