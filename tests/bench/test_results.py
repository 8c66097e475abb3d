"""What the benchmark's committed numbers decide, and that its pages say what its JSON says."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parent))

import growth
import markdown

from glassbox.contract.policy import built_in
from glassbox.models.registry import Registry

RESULTS = Path(__file__).resolve().parent / "results"
LEAVES = {
    "contextual_precision/contextual_precision": ("relevance", "relevance"),
    "semantic_faithfulness/faithfulness": ("faithfulness", "probabilities"),
    "semantic_faithfulness/answer_relevancy": ("relevancy", "answer_relevancy"),
    "structural_fidelity/relation_faithfulness": ("own question", "relation_faithfulness"),
}
"""Scored leaves that a bundled model decides, with the task and score of the table that answer their own question.

The entity extractor's question is which words are names; whether they stand in the sources is then looked up exactly.
Its table is that of names (below), beside taking capitalised words for names.
"""
ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"\d\.\d{3}")
CORPORA = ("crossner", "wnut17")
SETS = 2


@pytest.fixture(scope="module")
def body() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / "bench.json").read_text(encoding="utf-8"))
    return found


def lines(body: dict[str, Any], task: str, score: str) -> list[dict[str, Any]]:
    everything = [*body["faithfulness"]["lines"], *body["lines"]]
    return [line for line in everything if (line["task"], line["score"]) == (task, score)]


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_model_that_does_not_beat_plain_words_on_two_sets_is_off_by_default(leaf: str, body: dict[str, Any]) -> None:
    better = [line["data"] for line in lines(body, *LEAVES[leaf]) if line["gain"][1] > 0]
    assert len(better) >= SETS or not built_in("default").enabled(leaf), (leaf, better)


def test_faithfulness_is_nowhere_clearly_worse_than_plain_words(body: dict[str, Any]) -> None:
    for line in lines(body, "faithfulness", "probabilities"):
        assert line["gain"][2] > 0 or line["gain"][0] > -0.01, line["data"]


def test_names_are_found_better_than_by_their_capitals_on_two_sets_or_not_scored(body: dict[str, Any]) -> None:
    found = body["models"]["entities"]

    def f1(kind: str, corpus: str) -> float:
        return float(found[f"{kind}, spans only, {corpus}"]["f1"])

    better = [corpus for corpus in CORPORA if f1("model", corpus) > f1("capitalised words", corpus)]
    assert len(better) >= SETS or not built_in("default").enabled("structural_fidelity/entity_precision"), better
    assert found["model"]["f1"] >= 0.70


def test_related_names_are_found_better_than_by_sharing_a_sentence(body: dict[str, Any]) -> None:
    found = body["models"]["relations"]
    for order in ("ordered", "unordered"):
        assert found[order]["f1"] > found[f"same sentence, {order}"]["f1"]
    assert found["ordered"]["f1"] >= 0.45


def test_refusals_are_recognised_and_answers_are_not_taken_for_them(body: dict[str, Any]) -> None:
    assert body["refusals"]["share"] >= 0.90
    assert body["refusals"]["false_alarm_share"] <= 0.01


def test_minimal_pairs_are_told_apart(body: dict[str, Any]) -> None:
    assert body["models"]["minimal_pairs"]["all"]["accuracy"] >= 0.90


def test_metrics_equal_their_reference_libraries(body: dict[str, Any]) -> None:
    for reference in ("sacrebleu", "rouge-score"):
        assert body["parity"][reference]["largest_difference"] < 1e-5


def test_results_do_not_depend_on_repeats_threads_jobs_or_order(body: dict[str, Any]) -> None:
    varied = [item for item in body["determinism"].values() if isinstance(item, dict)]
    assert varied and all(item["different_results"] == 1 for item in varied)


def test_the_numbers_are_those_of_the_bundled_models(body: dict[str, Any]) -> None:
    bundled = {entry.name: entry.identity for entry in Registry().manifest.models}
    assert body["provenance"]["models"] == bundled


def test_the_page_is_written_from_the_json_alone(body: dict[str, Any]) -> None:
    assert (RESULTS / "bench.md").read_text(encoding="utf-8") == markdown.render(body)


@pytest.mark.parametrize("page", ["README.md", "docs/scoring.md"])
def test_the_quality_tables_of_the_pages_hold_no_number_of_their_own(page: str) -> None:
    measured = set(NUMBER.findall((RESULTS / "bench.md").read_text(encoding="utf-8")))
    text = (ROOT / page).read_text(encoding="utf-8")
    rows = [
        row for row in text.splitlines() if row.startswith("|") and ("WiCE" in row or "ClapNQ" in row or "MTRAG" in row)
    ]
    assert len(rows) > 5
    assert [number for row in rows for number in NUMBER.findall(row) if number not in measured] == []


def test_the_plot_shows_every_size_that_was_timed(body: dict[str, Any], tmp_path: Path) -> None:
    growth.plot(body["growth"], tmp_path / "growth.svg")
    drawn = (tmp_path / "growth.svg").read_text(encoding="utf-8")
    assert drawn == (RESULTS / "growth.svg").read_text(encoding="utf-8")
    circles = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}circle")
    assert len(list(circles)) == sum(len(side["sizes"]) for side in body["growth"].values())
