"""The lines of the table: one score on one set beside its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from figures import Area, area, difference


@dataclass(frozen=True)
class Line:
    """One score on one set beside its baseline."""

    task: str
    data: str
    score: str
    area: Area
    baseline: str
    baseline_area: Area
    difference: tuple[float, float, float]
    note: str = ""


def line(
    task: str, data: str, name: str, scores: Sequence[float], base: tuple[str, Sequence[float]], truths: Sequence[bool]
) -> Line:
    """Return a line of the table."""
    baseline, theirs = base
    return Line(
        task, data, name, area(scores, truths), baseline, area(theirs, truths), difference(scores, theirs, truths)
    )


def table(lines: Sequence[Line]) -> str:
    """Return the lines as text in columns."""
    rows = [("task", "data", "rows", "score", "AUROC [95 %]", "baseline", "AUROC", "difference [95 %]", "")]
    for item in lines:
        a, d = item.area, item.difference
        rows.append(
            (
                item.task,
                item.data,
                f"{a.positives}+{a.negatives}",
                item.score,
                f"{a.value:.3f} [{a.low:.3f}, {a.high:.3f}]",
                item.baseline,
                f"{item.baseline_area.value:.3f}",
                f"{d[0]:+.3f} [{d[1]:+.3f}, {d[2]:+.3f}]",
                item.note,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)
