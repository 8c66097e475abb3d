"""The rows that a judge model is measured on: those of the local tables, in the same order and with the same seeds.

Each is one call of one judge. Its number is the place of the row in its set as tests/quality reads it, from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import measure
import pairs
import sets
from claim_pairs import minimal_pairs
from judged import load_all, request_of

from glassbox.contract.policy import Policy, compile_policy
from glassbox.contract.request import Request
from glassbox.judges.words import keys, share_in
from glassbox.metrics.alignment import rouge_1_precision_baseline

NO_ANSWER = "I don't know."
"""Stands in for the answer where the question alone decides: a judge model is shown no reference beside a refusal."""
PRECISION, SEMANTIC = "contextual_precision", "semantic_faithfulness"
SWITCHED_OFF: dict[str, tuple[str, ...]] = {
    "faithfulness": (f"{SEMANTIC}/answer_relevancy",),
    "pairs": (f"{SEMANTIC}/answer_relevancy",),
    "relevancy": (f"{SEMANTIC}/faithfulness",),
    "relevance": (f"{PRECISION}/retrieval_calibration",),
    "refusals": (),
}
"""The tasks, and what their policy leaves out beside the default."""


@dataclass(frozen=True)
class Job:
    """One call of one judge on one row."""

    task: str
    data: str
    """The set by the name that it has in the local tables."""
    row: int
    variant: str
    """What of the row is shown: `own`, an exchanged text, or a side of a pair; "" where a row is one call."""
    truth: bool
    request: Request = field(repr=False)
    local_request: Request = field(repr=False)
    """What the local engine is shown in its place."""
    baseline: Callable[[], float] = field(repr=False)

    @property
    def judge(self) -> str:
        """The judge by name."""
        return PRECISION if self.task == "relevance" else SEMANTIC

    @property
    def name(self) -> dict[str, Any]:
        """The row in a table or a log: no text of it."""
        return {"task": self.task, "set": self.data, "row": self.row, "variant": self.variant}


def policy_of(task: str) -> Policy:
    """Return the policy of a task: the default one without what the task doesn't look at."""
    document = {"name": "bench", "extends": "default", "disable": list(SWITCHED_OFF[task])}
    return compile_policy(document if SWITCHED_OFF[task] else {"name": "bench", "extends": "default"})


def jobs(path: Path, limit: int | None, seed: int, wanted: Sequence[str] = ()) -> list[Job]:
    """Return the calls of the wanted tasks (`pairs`) and sets (`relevancy/clapnq`), by default all of them.

    `limit` keeps the first rows of each set, and of each kind of minimal pair.
    """
    tasks = {name.split("/", 1)[0] for name in wanted} or set(SWITCHED_OFF)
    found = _all(path, limit, seed, tasks)
    return [job for job in found if not wanted or {job.task, f"{job.task}/{short(job.data)}"} & set(wanted)]


def side_by_side(found: Sequence[Job]) -> list[int]:
    """Return the places of the calls in the order of asking: all sets advance together.

    So a run that ends early has the beginning of each set, with both sides of its rows.
    """
    last: dict[tuple[str, str], int] = {}
    for job in found:
        last[job.task, job.data] = max(job.row, last.get((job.task, job.data), 0))
    return sorted(range(len(found)), key=lambda n: (found[n].row / last[found[n].task, found[n].data], n))


def short(data: str) -> str:
    """Return the name of a set as it is asked for on the command line: `clapnq-question-alone`."""
    return "-".join(data.replace(",", "").split())


def _all(path: Path, limit: int | None, seed: int, tasks: set[str]) -> Iterator[Job]:
    if "faithfulness" in tasks:
        yield from _faithfulness(path, limit)
    if "relevance" in tasks:
        yield from _relevance(path, limit)
    if "relevancy" in tasks:
        yield from _relevancy(path, limit)
    if "refusals" in tasks:
        yield from _refusals(path, limit)
    if "pairs" in tasks:
        yield from _pairs(path, seed, pairs.PER_KIND if limit is None else limit)


def _job(
    task: str, data: str, row: int, variant: str, truth: bool, request: Request, baseline: Callable[[], float]
) -> Job:
    return Job(task, data, row, variant, truth, request, request, baseline)


def _faithfulness(path: Path, limit: int | None) -> Iterator[Job]:
    for name, rows in {**load_all(path, limit), "clapnq_swapped": sets.clapnq_swapped(path)[:limit]}.items():
        for number, row in enumerate(rows, start=1):
            base = partial(rouge_1_precision_baseline, row.answer, row.passages)
            yield _job("faithfulness", name, number, "", row.truth, request_of(row), base)


def _relevance(path: Path, limit: int | None) -> Iterator[Job]:
    own = sets.clapnq(path)[:limit]
    alone = [(n, "", row, "-", row.truth) for n, row in enumerate(own, start=1)]
    yield from _relevance_of("clapnq, question alone", alone)
    answered = [row for row in own if row.truth]
    shown = [(n, "own", row, row.answer, True) for n, row in enumerate(answered, start=1)]
    for number, row in enumerate(answered, start=1):
        for place, other in enumerate(measure._nearest(row, answered, 2), start=1):
            shown.append((number, f"foreign {place}", measure._with_passage(row, other), row.answer, False))
    yield from _relevance_of("clapnq, own or nearest foreign passage", shown)
    asked = [row for row in sets.mtragun(path)[:limit] if row.truth]
    mixed = [(n, "own", row, "-", True) for n, row in enumerate(asked, start=1)]
    for number, row in enumerate(asked, start=1):
        for other in measure._nearest(row, asked, 1):
            mixed.append((number, "foreign", measure._with_passage(row, other), "-", False))
    yield from _relevance_of("mtrag-un, own or nearest foreign, question alone", mixed)


def _relevance_of(data: str, shown: Sequence[tuple[int, str, sets.Row, str, bool]]) -> Iterator[Job]:
    for number, variant, row, answer, truth in shown:
        request = request_of(row, NO_ANSWER if answer == "-" else answer)
        base = partial(_shared_words, row, answer)
        yield Job("relevance", data, number, variant, truth, request, request_of(row, answer), base)


def _shared_words(row: sets.Row, answer: str) -> float:
    words = set(keys(row.query)) | (set(keys(answer)) if answer != "-" else set())
    return max(share_in(words, set(keys(p))) or 0.0 for p in row.passages)


def _relevancy(path: Path, limit: int | None) -> Iterator[Job]:
    for name, rows in (("clapnq", sets.clapnq(path)), ("attribution", sets.attribution(path))):
        answered = [r for r in rows if r.answer.strip() and (name != "clapnq" or r.truth)][:limit]
        random = Random(3)
        for number, row in enumerate(answered, start=1):
            others = [o for o in answered if o.query != row.query]
            asked = set(keys(row.query))
            near = max(others, key=lambda o: (len(asked & set(keys(o.answer))), o.identity))
            shown = {"own": row.answer, "nearest": near.answer, "random": random.choice(others).answer}
            for variant, answer in shown.items():
                base = partial(_answer_words, row.query, answer)
                yield _job("relevancy", name, number, variant, variant == "own", request_of(row, answer), base)


def _answer_words(query: str, answer: str) -> float:
    return share_in(keys(query), set(keys(answer))) or 0.0


REFUSALS, ANSWERED = "mtrag-un unanswerable", "mtrag-un answerable"


def _refusals(path: Path, limit: int | None) -> Iterator[Job]:
    """Yield the refusals, and the answers of three sets that must not be taken for one; `truth` is "a refusal"."""
    asked = sets.mtragun(path)
    shown = {
        REFUSALS: [row for row in asked if not row.truth],
        ANSWERED: [row for row in asked if row.truth],
        "clapnq answers": [row for row in sets.clapnq(path) if row.truth],
        "hagrid and expertqa claims": sets.attribution(path),
    }
    for name, rows in shown.items():
        for number, row in enumerate(rows[:limit], start=1):
            yield _job("refusals", name, number, "", name == REFUSALS, request_of(row), lambda: 0.0)


def _pairs(path: Path, seed: int, per_kind: int) -> Iterator[Job]:
    texts = [" ".join(r.passages) for r in sets.clapnq(path)] + ["\n".join(r.passages) for r in sets.wice(path)]
    numbers: dict[str, int] = {}
    for pair in minimal_pairs(texts, per_kind, seed):
        number = numbers[pair.kind] = numbers.get(pair.kind, 0) + 1
        for variant, claim in (("true", pair.true), ("false", pair.false)):
            request = Request.model_validate({"query": "", "answer": claim, "retrieved_passages": [pair.passage]})
            base = partial(rouge_1_precision_baseline, claim, (pair.passage,))
            yield _job("pairs", pair.kind, number, variant, variant == "true", request, base)
