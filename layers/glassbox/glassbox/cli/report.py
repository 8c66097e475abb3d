"""`glassbox report`: one HTML page of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from glassbox.adapters.local.files import FileDocuments
from glassbox.cli.options import settings_of
from glassbox.cli.output import console, printable, write_utf8
from glassbox.cli.verify import find_bundle
from glassbox.errors import InputError, StoreError
from glassbox.report.html import render
from glassbox.verification.bundle import check_content, check_shape
from glassbox.verification.findings import Verification


def report(
    what: str, *, reader: Literal["business", "risk", "engineering"], out: Path | None, home: Path | None
) -> None:
    """Write the page and say where it is; `-` prints it. Raises UsageError for what is no bundle."""
    settings = settings_of(home)
    envelope, _ = find_bundle(what, settings)
    _demand_sound(what, envelope)
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
        write_utf8(page)
        return
    target = out or _beside(what, evaluation_id, reader, documents)
    try:
        target.write_text(page, "utf-8")
    except OSError as error:
        raise StoreError(
            error.strerror or "can't be written", where=str(target), fix="Name another place with --out"
        ) from None
    console().print(f"Report: {target}", markup=False, soft_wrap=True)


def _demand_sound(what: str, envelope: Mapping[str, Any]) -> None:
    """Refuse what doesn't hold together: a page would lend a changed bundle the looks of a checked one."""
    verification = Verification("")
    if check_shape(envelope, verification):
        check_content(envelope, verification)
    if verification.findings:
        count = len(verification.findings)
        raise InputError(
            f"This bundle is not as it was made: {count} difference{'s' if count != 1 else ''}",
            where=printable(what),
            fix="`glassbox verify` lists them; no report is made of a changed bundle",
        )


def _beside(what: str, evaluation_id: str, reader: str, documents: FileDocuments) -> Path:
    path = Path(what)
    if path.exists():
        return path.with_name(f"{path.name.removesuffix('.json').removesuffix('.bundle')}.{reader}.html")
    return documents.path(evaluation_id, "bundle").with_name(f"report.{reader}.html")
