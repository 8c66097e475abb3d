"""Rows that were scored, as the tables need them: beside the local engine's, as answers, and as pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from intervals import Interval
from judged import JudgedAnswer
from llm_found import Found
from llm_running import Outcome


@dataclass(frozen=True)
class Row:
    """A row that the judge model scored, with its baseline and what the local engine found on it."""

    outcome: Outcome
    found: Found
    local: Found | None

    @property
    def truth(self) -> bool:
        return self.outcome.job.truth


def scored(found: Sequence[tuple[Outcome, Found | None]]) -> Iterator[Row]:
    for one, beside in found:
        if one.found is not None and one.found.score is not None:
            yield Row(one, one.found, beside)


def answers(rows: Sequence[Row], of: Callable[[Row], Found] = lambda row: row.found) -> list[JudgedAnswer]:
    """Return rows as the local tables have them; the word scores are not looked at here."""
    return [
        JudgedAnswer(f"{r.outcome.job.row:06d}", r.truth, of(r).claims, 0.0, 0.0, 0.0, of(r).value)
        for r in rows
        if of(r).claims
    ]


def both_sides(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return the pairs of which both the true and the false side were judged."""
    sides: dict[int, dict[str, Row]] = {}
    for row in rows:
        sides.setdefault(row.outcome.job.row, {})[row.outcome.job.variant] = row
    return [(found["true"], found["false"]) for found in sides.values() if len(found) == 2]


def right(
    pair: tuple[Row, Row], verdict: Callable[[Found], str], of: Callable[[Row], Any] = lambda r: r.found
) -> float:
    """Return the accuracy on one pair: a half for each side that is called rightly."""
    true, false = (verdict(of(side)) for side in pair)
    return ((true == "supported") + (false != "supported")) / 2


def rounded(found: Interval | None) -> list[float] | None:
    return None if found is None else [round(value, 4) for value in found]
