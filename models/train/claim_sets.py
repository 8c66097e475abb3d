"""Read the human-labelled sets that the claim checker is measured on as answers with passages and one truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from claim_data import clean_claim, clean_passage, read_lines


@dataclass(frozen=True)
class Row:
    """An answer with its passages and whether people found it supported."""

    answer: str
    passages: tuple[str, ...]
    supported: bool


def attribution_rows(folder: Path) -> list[Row]:
    """Return the claims of HAGRID and ExpertQA with their references."""
    rows = read_lines(folder / "attribution_hagrid_expertqa.jsonl")
    return [
        Row(clean_claim(r["answer"]), tuple(clean_passage(p) for p in r["passages"]), r["label"] == "faithful")
        for r in rows
    ]


def wice_rows(folder: Path) -> list[Row]:
    """Return the WiCE claims, supported against the rest."""
    rows = read_lines(folder / "wice.jsonl")
    return [Row(r["answer"], tuple(r["passages"]), r["label"] == "supported") for r in rows]


def mtrag_rows(folder: Path) -> list[Row]:
    """Return the MTRAG answers, mean faithfulness of at least 3.5 against the rest; some have no passages at all."""
    rows = read_lines(folder / "mtrag_human_eval.jsonl")
    return [Row(r["answer"], tuple(r["passages"]), r["label"]["faithfulness"] >= 3.5) for r in rows]


def mtrag_rows_with_passages(folder: Path) -> list[Row]:
    """Return the MTRAG answers that had passages; the others are refusals, which the product judges by other rules."""
    return [row for row in mtrag_rows(folder) if row.passages]


def clapnq_rows(folder: Path) -> list[Row]:
    """Return each answerable ClapNQ answer with its passage and with the answer of the most similar other row."""
    rows = [r for r in read_lines(folder / "clapnq.jsonl") if r["label"] == "answerable"]
    answers = [r["answer"] if isinstance(r["answer"], str) else r["answer"][0] for r in rows]
    bags = [set(answer.lower().split()) for answer in answers]
    result: list[Row] = []
    for i, row in enumerate(rows):
        others = [j for j in range(len(rows)) if j != i]
        nearest = max(others, key=lambda j: (len(bags[i] & bags[j]) / len(bags[i] | bags[j]), -j))
        result.append(Row(answers[i], tuple(row["passages"]), True))
        result.append(Row(answers[nearest], tuple(row["passages"]), False))
    return result


SETS: dict[str, Callable[[Path], list[Row]]] = {
    "attribution": attribution_rows,
    "wice": wice_rows,
    "mtrag": mtrag_rows,
    "mtrag_passages": mtrag_rows_with_passages,
    "clapnq_swapped": clapnq_rows,
}
