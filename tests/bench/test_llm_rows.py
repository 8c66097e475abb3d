"""The rows of the judge model's tables are those of the local engine's, and what they will cost is told before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

sys.path.append(str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "train"))

import llm_rows
import llm_sets
import measure
import pairs
import sets
from judged import judged, load_all

from glassbox.contract.request import Request
from glassbox.judges import contextual_precision, semantic_faithfulness
from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry

SEED = 7


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets")
    llm_sets.write(folder)
    return folder


@pytest.fixture
def seen() -> Iterator[list[Request]]:
    """Every request that the local judges are asked about, in order; they do their work."""
    found: list[Request] = []

    def watched(judge: Any) -> Any:
        def call(request: Request, *more: Any) -> Any:
            found.append(request)
            return judge(request, *more)

        return call

    with (
        mock.patch.object(semantic_faithfulness, "judge", watched(semantic_faithfulness.judge)),
        mock.patch.object(contextual_precision, "judge", watched(contextual_precision.judge)),
    ):
        yield found


def requests(data: Path, task: str, limit: int | None) -> list[Request]:
    return [job.local_request for job in llm_rows.jobs(data, limit, SEED, [task])]


@pytest.mark.parametrize("limit", [None, 4])
def test_every_row_is_one_of_the_local_tables_in_their_order(
    data: Path, seen: list[Request], limit: int | None
) -> None:
    tools = Tools(models=Registry())
    for rows in (*load_all(data, limit).values(), sets.clapnq_swapped(data)[:limit]):
        judged(rows, tools)
    assert requests(data, "faithfulness", limit) == seen
    seen.clear()
    measure.relevance(tools, data, limit)
    assert requests(data, "relevance", limit) == seen
    seen.clear()
    measure.relevancy(tools, data, limit)
    assert requests(data, "relevancy", limit) == seen


def test_minimal_pairs_are_those_of_the_local_tables(data: Path, seen: list[Request]) -> None:
    pairs.measure_pairs(Tools(models=Registry()), data, SEED, 2)
    assert len(seen) >= 8
    assert requests(data, "pairs", 2) == seen


def test_a_judge_model_is_shown_no_reference_where_the_question_alone_decides(data: Path) -> None:
    alone = [job for job in llm_rows.jobs(data, None, 7, ["relevance"]) if "question alone" in job.data]
    assert alone and {job.request.answer for job in alone} == {llm_rows.NO_ANSWER}


def test_a_run_that_ends_early_has_the_beginning_of_each_set_with_both_sides(data: Path) -> None:
    found = llm_rows.jobs(data, None, 7)
    order = [found[place] for place in llm_rows.side_by_side(found)]
    assert sorted(map(id, order)) == sorted(map(id, found))
    begun = order[: len(order) // 2]
    assert {job.task for job in begun} == set(llm_rows.SWITCHED_OFF)
    foreign = [job for job in begun if job.data == "clapnq, own or nearest foreign passage"]
    assert {job.truth for job in foreign} == {True, False}


def test_a_set_is_asked_for_by_its_task_and_name(data: Path) -> None:
    found = llm_rows.jobs(data, None, 7, ["relevance/clapnq-question-alone", "faithfulness/wice"])
    assert {job.data for job in found} == {"clapnq, question alone", "wice"}
