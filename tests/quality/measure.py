"""Measure the local judges on labelled data beside the lexical baseline, and print a table.

    python tests/quality/measure.py [--data DIR] [--models DIR] [--json FILE] [--only TASK ...] [--rows N]

Tasks: faithfulness, relevance, relevancy, refusals, structure. Each row is one score on one set: its AUROC
with a 95 % bootstrap interval, the baseline's AUROC on the same rows, and the paired difference with its interval.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import sets
from judged import JudgedAnswer, judged, load_all, request_of
from lines import Line, line, table

from glassbox.contract.policy import Policy, built_in, compile_policy
from glassbox.errors import GlassBoxError
from glassbox.judges import contextual_precision, semantic_faithfulness, structural_fidelity
from glassbox.judges.tools import Tools
from glassbox.judges.words import keys, share_in
from glassbox.metrics.alignment import rouge_1_precision_baseline
from glassbox.models.registry import Registry


def faithfulness(tools: Tools, path: Path, limit: int | None) -> list[Line]:
    """Return how well faithfulness and the aligned scores tell supported answers from others."""
    return [
        item
        for name, rows in {**load_all(path, limit), "clapnq_swapped": sets.clapnq_swapped(path)[:limit]}.items()
        for item in faithfulness_lines(name, judged(rows, tools))
    ]


def faithfulness_lines(name: str, answers: Sequence[JudgedAnswer]) -> list[Line]:
    """Return the lines of one judged set."""
    columns = {
        "verdicts": [a.verdicts for a in answers],
        "probabilities": [a.graded for a in answers],
        "probabilities, by length": [a.graded_by_length for a in answers],
        "probabilities + ROUGE-1 precision": [(a.graded + a.rouge_1) / 2 for a in answers],
        "aligned ROUGE-L": [a.rouge_l for a in answers],
        "aligned BLEU-4": [a.bleu_4 for a in answers],
    }
    baseline, truths = ("ROUGE-1 precision", [a.rouge_1 for a in answers]), [a.truth for a in answers]
    return [line("faithfulness", name, score, values, baseline, truths) for score, values in columns.items()]


def relevance(tools: Tools, path: Path, limit: int | None) -> list[Line]:
    """Return how well passages that hold the answer are told from passages that don't."""
    policy = built_in("default")
    own = sets.clapnq(path)[:limit]
    lines = [_relevance(tools, policy, "clapnq, question alone", [(r, "-", r.truth) for r in own])]
    answered = [r for r in own if r.truth]
    foreign = [(_with_passage(r, other), r.answer, False) for r in answered for other in _nearest(r, answered, 2)]
    pairs = [(r, r.answer, True) for r in answered] + foreign
    lines.append(_relevance(tools, policy, "clapnq, own or nearest foreign passage", pairs))
    asked = [r for r in sets.mtragun(path)[:limit] if r.truth]
    strangers = [(_with_passage(r, other), "-", False) for r in asked for other in _nearest(r, asked, 1)]
    mixed = [(r, "-", True) for r in asked] + strangers
    lines.append(_relevance(tools, policy, "mtrag-un, own or nearest foreign, question alone", mixed))
    return lines


def _with_passage(row: sets.Row, other: sets.Row) -> sets.Row:
    return sets.Row(row.identity, row.query, other.passages, row.answer, False)


def _nearest(row: sets.Row, rows: Sequence[sets.Row], most: int) -> list[sets.Row]:
    asked = set(keys(row.query))
    others = [o for o in rows if o.passages != row.passages]
    return sorted(others, key=lambda o: (-len(asked & set(keys(o.passages[0]))), o.identity))[:most]


def _relevance(tools: Tools, policy: Policy, data: str, items: Sequence[tuple[sets.Row, str, bool]]) -> Line:
    scores, base, truths, right = [], [], [], 0
    for row, answer, truth in items:
        result = contextual_precision.judge(request_of(row, answer), policy, tools)
        measured = result.measurement("contextual_precision")
        verdicts = measured.evidence if measured else ()
        scores.append(max((_evidence(item) for item in verdicts), default=0.0))
        right += any(item["relevant"] for item in verdicts) == truth
        words = set(keys(row.query)) | (set(keys(answer)) if answer != "-" else set())
        base.append(max(share_in(words, set(keys(p))) or 0.0 for p in row.passages))
        truths.append(truth)
    found = line("relevance", data, "relevance", scores, ("shared words", base), truths)
    return replace(found, note=f"verdicts right {right / len(items):.3f}")


def _evidence(item: dict[str, Any]) -> float:
    near, overlap = item["reference_similarity"], item["overlap"]
    if near is None or overlap is None:
        return float(item["similarity"] or 0.0)
    return 2.5 * float(item["similarity"]) + 6.0 * float(near) + 6.0 * float(overlap)


def relevancy(tools: Tools, path: Path, limit: int | None) -> list[Line]:
    """Return how well answers are told from the answers to other questions that are nearest in words."""
    policy = compile_policy({"name": "r", "extends": "default", "disable": ["semantic_faithfulness/faithfulness"]})
    lines = []
    for name, rows in (("clapnq", sets.clapnq(path)), ("attribution", sets.attribution(path))):
        answered = [r for r in rows if r.answer.strip() and (name != "clapnq" or r.truth)][:limit]
        random = Random(3)
        scores, base, truths = [], [], []
        for row in answered:
            others = [o for o in answered if o.query != row.query]
            asked = set(keys(row.query))
            near = max(others, key=lambda o: (len(asked & set(keys(o.answer))), o.identity))
            for answer, truth in ((row.answer, True), (near.answer, False), (random.choice(others).answer, False)):
                result = semantic_faithfulness.judge(request_of(row, answer), policy, tools)
                measured = result.measurement("answer_relevancy")
                if measured is None or measured.micros is None:
                    continue
                scores.append(measured.micros / 1e6)
                base.append(share_in(keys(row.query), set(keys(answer))) or 0.0)
                truths.append(truth)
        found = line("relevancy", name, "answer_relevancy", scores, ("shared words", base), truths)
        passed = [sum(s > 0.8 for s, t in zip(scores, truths, strict=True) if t is want) for want in (True, False)]
        note = f"above 0.80: {passed[0]}/{sum(truths)} right, {passed[1]}/{len(truths) - sum(truths)} wrong answers"
        lines.append(replace(found, note=note))
    return lines


def refusals(tools: Tools, path: Path, limit: int | None) -> list[Line]:
    """Return how well answers to unanswerable questions are recognised as refusals (1 for a refusal, 0 for none)."""
    policy = compile_policy({"name": "n", "extends": "default", "disable": ["semantic_faithfulness/faithfulness"]})
    scores, base, truths = [], [], []
    for row in sets.mtragun(path)[:limit]:
        result = semantic_faithfulness.judge(request_of(row), policy, tools)
        measured = result.measurement("answer_relevancy")
        scores.append(float(measured is not None and measured.reason == "refusal"))
        base.append(-float(len(row.answer)))
        truths.append(not row.truth)
    return [line("refusals", "mtrag-un", "refusal recognised", scores, ("shortness", base), truths)]


def structure(tools: Tools, path: Path, limit: int | None) -> list[Line]:
    """Return how well names and relations that stand in the sources tell supported answers from others."""
    policy, lines = built_in("default"), []
    for name, load in sets.FAITHFULNESS.items():
        found: dict[str, list[tuple[float, float, bool]]] = {"entity_precision": [], "relation_faithfulness": []}
        for row in load(path)[:limit]:
            result = structural_fidelity.judge(request_of(row), policy, tools)
            base = rouge_1_precision_baseline(row.answer, row.passages)
            for score, rows in found.items():
                measured = result.measurement(score)
                if measured is not None and measured.micros is not None:
                    rows.append((measured.micros / 1e6, base, row.truth))
        for score, rows in found.items():
            values, theirs, truths = ([r[i] for r in rows] for i in range(3))
            lines.append(
                line("structure", name, score, values, ("ROUGE-1 precision", theirs), [bool(t) for t in truths])
            )
    return lines


TASKS: dict[str, Callable[[Tools, Path, int | None], list[Line]]] = {
    "faithfulness": faithfulness,
    "relevance": relevance,
    "relevancy": relevancy,
    "refusals": refusals,
    "structure": structure,
}


def main(argv: list[str] | None = None) -> int:
    """Run the tasks, print the table, write the JSON; returns 1 where a task could not run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="*", choices=sorted(TASKS), default=list(TASKS))
    parser.add_argument("--rows", type=int)
    options = parser.parse_args(argv)
    tools, lines, failed = Tools(models=Registry(options.models)), [], {}
    for task in options.only:
        started = time.perf_counter()
        try:
            lines += TASKS[task](tools, sets.folder(options.data), options.rows)
        except (GlassBoxError, OSError) as error:
            failed[task] = str(error)
            print(f"{task}: {error}", file=sys.stderr)
        print(f"{task}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    print(table(lines))
    if options.json:
        body = {"lines": [asdict(item) for item in lines], "failed": failed}
        options.json.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
