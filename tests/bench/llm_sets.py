"""Small labelled sets of our own in the form of the real ones, for the tests of the judge model's benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from workload import PEOPLE, TOWNS, sentence

ROWS = 6


def write(folder: Path) -> list[str]:
    """Write the five files and return every text in them, none of which may stand in a table."""
    rng = Random(5)
    rows = [_row(rng, number) for number in range(ROWS)]
    even = [number % 2 == 0 for number in range(ROWS)]
    labels = {
        "attribution_hagrid_expertqa": ["faithful" if right else "unfaithful" for right in even],
        "wice": ["supported" if right else "not_supported" for right in even],
        "mtrag_human_eval": [{"faithfulness": 4.0 if right else 1.5} for right in even],
        "clapnq": ["answerable" if number < ROWS - 1 else "unanswerable" for number in range(ROWS)],
        "mtragun_answerability": ["answerable" if number < 4 else "unanswerable" for number in range(ROWS)],
    }
    for name, marks in labels.items():
        made = [_labelled(name, row, mark, right) for row, mark, right in zip(rows, marks, even, strict=True)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    texts = [text for row in rows for text in (row["query"], row["answer"], row["wrong"], *row["sentences"])]
    return [*texts, *PEOPLE, *TOWNS]


def _row(rng: Random, number: int) -> dict[str, Any]:
    sentences = [sentence(rng) for _ in range(8)]
    return {
        "id": f"row-{number}",
        "query": f"What is told of the {PEOPLE[number]} report number {number} about {sentences[2].split()[1]}s?",
        "sentences": sentences,
        "answer": f"{sentences[2]} {sentences[5]}",
        "wrong": f"The archive of {TOWNS[number]} burnt down in {1800 + number}, long before any of it was built.",
    }


def _labelled(name: str, row: dict[str, Any], mark: Any, right: bool) -> dict[str, Any]:
    passages = row["sentences"] if name == "wice" else [" ".join(row["sentences"][i::2]) for i in range(2)]
    answer = row["answer"] if right or name == "clapnq" else row["wrong"]
    if mark == "unanswerable":
        answer = "I don't know." if name.startswith("mtragun") else ""
    return {"id": row["id"], "query": row["query"], "passages": passages, "answer": answer, "label": mark}
