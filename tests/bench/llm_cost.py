"""What a run will ask and cost, from the lengths of the texts; and what one has cost, from its calls."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from llm_asking import Log
from llm_rows import Job

from glassbox.judges.faithfulness import split_answer
from glassbox.judges.llm.claims import PART
from glassbox.judges.llm.context import MOST_CHARACTERS, parts_of
from glassbox.judges.llm.verdicts import MOST_CLAIMS
from glassbox.judges.relevance import reference_of
from glassbox.llm.prices import PriceTable
from glassbox.llm.types import Call
from glassbox.text.refusal import is_refusal

CHARACTERS = 4.2
"""Characters of a token of English prose, about."""
FIXED = {
    "contextual_precision.verdicts": 740,
    "faithfulness.statements": 670,
    "faithfulness.verdicts": 1680,
    "answer_relevancy.question": 650,
}
"""Tokens of each question without evaluated text: the library's prompt, our rules and the schema."""
SHAPE = 40
"""Tokens that the schema and the rules have for each passage that a verdict is wanted on."""
PASSAGE, STATEMENT, QUESTION = 45, 130, 35
"""Tokens of a reply for each passage, statement and question."""
QUESTIONS = 3
PASSAGES = 8


@dataclass(frozen=True)
class Part:
    """One question that will be asked, once for each `runs` of the judge."""

    key: tuple[Any, ...]
    purpose: str
    tokens_in: float
    tokens_out: float
    repeated: bool = True
    """Whether every run of the judge asks it; the statements are made once."""


@dataclass(frozen=True)
class Estimate:
    """About what a run asks where nothing of it is recorded yet."""

    rows: int
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float | None

    def __str__(self) -> str:
        money = "no price is known for the model" if self.usd is None else f"{self.usd:,.2f} US dollars"
        return (
            f"{self.rows:,} rows, about {self.calls:,} calls with {self.tokens_in:,} tokens in and "
            f"{self.tokens_out:,} out: {money}"
        )


def estimate(jobs: Sequence[Job], identities: Sequence[str], repeats: int, prices: PriceTable) -> Estimate:
    """Return what the rows will cost with these judge models; what several rows ask alike is asked once."""
    parts = {part.key: part for job in jobs for part in _parts(job)}.values()
    calls, told = 0, [[0.0, 0.0] for _ in identities]
    for part in parts:
        for member, tokens in enumerate(told):
            times = repeats if part.repeated else int(member == 0)
            calls += times
            tokens[0] += times * part.tokens_in
            tokens[1] += times * part.tokens_out
    costs = [prices.cost(name, round(i), round(o)) for name, (i, o) in zip(identities, told, strict=True)]
    known = [cost for cost in costs if cost is not None]
    usd = sum(known) if len(known) == len(costs) else None
    return Estimate(len(jobs), calls, round(sum(i for i, _ in told)), round(sum(o for _, o in told)), usd)


def _parts(job: Job) -> Iterator[Part]:
    request = job.request
    if job.task == "relevance":
        yield from _precision(job)
        return
    if is_refusal(request.answer).recognised:
        return
    if job.task != "relevancy":
        yield from _faithfulness(job)
    if job.task in ("relevancy", "refusals"):
        for sample in range(QUESTIONS):
            yield _part(("q", request.answer, sample), "answer_relevancy.question", [request.answer], QUESTION)


def _faithfulness(job: Job) -> Iterator[Part]:
    request, passages = job.request, tuple(p.text for p in job.request.retrieved_passages)
    for start, end in parts_of(request.answer, PART):
        part = request.answer[start:end]
        key, out = ("s", request.query, part), len(part) / CHARACTERS + 20
        yield Part(
            key, "faithfulness.statements", *_tokens("faithfulness.statements", [request.query, part], out), False
        )
    claims = [claim.text for claim, _ in split_answer(request.answer)[0]]
    shown = min(MOST_CHARACTERS, sum(map(len, passages)))
    for batch in range(math.ceil(len(claims) / MOST_CLAIMS)):
        texts = claims[batch * MOST_CLAIMS : (batch + 1) * MOST_CLAIMS]
        tokens_in, out = _tokens("faithfulness.verdicts", texts, STATEMENT * len(texts))
        key = ("v", request.answer, passages, batch)
        yield Part(key, "faithfulness.verdicts", tokens_in + shown / CHARACTERS, out)


def _precision(job: Job) -> Iterator[Part]:
    query, purpose = job.request.query, "contextual_precision.verdicts"
    passages = [text for text in dict.fromkeys(p.text for p in job.request.retrieved_passages) if text.strip()]
    reference = reference_of(job.request).text
    for start in range(0, len(passages), PASSAGES):
        batch = passages[start : start + PASSAGES]
        tokens_in, out = _tokens(purpose, [query, reference, *batch], PASSAGE * len(batch))
        yield Part(("p", query, reference, tuple(batch)), purpose, tokens_in + SHAPE * len(batch), out)


def _part(key: tuple[Any, ...], purpose: str, texts: Iterable[str], out: float) -> Part:
    return Part(key, purpose, *_tokens(purpose, texts, out))


def _tokens(purpose: str, texts: Iterable[str], out: float) -> tuple[float, float]:
    return FIXED[purpose] + sum(map(len, texts)) / CHARACTERS, out


def spent(logs: Sequence[Log]) -> dict[str, Any]:
    """Return what the calls behind the tables came to, each counted once however many rows it serves.

    A sum is None where a part of it is unknown. Questions that no answer came of are paid for as well, and `lost`.
    """
    calls = [call for log in logs for _, call in sorted(log.calls.items())]
    by_purpose: dict[str, list[Call]] = {}
    for call in calls:
        by_purpose.setdefault(call.purpose, []).append(call)
    return {
        **_sums(calls),
        "questions_without_answer": sum(len(log.failures.keys() - log.calls.keys()) for log in logs),
        "lost": _lost([cost for log in logs for _, cost in sorted(log.lost, key=lambda item: item[0])]),
        "served_models": sorted({call.served_model for call in calls if call.served_model}),
        "temperatures": sorted({str(call.temperature) for call in calls}),
        "price_tables": sorted({call.price_table for call in calls}),
        "purposes": {purpose: _sums(found) for purpose, found in sorted(by_purpose.items())},
    }


def _sums(calls: Sequence[Call]) -> dict[str, Any]:
    costs = _sum([call.cost_usd for call in calls])
    return {
        "calls": len(calls),
        "requests": sum(call.attempts for call in calls),
        "repaired": sum(call.repaired for call in calls),
        "tokens_in": _sum([call.input_tokens for call in calls]),
        "tokens_out": _sum([call.output_tokens for call in calls]),
        "usd": None if costs is None else round(costs, 6),
        "seconds": round(sum(call.duration_ms for call in calls) / 1000, 1),
        "median_seconds": round(statistics.median(call.duration_ms for call in calls) / 1000, 2) if calls else None,
    }


def _lost(costs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    usd = _sum([cost["cost_usd"] for cost in costs])
    return {
        "requests": sum(cost["attempts"] for cost in costs),
        "tokens_in": _sum([cost["input_tokens"] for cost in costs]),
        "tokens_out": _sum([cost["output_tokens"] for cost in costs]),
        "usd": None if usd is None else round(usd, 6),
    }


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
