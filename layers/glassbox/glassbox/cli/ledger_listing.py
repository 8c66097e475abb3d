"""What `glassbox ledger` prints for people: listings, one record, and where a finding leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from glassbox.cli.output import console
from glassbox.ledger.port import FsckReport
from glassbox_contract.arithmetic import MICRO

_WIDEST: Final = 100_000


def print_records(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print records {record, block, ...}: id, time, trust, decision, block."""
    cells = [
        (
            str(row["record"]["evaluation_id"]),
            str(row["record"]["created_at"]),
            micros(row["record"]["trust"]),
            str(row["record"]["decision"]),
            str(row["block"]),
        )
        for row in rows
    ]
    _print_rows(("evaluation", "created", "trust", "decision", "block"), cells)
    console().print(f"{len(rows)} record{'s' if len(rows) != 1 else ''}")


def print_openings(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print what was opened and never scored: id and time."""
    cells = [(str(row["evaluation_id"]), str(row["opened_at"])) for row in rows]
    _print_rows(("evaluation", "opened"), cells)
    console().print(f"{len(rows)} opened and not scored")


def print_record(held: Mapping[str, Any]) -> None:
    """Print one record with all its nodes and flags."""
    record = held["record"]
    say(f"{record['evaluation_id']}  {record['decision']}  trust {micros(record['trust'])}")
    say(f"created {record['created_at']}  attempt {record['attempt']}  block {held['block']}")
    say(f"policy  {record['policy_digest']}")
    say(f"bundle  {record['bundle_digest']}")
    say(f"core    {record['core_digest']}")
    rows = []
    for path, node in record["nodes"].items():
        ratio = "" if node["den"] is None else f"{node['num']}/{node['den']}"
        passed = {True: "yes", False: "no", None: ""}[node["passed"]]
        rows.append((path, node["status"], "" if node["value"] is None else micros(node["value"]), ratio, passed))
    _print_rows(("node", "status", "value", "ratio", "passed"), rows)
    say("flags: " + (", ".join(f"{f['code']} x{f['count']}" for f in record["flags"]) or "none"))


def print_history(found: Mapping[str, Any]) -> None:
    """Print the writes under an id and its neighbours."""
    for write in found["writes"]:
        say(", ".join(f"{key} {value}" for key, value in write.items() if not isinstance(value, dict)))
    later = ", ".join(found["superseded_by"]) or "nothing"
    say(f"supersedes {found['supersedes'] or 'nothing'}; superseded by {later}")


def print_fsck(report: FsckReport, *, backend: str = "embedded") -> None:
    """Print every finding, what the walk proves, and what to do where the ledger itself is damaged."""
    for finding in report.findings:
        place = "" if finding.height is None else f"block {finding.height}: "
        say(f"✗ {place}{finding.code}: {finding.detail}")
    say(f"{report.records} records, height {report.height}. {report.statement}")
    if any(finding.code not in ("key", "checkpoint") for finding in report.findings):
        if backend == "fabric":
            say("Ask a peer of another organisation too: `fsck` says what the peer of the profile holds")
        else:
            say("Keep the files as they are, and restore the last good copy beside them")
    for evaluation_id in report.never_scored:
        say(f"opened and never scored: {evaluation_id}")


def micros(value: int | None) -> str:
    """Return a number of millionths for people."""
    return "none" if value is None else f"{value / MICRO:.4f}"


def say(line: str) -> None:
    """Print one line whole: where the terminal is narrower, it is the terminal that wraps it."""
    console().print(line, markup=False, soft_wrap=True)


def _print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, or where the terminal is too narrow for it, each row as lines; no cell is ever cut."""
    table = Table()
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    screen = console()
    if screen.measure(table, options=screen.options.update(width=_WIDEST)).maximum <= screen.width:
        screen.print(table)
        return
    for row in rows:
        say(row[0])
        say("  " + "  ".join(f"{name} {cell}" for name, cell in zip(headings[1:], row[1:], strict=True) if cell))
