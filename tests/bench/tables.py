"""The quality tables: every set and every measurement beside its lexical baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import calibration
import extraction
import measure
import own_question
import pairs
import sets
from judged import judged, load_all
from lines import Line

from glassbox.contract.policy import compile_policy
from glassbox.judges import semantic_faithfulness
from glassbox.judges.tools import Tools
from glassbox.text.refusal import is_refusal

IN_DOMAIN = {
    "attribution": "the claim checker was trained on other questions of the same two sources",
    "ner_wnut_crossner": "the entity extractor was trained on other splits of the same corpora",
    "re_redocred": "the relation extractor was trained on other documents of the same corpus",
}
"""Sets of which a sister split was trained on; how general a judge is, the others tell."""


def faithfulness(tools: Tools, path: Path, limit: int | None) -> dict[str, Any]:
    """Return the lines about faithfulness, and from the same judgements reliability, coverage and constants."""
    found = {name: judged(rows, tools) for name, rows in load_all(path, limit).items()}
    swapped = judged(sets.clapnq_swapped(path)[:limit], tools)
    lines = [i for n, answers in found.items() for i in measure.faithfulness_lines(n, answers)]
    lines += measure.faithfulness_lines("clapnq_swapped", swapped)
    everything = [answer for answers in found.values() for answer in answers]
    return {
        "lines": as_rows(lines),
        "reliability": {n: calibration.reliability(a) for n, a in {**found, "all": everything}.items()},
        "coverage": {n: calibration.coverage(a) for n, a in {**found, "clapnq_swapped": swapped}.items()},
        "leave_one_set_out": calibration.leave_one_out(found),
    }


def lines(tools: Tools, path: Path, limit: int | None, seed: int) -> list[dict[str, Any]]:
    """Return the lines about relevance, relevancy and structure."""
    tasks = (measure.relevance, measure.relevancy, measure.structure)
    found = [item for task in tasks for item in task(tools, path, limit)]
    return as_rows(found + own_question.lines(tools, path, seed, limit or own_question.MOST))


def refusals(tools: Tools, path: Path) -> dict[str, Any]:
    """Return how many refusals are recognised, and how many answers that are none are taken for one."""
    policy = compile_policy({"name": "n", "extends": "default", "disable": ["semantic_faithfulness/faithfulness"]})

    def refused(row: sets.Row) -> bool:
        result = semantic_faithfulness.judge(measure.request_of(row), policy, tools)
        measured = result.measurement("answer_relevancy")
        return measured is not None and measured.reason == "refusal"

    asked = sets.mtragun(path)
    right = [refused(row) for row in asked if not row.truth]
    others = {
        "mtrag-un answerable": [row.answer for row in asked if row.truth],
        "clapnq answers": [row.answer for row in sets.clapnq(path) if row.truth],
        "hagrid and expertqa claims": [row.answer for row in sets.attribution(path)],
    }
    alarms = {name: [sum(is_refusal(a).recognised for a in answers), len(answers)] for name, answers in others.items()}
    return {
        "recognised": [sum(right), len(right)],
        "share": round(sum(right) / max(1, len(right)), 4),
        "false_alarms": alarms,
        "false_alarm_share": round(sum(a for a, _ in alarms.values()) / max(1, sum(n for _, n in alarms.values())), 4),
    }


def models(tools: Tools, path: Path, limit: int | None, seed: int) -> dict[str, Any]:
    """Return how well names and relations are found, how stable relations are, and the minimal pairs."""
    return {
        "entities": extraction.entities(tools, path, limit),
        "relations": extraction.relations(tools, path, limit),
        "relations_reordered": extraction.reordered(tools, path, limit, seed),
        "minimal_pairs": pairs.measure_pairs(tools, path, seed, pairs.PER_KIND if limit is None else limit),
    }


def as_rows(found: Sequence[Line]) -> list[dict[str, Any]]:
    """Return lines as JSON objects, rounded, those of an in-domain set marked."""
    rows = []
    for item in found:
        row = asdict(item)
        area, base = row.pop("area"), row.pop("baseline_area")
        rows.append(
            {
                **{k: v for k, v in row.items() if k != "difference"},
                "in_domain": item.data in IN_DOMAIN,
                "positives": area["positives"],
                "negatives": area["negatives"],
                "auroc": round(area["value"], 4),
                "interval": [round(area["low"], 4), round(area["high"], 4)],
                "baseline_auroc": round(base["value"], 4),
                "gain": [round(v, 4) for v in item.difference],
            }
        )
    return rows
