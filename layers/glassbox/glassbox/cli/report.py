"""`glassbox report`: one HTML page of an evaluation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from glassbox.adapters.local.files import FileDocuments
from glassbox.cli.options import settings_of
from glassbox.cli.output import console
from glassbox.cli.verify import find_bundle
from glassbox.errors import StoreError, UsageError
from glassbox.report.html import render
from glassbox.verification.bundle import check_shape
from glassbox.verification.findings import Verification


def report(
    what: str, *, reader: Literal["business", "risk", "engineering"], out: Path | None, home: Path | None
) -> None:
    """Write the page and say where it is; `-` prints it. Raises UsageError for what is no bundle."""
    settings = settings_of(home)
    envelope = find_bundle(what, settings)
    if not check_shape(envelope, Verification("")):
        raise UsageError("Not a bundle", where=what, fix="Name a bundle that `evaluate --out` wrote, or an id")
    documents = FileDocuments(settings.home)
    evaluation_id = str(envelope["core"].get("evaluation_id"))
    scorecard = documents.get(evaluation_id, "scorecard") if documents.known(evaluation_id) else None
    page = render(
        envelope,
        ledger=scorecard["ledger"] if scorecard else None,
        usage=scorecard["usage"] if scorecard else None,
        reader=reader,
    )
    if out is not None and str(out) == "-":
        sys.stdout.write(page)
        return
    target = out or _beside(what, evaluation_id, reader, documents)
    try:
        target.write_text(page, "utf-8")
    except OSError as error:
        raise StoreError(
            error.strerror or "can't be written", where=str(target), fix="Name another place with --out"
        ) from None
    console().print(f"Report: {target}", markup=False, soft_wrap=True)


def _beside(what: str, evaluation_id: str, reader: str, documents: FileDocuments) -> Path:
    path = Path(what)
    if path.exists():
        return path.with_name(f"{path.name.removesuffix('.json').removesuffix('.bundle')}.{reader}.html")
    return documents.path(evaluation_id, "bundle").with_name(f"report.{reader}.html")
