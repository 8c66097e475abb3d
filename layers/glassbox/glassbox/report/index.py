"""An overview of several evaluations on one page, each with a link to its report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report.asked import engine_of, models_of
from glassbox.report.bounds import FIELD, Shortened
from glassbox.report.html import page
from glassbox.report.measures import Judge, judges_of
from glassbox.report.plain import shorten
from glassbox.report.read import moment, objects, text
from glassbox.report.verdict import Verdict, verdict_of

MAX_ROWS: Final = 2_000
# A relative path below the overview's folder: no scheme, no host, no way up.
_LINK: Final = re.compile(r"(?!\.)[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,8}")


@dataclass(frozen=True, slots=True)
class Row:
    """One evaluation of an overview."""

    name: str
    """What a person calls it, such as the request's file; shown, never followed."""
    scorecard: Mapping[str, Any]
    """The scorecard, or its core."""
    report: str | None = None
    """Relative path of its report; a path that is none is shown without a link."""


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    verdict: Verdict
    judges: tuple[Judge, ...]
    engine: str
    created_at: str
    flags: int
    link: str


def render_index(rows: Iterable[Row]) -> str:
    """Return a self-contained HTML page with one line per evaluation; shows at most 2,000 and says what is left out."""
    every = list(rows)
    lines = [_line(row) for row in every[:MAX_ROWS]]
    counts = [(label, sum(x.verdict.label == label for x in lines)) for label in _labels(lines)]
    engines = sorted({line.engine for line in lines if line.engine})
    return page("index.html", lines=lines, counts=counts, engines=engines, left_out=len(every) - len(lines))


def _labels(lines: Iterable[_Line]) -> list[str]:
    return sorted({line.verdict.label for line in lines})


def _engine(scorecard: Mapping[str, Any]) -> str:
    models = ", ".join(models_of(scorecard))
    return f"llm, {models}" if models else engine_of(scorecard)


def _line(row: Row) -> _Line:
    flags = objects(row.scorecard.get("flags"))
    return _Line(
        name=shorten(row.name, FIELD),
        verdict=verdict_of(row.scorecard, 0, 0),
        judges=tuple(judges_of(row.scorecard, Shortened())),
        engine=_engine(row.scorecard),
        created_at=moment(shorten(text(row.scorecard.get("created_at")), FIELD)),
        flags=len(flags),
        link=row.report if row.report and _LINK.fullmatch(row.report) else "",
    )
