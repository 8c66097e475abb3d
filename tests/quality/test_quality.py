"""The local judges on labelled data: each claim of the documentation about their quality is a statement here.

Long, and only where the labelled sets are at hand (GLASSBOX_DATA, else ../shared/data).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import measure
import sets
from lines import Line

from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sets.folder().is_dir(), reason="the labelled sets are not at hand"),
]


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools(models=Registry())


def by_name(lines: list[Line]) -> dict[tuple[str, str], Line]:
    return {(line.data, line.score): line for line in lines}


def test_faithfulness_beats_the_lexical_baseline_on_attributed_claims_and_cited_pages(tools: Tools) -> None:
    lines = by_name(measure.faithfulness(tools, sets.folder(), None))
    for data in ("attribution", "wice"):
        line = lines[data, "probabilities"]
        assert line.area.value > line.baseline_area.value, data


def test_relevance_tells_own_passages_from_foreign_ones(tools: Tools) -> None:
    lines = by_name(measure.relevance(tools, sets.folder(), None))
    assert lines["clapnq, own or nearest foreign passage", "relevance"].area.value > 0.95
    alone = lines["clapnq, question alone", "relevance"]
    assert alone.area.value > alone.baseline_area.value


def test_relevancy_beats_shared_words_on_both_sets(tools: Tools) -> None:
    for line in measure.relevancy(tools, sets.folder(), None):
        assert line.difference[1] > 0, line.data


def test_refusals_are_recognised(tools: Tools) -> None:
    (line,) = measure.refusals(tools, sets.folder(), None)
    assert line.area.value > 0.95
