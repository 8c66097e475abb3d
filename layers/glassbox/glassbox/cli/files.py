"""The files that `evaluate` writes: a report beside each bundle, an overview, and copies in the folder of `--out`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from glassbox.adapters.local.files import FileDocuments, pretty
from glassbox.adapters.local.runner import Outcome
from glassbox.errors import StoreError
from glassbox.report import Row, render, render_index


@contextmanager
def _as_store_error(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            error.strerror or "can't be written",
            where=str(error.filename or place),
            fix="The scorecards are committed all the same; `glassbox report ID --out` writes a report elsewhere",
        ) from None


def write_report(outcome: Outcome, documents: FileDocuments, out: Path | None) -> Path:
    """Write one evaluation's report, and with `out` its three files there; return the report's path."""
    scorecard = outcome.scorecard
    name = scorecard["evaluation_id"]
    page = render(outcome.envelope, ledger=scorecard["ledger"], usage=scorecard["usage"])
    bundle = documents.path(name, "bundle")
    report = bundle.with_name("report.html")
    with _as_store_error(report):
        report.write_text(page, "utf-8")
        report.chmod(0o600)
        if out is None:
            return report
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.scorecard.json").write_bytes(pretty(scorecard))
        shutil.copyfile(bundle, out / f"{name}.bundle.json")
        report = out / f"{name}.report.html"
        report.write_text(page, "utf-8")
    return report


def write_overview(rows: Sequence[tuple[str, Outcome]], home: Path, out: Path | None) -> Path:
    """Write one page that lists several evaluations, each with a link to its report; return its path."""
    target = (out or home) / "index.html"
    lines = [
        Row(
            name=where.rsplit("/", 1)[-1],
            scorecard=outcome.scorecard,
            report=f"{outcome.scorecard['evaluation_id']}.report.html"
            if out
            else f"evaluations/{outcome.scorecard['evaluation_id']}/report.html",
        )
        for where, outcome in rows
    ]
    with _as_store_error(target):
        target.write_text(render_index(lines), "utf-8")
        target.chmod(0o600)
    return target
