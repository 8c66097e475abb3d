"""The labelled sets that the judges are measured on, as questions with passages, an answer and a truth."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT = Path(__file__).parents[3] / "shared" / "data"
WHOLLY_FAITHFUL = 3.5
"""Mean rating (1 to 4) from which raters call an answer faithful."""


@dataclass(frozen=True)
class Row:
    """One labelled item."""

    identity: str
    query: str
    passages: tuple[str, ...]
    answer: str
    truth: bool


def folder(path: Path | None = None) -> Path:
    """Return the folder of the sets: the argument, else GLASSBOX_DATA, else ../shared/data beside the repository."""
    return path or Path(os.environ.get("GLASSBOX_DATA") or DEFAULT)


def read(name: str, path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of one file."""
    with (path / f"{name}.jsonl").open(encoding="utf-8") as handle:
        for line in handle:
            yield json.loads(line)


def attribution(path: Path) -> list[Row]:
    """Claims with the references that were given for them: supported or not."""
    return [
        Row(r["id"], r["query"], tuple(r["passages"]), r["answer"], r["label"] == "faithful")
        for r in read("attribution_hagrid_expertqa", path)
        if r["passages"]
    ]


def wice(path: Path) -> list[Row]:
    """Wikipedia claims with the cited page, sentence by sentence joined to passages of ten: wholly supported or not."""
    rows = []
    for r in read("wice", path):
        sentences = r["passages"]
        passages = tuple("\n".join(sentences[i : i + 10]) for i in range(0, len(sentences), 10))
        rows.append(Row(r["id"], r["query"], passages, r["answer"], r["label"] == "supported"))
    return rows


def mtrag(path: Path) -> list[Row]:
    """Answers of RAG systems with ratings of two or three people: wholly faithful or not."""
    return [
        Row(r["id"], r["query"], tuple(r["passages"]), r["answer"], r["label"]["faithfulness"] >= WHOLLY_FAITHFUL)
        for r in read("mtrag_human_eval", path)
        if r["passages"] and r["answer"].strip()
    ]


def clapnq(path: Path) -> list[Row]:
    """Questions with a passage on the right subject: does it hold the answer?"""
    return [
        Row(r["id"], r["query"], tuple(r["passages"]), r["answer"], r["label"] == "answerable")
        for r in read("clapnq", path)
    ]


def clapnq_swapped(path: Path) -> list[Row]:
    """Each ClapNQ answer with its own passage, and the most similar answer to another question in its place."""
    rows = [r for r in clapnq(path) if r.truth and r.answer.strip()]
    bags = [set(r.answer.lower().split()) for r in rows]
    found = []
    for i, row in enumerate(rows):
        others = [j for j in range(len(rows)) if rows[j].passages != row.passages]
        near = max(others, key=lambda j: (len(bags[i] & bags[j]) / len(bags[i] | bags[j]), -j))
        found.append(row)
        found.append(Row(f"{row.identity}/swapped", row.query, row.passages, rows[near].answer, False))
    return found


def mtragun(path: Path) -> list[Row]:
    """Questions with the passages retrieved: answerable or not; the answers were written by people."""
    return [
        Row(r["id"], r["query"], tuple(r["passages"]), r["answer"], r["label"] == "answerable")
        for r in read("mtragun_answerability", path)
        if r["label"] in ("answerable", "unanswerable")
    ]


FAITHFULNESS: dict[str, Callable[[Path], list[Row]]] = {"attribution": attribution, "wice": wice, "mtrag": mtrag}
"""Sets whose truth is that the passages support the answer."""
