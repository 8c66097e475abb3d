"""`glassbox ledger`: reading the ledger, and walking all of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from glassbox.cli import ledger_arguments as arguments
from glassbox.cli.options import AsJson, Home, LedgerOption, Profile, settings_of
from glassbox.cli.output import EXIT_FAIL, err, print_json
from glassbox.errors import StoreError
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes

if TYPE_CHECKING:
    from glassbox.ledger.port import LedgerPort
    from glassbox.settings import Settings

app = typer.Typer(
    help="Read the ledger: records, history, exports; `fsck` re-computes all of it.", no_args_is_help=True
)

_PAGE: Final = 200

EvaluationId = Annotated[str, typer.Argument(metavar="ID", help="The id of an evaluation.")]


@contextmanager
def _ledger(settings: Settings) -> Iterator[LedgerPort]:
    from glassbox.adapters.local.home import ledger_for_reading

    with ledger_for_reading(settings) as ledger:
        yield ledger


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
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Show a record as it stands on the ledger, or list the records: id, time, trust, decision, block.

    With --json a record is {record, digest, block, tx_id, tx_timestamp, submitter}, alone or in a list, oldest first.
    """
    from glassbox.cli import ledger_listing as listing

    arguments.refuse_both(("ID", evaluation_id is not None), ("--day", day is not None), ("--open", opened))
    wanted = None if evaluation_id is None else arguments.identifier(evaluation_id, "ID")
    of_day = None if day is None else arguments.day(day)
    with _ledger(settings_of(home, ledger, profile)) as held:
        if wanted is not None:
            rows = [held.get(wanted)]
        elif opened:
            rows = [{**row, "opened_at": checks.format_timestamp(row["tx_timestamp"])} for row in _openings(held)]
        else:
            rows = [held.get(name) for name in _names(held, of_day)]
            rows.sort(key=lambda row: int(row["block"]))
    if as_json:
        print_json(rows if wanted is None else rows[0])
    elif wanted is not None:
        listing.print_record(rows[0])
    elif opened:
        listing.print_openings(rows)
    else:
        listing.print_records(rows)


def _names(ledger: LedgerPort, day: str | None) -> Iterator[str]:
    """Yield the ids of a day's records, or of all."""
    if day is None:
        import json

        for line in ledger.export("records"):
            yield json.loads(line)["record"]["evaluation_id"]
        return
    bookmark = ""
    while True:
        page = ledger.list_by_day(day, page_size=_PAGE, bookmark=bookmark)
        yield from (str(item["id"]) for item in page.items)
        bookmark = page.bookmark
        if not bookmark:
            return


def _openings(ledger: LedgerPort) -> Iterator[dict[str, Any]]:
    bookmark = ""
    while True:
        page = ledger.list_open(page_size=_PAGE, bookmark=bookmark)
        yield from (dict(item) for item in page.items)
        bookmark = page.bookmark
        if not bookmark:
            return


@app.command()
def history(
    evaluation_id: EvaluationId,
    as_json: AsJson = False,
    home: Home = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Show every write under an id (there is one, ever) and the records that it supersedes or is superseded by."""
    from glassbox.cli.ledger_listing import print_history

    wanted = arguments.identifier(evaluation_id, "ID")
    with _ledger(settings_of(home, ledger, profile)) as held:
        found = held.history(wanted)
    if as_json:
        print_json(found)
    else:
        print_history(found)


@app.command()
def export(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.", show_default=False)
    ] = None,
    kind: Annotated[
        Literal["records", "blocks"] | None,
        typer.Option("--kind", help="A JSON line for each record or block.", show_default="records"),
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option(
            "--proof", metavar="ID", help="Only the proof of one evaluation, for `verify --proof`.", show_default=False
        ),
    ] = None,
    checkpoint_file: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            help="With --proof on Fabric: add the headers that lead to this checkpoint.",
            show_default=False,
        ),
    ] = None,
    home: Home = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Write records, whole blocks, or the proof with which a third party checks one scorecard offline."""
    arguments.refuse_both(("--kind", kind is not None), ("--proof", proof is not None))
    wanted = None if proof is None else arguments.identifier(proof, "--proof")
    until = None if checkpoint_file is None else arguments.read_checkpoint(checkpoint_file)
    with _ledger(settings_of(home, ledger, profile)) as held:
        if wanted is not None:
            lines = iter([canonical_bytes(arguments.proof_of(held, wanted, until)).decode()])
        else:
            lines = held.export(kind or "records")
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
    written = f"{count} {kind or 'records'}" if wanted is None else "the proof"
    err().print(f"{out}: {written}")


@app.command()
def checkpoint(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.", show_default=False)
    ] = None,
    home: Home = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Write the ledger's signed head. Kept elsewhere, it lets `fsck --checkpoint` find a cut tail or a new chain."""
    import json

    with _ledger(settings_of(home, ledger, profile)) as held:
        text = json.dumps(held.checkpoint(), indent=1, sort_keys=True) + "\n"
    if out is None:
        sys.stdout.write(text)
    else:
        arguments.write_text(out, text)


@app.command()
def fsck(
    checkpoint_file: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="A checkpoint written earlier and kept elsewhere.", show_default=False),
    ] = None,
    as_json: AsJson = False,
    home: Home = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Re-compute the whole ledger: every block, signature, record and index. Exit code 0 intact, 9 not."""
    from glassbox.adapters.local.home import LEDGER, fabric_ledger
    from glassbox.cli.ledger_listing import print_fsck
    from glassbox.ledger.fsck import fsck_file

    kept = arguments.read_checkpoint(checkpoint_file) if checkpoint_file else None
    settings = settings_of(home, ledger, profile)
    if settings.ledger == "fabric":
        with fabric_ledger(settings) as held:
            report = held.fsck(kept)
    else:
        path = settings.home / LEDGER
        # The file is walked without being opened as a ledger first, since a damaged one can't be.
        report = fsck_file(path, path.with_suffix(".key"), kept)
    if as_json:
        print_json(report.to_json())
    else:
        print_fsck(report, backend=settings.ledger)
    if not report.intact:
        raise typer.Exit(EXIT_FAIL)


@app.command()
def key(home: Home = None) -> None:
    """Print the embedded ledger's public key (ed25519: and 64 hex digits); others check your proofs with it (--trust).

    A Fabric network has no key of its own: `glassbox ledger trust` writes its roots.
    """
    from glassbox.adapters.local.home import open_ledger

    with open_ledger(settings_of(home).home) as held:
        sys.stdout.write(held.public_key() + "\n")


@app.command()
def trust(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.", show_default=False)
    ] = None,
    profile: Profile = None,
) -> None:
    """Write the roots of the Fabric network in the connection profile; others check proofs with them (--trust).

    The fingerprint on standard error is to be compared over another way, such as the auditor's own website.
    """
    import json

    from glassbox.adapters.local.home import fabric_ledger

    with fabric_ledger(settings_of(None, "fabric", profile)) as held:
        found = held.trust
    text = json.dumps(found.to_json(), indent=1, sort_keys=True) + "\n"
    if out is None:
        sys.stdout.write(text)
    else:
        arguments.write_text(out, text)
    err().print(f"{out or 'roots'}: fingerprint {found.fingerprint}")
