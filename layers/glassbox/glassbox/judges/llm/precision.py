"""Contextual precision (1a) by the engine `llm`: DeepEval's verdict on each passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from glassbox.contract.request import Request
from glassbox.judges.llm.asking import Asker
from glassbox.judges.llm.bench import Bench, Run
from glassbox.judges.llm.context import shortened
from glassbox.judges.llm.jury import majority
from glassbox.judges.llm.responses import PassageReply
from glassbox.judges.relevance import PassageVerdict, Reference
from glassbox.judges.tools import Used
from glassbox_contract.arithmetic import MICRO, average_precision

if TYPE_CHECKING:
    from glassbox.judges.llm.deepeval import Precision

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
    bench: Bench, request: Request, reference: Reference, found: Sequence[PassageVerdict], used: Used
) -> Judged:
    """Return `found` with the judge model's verdicts and reasons; what was measured there stays.

    Equal passages are judged once and share their verdict, blank ones are not asked about. With the reference mode
    `query` (the answer is a refusal) a passage counts as useful where it serves any good answer. A jury decides by the
    majority of its weight; a passage on which there is none stays open. Raises JudgeModelError.
    """
    from glassbox.judges.llm import deepeval

    query = shortened(request.query, reference.text, QUERY)
    expected = shortened(reference.text, request.query, REFERENCE)
    asked = [v.index for v in found if v.first == v.index]
    wanted = f"{request.query}\n{reference.text}"
    passages = {i: shortened(request.retrieved_passages[i].text, wanted, PASSAGE) for i in asked}

    def measure(asker: Asker) -> deepeval.Precision:
        reference_text = expected.text if reference.mode != "query" else None
        shown = [(index, passages[index].text) for index in asked]
        return deepeval.measure_precision(asker, query.text, reference_text, shown)

    runs = bench.each(measure)
    for run in runs:
        deepeval.check_score(run.result.score, average_precision(_bits(run.result.verdicts))[0])
    verdicts = _together(found, asked, runs)
    cut = [name for name, shown in (("query", query), ("reference", expected)) if shown.cut]
    cut += [f"passages.{index}" for index in asked if passages[index].cut]
    used.models |= bench.entries(deepeval.prompts())
    who = {"engine": "llm", "lib": used.library(deepeval.LIBRARY), "judge": bench.identity}
    votes = [_votes(run.result.verdicts, found, asked) for run in runs]
    scores = [average_precision(bits)[0] / MICRO for bits in votes]
    detail = bench.told(runs, scores, votes) | ({"shown_in_part": cut} if cut else {})
    return Judged(verdicts, who, detail)


def _together(
    found: Sequence[PassageVerdict], asked: Sequence[int], runs: Sequence[Run[Precision]]
) -> tuple[PassageVerdict, ...]:
    """Return the verdict of all runs on each passage, with the reason that the first of those gave who prevailed."""
    places = {index: place for place, index in enumerate(asked)}
    verdicts = []
    for verdict in found:
        if verdict.first is None:
            verdicts.append(verdict)
            continue
        said = [run.result.verdicts[places[verdict.first]] for run in runs]
        word = majority([(one.verdict, run.weight) for one, run in zip(said, runs, strict=True)])
        if word is None:
            verdicts.append(replace(verdict, relevant=None, reason="The judges are split"))
        else:
            reason = next(one.reason for one in said if one.verdict == word)
            verdicts.append(replace(verdict, relevant=word == "yes", reason=reason))
    return tuple(verdicts)


def _votes(said: Sequence[PassageReply], found: Sequence[PassageVerdict], asked: Sequence[int]) -> str:
    """Return one run's relevance bits, in rank order."""
    bits = dict(zip(asked, _bits(said), strict=True))
    return "".join("0" if verdict.first is None else bits[verdict.first] for verdict in found)


def _bits(said: Sequence[PassageReply]) -> str:
    return "".join("1" if one.verdict == "yes" else "0" for one in said)
