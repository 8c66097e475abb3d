"""`glassbox ledger`: reading the ledger, and walking all of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from glassbox.cli.options import AsJson, Home, settings_of
from glassbox.cli.output import EXIT_FAIL, console, err, print_json
from glassbox.errors import LedgerDamaged, StoreError
from glassbox_contract.arithmetic import MICRO

if TYPE_CHECKING:
    from glassbox.ledger.embedded import EmbeddedLedger

app = typer.Typer(
    help="Read the ledger: records, history, exports; `fsck` re-computes all of it.", no_args_is_help=True
)

EvaluationId = Annotated[str, typer.Argument(metavar="ID", help="The id of an evaluation.")]


@contextmanager
def _ledger(home: Path | None) -> Iterator[EmbeddedLedger]:
    from glassbox.adapters.local.home import open_ledger

    with open_ledger(settings_of(home).home) as ledger:
        yield ledger


def _micros(value: int | None) -> str:
    return "none" if value is None else f"{value / MICRO:.4f}"


@app.command()
def show(
    evaluation_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="One evaluation. Without it the records of a day are listed.")
    ] = None,
    day: Annotated[
        str | None, typer.Option("--day", help="A UTC day, YYYY-MM-DD. Default: every day.", show_default=False)
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="List what was opened and never scored.")] = False,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Show a record as it stands on the ledger, or list the records: id, time, trust, decision, block."""
    with _ledger(home) as ledger:
        if evaluation_id is not None:
            held = ledger.get(evaluation_id)
            if as_json:
                print_json(held)
            else:
                _print_record(held)
            return
        rows = list(_pages(ledger, day, opened=opened))
    if as_json:
        print_json(rows)
        return
    table = Table()
    for heading in ("evaluation", "created", "trust", "decision", "block"):
        table.add_column(heading, no_wrap=heading == "evaluation")
    for row in rows:
        record = row.get("record", {})
        table.add_row(
            str(record.get("evaluation_id", row.get("id", ""))),
            str(record.get("created_at", row.get("tx_timestamp", ""))),
            _micros(record.get("trust")),
            str(record.get("decision", "opened, not scored")),
            str(row.get("block", "")),
        )
    console().print(table)
    console().print(f"{len(rows)} record{'s' if len(rows) != 1 else ''}")


def _pages(ledger: EmbeddedLedger, day: str | None, *, opened: bool) -> Iterator[dict[str, Any]]:
    if day is None and not opened:
        import json

        yield from (json.loads(line) for line in ledger.export("records"))
        return
    bookmark = ""
    while True:
        page = ledger.list_open(bookmark=bookmark) if opened else ledger.list_by_day(str(day), bookmark=bookmark)
        yield from (dict(item) for item in page.items)
        bookmark = page.bookmark
        if not bookmark:
            return


def _print_record(held: dict[str, Any]) -> None:
    record = held["record"]
    screen = console()
    screen.print(f"{record['evaluation_id']}  {record['decision']}  trust {_micros(record['trust'])}", markup=False)
    screen.print(f"created {record['created_at']}  attempt {record['attempt']}  block {held['block']}", markup=False)
    screen.print(
        f"policy  {record['policy_digest']}\nbundle  {record['bundle_digest']}\ncore    {record['core_digest']}"
    )
    table = Table()
    for heading in ("node", "status", "value", "ratio", "passed"):
        table.add_column(heading)
    for path, node in record["nodes"].items():
        ratio = "" if node["den"] is None else f"{node['num']}/{node['den']}"
        passed = {True: "yes", False: "no", None: ""}[node["passed"]]
        table.add_row(path, node["status"], "" if node["value"] is None else _micros(node["value"]), ratio, passed)
    screen.print(table)
    flags = ", ".join(f"{f['code']} x{f['count']}" for f in record["flags"]) or "none"
    screen.print(f"flags: {flags}", markup=False)


@app.command()
def history(evaluation_id: EvaluationId, as_json: AsJson = False, home: Home = None) -> None:
    """Show every write under an id (there is one, ever) and the records that it supersedes or is superseded by."""
    with _ledger(home) as ledger:
        found = ledger.history(evaluation_id)
    if as_json:
        print_json(found)
        return
    screen = console()
    for write in found["writes"]:
        screen.print(
            ", ".join(f"{key} {value}" for key, value in write.items() if not isinstance(value, dict)),
            markup=False,
            soft_wrap=True,
        )
    screen.print(
        f"supersedes {found['supersedes'] or 'nothing'}; superseded by {found['superseded_by'] or 'nothing'}",
        markup=False,
    )


@app.command()
def export(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.", show_default=False)
    ] = None,
    kind: Annotated[
        Literal["records", "blocks"], typer.Option("--kind", help="A JSON line for each record or block.")
    ] = "records",
    proof: Annotated[
        str | None,
        typer.Option(
            "--proof", metavar="ID", help="Only the proof of one evaluation, for `verify --proof`.", show_default=False
        ),
    ] = None,
    home: Home = None,
) -> None:
    """Write records, whole blocks, or the proof with which a third party checks one scorecard offline."""
    import json

    with _ledger(home) as ledger:
        lines = iter([json.dumps(ledger.proof(proof), sort_keys=True)]) if proof else ledger.export(kind)
        if out is None:
            for line in lines:
                sys.stdout.write(line + "\n")
            return
        count = 0
        try:
            with out.open("w", encoding="utf-8") as file:
                for line in lines:
                    file.write(line + "\n")
                    count += 1
        except OSError as error:
            raise StoreError(
                error.strerror or "can't be written", where=str(out), fix="Name another file with --out"
            ) from None
    err().print(f"{out}: {'the proof' if proof else f'{count} {kind}'}")


@app.command()
def checkpoint(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.", show_default=False)
    ] = None,
    home: Home = None,
) -> None:
    """Write the ledger's signed head. Kept elsewhere, it lets `fsck --checkpoint` find a cut tail or a new chain."""
    import json

    with _ledger(home) as ledger:
        text = json.dumps(ledger.checkpoint(), indent=1, sort_keys=True) + "\n"
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise StoreError(
            error.strerror or "can't be written", where=str(out), fix="Name another file with --out"
        ) from None


@app.command()
def fsck(
    checkpoint_file: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="A checkpoint written earlier and kept elsewhere.", show_default=False),
    ] = None,
    as_json: AsJson = False,
    home: Home = None,
) -> None:
    """Re-compute the whole ledger: every block, signature, record and index. Exit code 0 intact, 9 not."""
    from glassbox.cli.verify import read_json

    held = read_json(checkpoint_file) if checkpoint_file else None
    try:
        with _ledger(home) as ledger:
            report = ledger.fsck(held)
    except LedgerDamaged as error:
        if as_json:
            print_json(
                {
                    "intact": False,
                    "statement": str(error),
                    "findings": [{"code": error.kind, "height": None, "detail": error.what}],
                }
            )
        else:
            console().print(f"✗ {error}", markup=False, soft_wrap=True)
        raise typer.Exit(EXIT_FAIL) from None
    if as_json:
        print_json(report.to_json())
    else:
        screen = console()
        for finding in report.findings:
            place = "" if finding.height is None else f"block {finding.height}: "
            screen.print(f"✗ {place}{finding.code}: {finding.detail}", markup=False, soft_wrap=True)
        screen.print(
            f"{report.records} records, height {report.height}. {report.statement}", markup=False, soft_wrap=True
        )
        for evaluation_id in report.never_scored:
            screen.print(f"opened and never scored: {evaluation_id}", markup=False)
    if not report.intact:
        raise typer.Exit(EXIT_FAIL)


@app.command()
def key(home: Home = None) -> None:
    """Print the ledger's public key (hex): publish it, so that others can check your proofs with --trust."""
    with _ledger(home) as ledger:
        sys.stdout.write(ledger.public_key() + "\n")
