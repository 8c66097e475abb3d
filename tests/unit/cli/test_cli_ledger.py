"""`glassbox ledger` as a user meets it: one shape of records, arguments that are checked, nothing cut off."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glassbox.ledger.embedded import EmbeddedLedger
from tests.contract.support import REQUEST
from tests.unit.cli.test_cli import as_json, run
from tests.unit.ledger.support import DEFAULT

FIELDS = {"record", "digest", "block", "tx_id", "tx_timestamp", "submitter"}
OPENED = "00000000-0000-5000-8000-000000000009"


@pytest.fixture(scope="module")
def rows(evaluated: Path) -> list[dict[str, Any]]:
    return list(as_json(run("ledger", "show", "--json", home=evaluated)))


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["record"]["evaluation_id"] for row in rows]


def test_a_record_has_one_shape_wherever_it_is_shown(evaluated: Path, rows: list[dict[str, Any]]) -> None:
    of_days: list[dict[str, Any]] = []
    for day in sorted({row["record"]["created_at"][:10] for row in rows}):
        of_days += as_json(run("ledger", "show", "--day", day, "--json", home=evaluated))
    assert of_days == rows
    assert [row["block"] for row in rows] == sorted(row["block"] for row in rows)
    assert all(row.keys() == FIELDS for row in rows)
    assert as_json(run("ledger", "show", ids(rows)[0], "--json", home=evaluated)) == rows[0]


def test_the_table_of_a_day_shows_what_was_scored(evaluated: Path, rows: list[dict[str, Any]]) -> None:
    day = rows[0]["record"]["created_at"][:10]
    shown = run("ledger", "show", "--day", day, home=evaluated).stdout
    assert "not scored" not in shown
    for row in (row for row in rows if row["record"]["created_at"].startswith(day)):
        (line,) = (line for line in shown.splitlines() if row["record"]["evaluation_id"] in line)
        assert row["record"]["decision"] in line
        assert row["record"]["created_at"] in line
    assert run("ledger", "show", "--day", "1999-12-31", home=evaluated).stdout.splitlines()[-1] == "0 records"


def test_what_was_opened_and_never_scored_is_listed(home: Path) -> None:
    with EmbeddedLedger(home / "ledger.sqlite") as ledger:
        ledger.open_evaluation(OPENED, REQUEST, DEFAULT)
    (opening,) = as_json(run("ledger", "show", "--open", "--json", home=home))
    assert opening["evaluation_id"] == OPENED
    shown = run("ledger", "show", "--open", home=home).stdout
    assert OPENED in shown
    assert opening["opened_at"] in shown
    assert "1 opened and not scored" in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "zzz"), "Not the id of an evaluation at ID"),
        (("show", ""), "Not the id of an evaluation at ID"),
        (("history", "zzz"), "Not the id of an evaluation at ID"),
        (("export", "--proof", "zzz"), "Not the id of an evaluation at --proof"),
        (("export", "--proof", ""), "Not the id of an evaluation at --proof"),
        (("show", "--day", "2026-13-45"), "Not a day YYYY-MM-DD at --day"),
        (("show", "--day", "yesterday"), "Not a day YYYY-MM-DD at --day"),
    ],
)
def test_a_mistyped_argument_is_called_that(evaluated: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run("ledger", *arguments, home=evaluated)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert "refused" not in done.stderr
    assert "evaluate again" not in done.stderr


def test_an_id_that_stands_nowhere_is_not_found(evaluated: Path) -> None:
    done = run("ledger", "show", OPENED, home=evaluated)
    assert done.returncode == 1
    assert "Nothing stands on the ledger under this id" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", OPENED, "--open"),
        ("show", OPENED, "--day", "2026-01-02"),
        ("show", "--open", "--day", "2026-01-02"),
        ("export", "--kind", "blocks", "--proof", OPENED),
    ],
)
def test_options_that_do_not_go_together_are_refused(evaluated: Path, arguments: tuple[str, ...]) -> None:
    done = run("ledger", *arguments, home=evaluated)
    assert (done.returncode, done.stdout) == (1, "")
    assert "don't go together" in done.stderr


@pytest.mark.parametrize("content", ["[]", "{}", "null", "not json", '{"format": "glassbox-embedded-proof/1"}'])
def test_a_file_that_is_no_checkpoint_is_called_that(evaluated: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "point.json"
    file.write_text(content)
    done = run("ledger", "fsck", "--checkpoint", str(file), home=evaluated)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"Not a checkpoint of a ledger at {file}" in done.stderr
    assert "bundle" not in done.stderr


def test_a_damaged_checkpoint_is_a_finding(evaluated: Path, tmp_path: Path) -> None:
    point = json.loads(run("ledger", "checkpoint", home=evaluated).stdout)
    file = tmp_path / "point.json"
    file.write_text(json.dumps({**point, "head_hash": "sha256:" + "0" * 64}))
    done = run("ledger", "fsck", "--checkpoint", str(file), "--json", home=evaluated)
    assert done.returncode == 9
    assert [finding["code"] for finding in as_json(done)["findings"]] == ["checkpoint"]


def _truncate(home: Path) -> None:
    os.truncate(home / "ledger.sqlite", 20_000)


def _empty(home: Path) -> None:
    os.truncate(home / "ledger.sqlite", 0)


def _overwrite(home: Path) -> None:
    (home / "ledger.sqlite").write_bytes(b"not a database " * 300)


def _folder(home: Path) -> None:
    (home / "ledger.sqlite").rename(home / "moved")
    (home / "ledger.sqlite").mkdir()


def _journal(home: Path) -> None:
    (home / "ledger.sqlite-journal").write_bytes(b"\x01" * 4000)


@pytest.mark.parametrize("spoil", [_truncate, _empty, _overwrite, _folder, _journal])
def test_fsck_reports_a_damaged_file_in_the_shape_of_every_report(
    evaluated: Path, home: Path, spoil: Callable[[Path], None]
) -> None:
    sound = as_json(run("ledger", "fsck", "--json", home=evaluated))
    spoil(home)
    done = run("ledger", "fsck", "--json", home=home)
    assert done.returncode == 9
    report = as_json(done)
    assert report.keys() == sound.keys()
    assert not report["intact"]
    assert report["findings"]
    printed = run("ledger", "fsck", home=home)
    assert printed.returncode == 9
    assert "restore the last good copy" in printed.stdout
    assert "`glassbox ledger fsck` on it" not in printed.stdout
    assert "room" not in printed.stdout


def test_fsck_of_no_ledger_says_so(tmp_path: Path) -> None:
    done = run("ledger", "fsck", home=tmp_path)
    assert done.returncode == 1
    assert "no ledger" in done.stderr


def test_a_key_that_others_may_read_comes_with_what_to_do(home: Path) -> None:
    (home / "ledger.key").chmod(0o644)
    done = run("ledger", "fsck", home=home)
    assert done.returncode == 9
    assert "chmod 600" in done.stdout
    assert "restore" not in done.stdout
    assert "damaged" not in done.stdout


def test_the_key_has_the_form_that_its_help_names(evaluated: Path) -> None:
    key = run("ledger", "key", home=evaluated).stdout.strip()
    prefix, digits = key.split(":")
    assert (prefix, len(digits)) == ("ed25519", 64)
    assert bytes.fromhex(digits)
    assert "ed25519: and 64 hex digits" in " ".join(run("ledger", "key", "--help").stdout.split())


def on_terminal(columns: int, *arguments: str, seconds: float = 120) -> str:
    """Return what a command prints on a terminal of so many columns.

    The command has a session of its own, so that no terminal, or none, of whoever runs the tests can stop it; after
    the time it is killed with all that it started.
    """
    master, slave = pty.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        child = subprocess.Popen(
            [sys.executable, "-m", "glassbox.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**env, "TERM": "dumb"},
        )
    finally:
        os.close(slave)
    try:
        printed = _read_all(master, time.monotonic() + seconds)
        assert child.wait(timeout=seconds) == 0
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        os.close(master)
    return printed.decode()


def _read_all(master: int, ends: float) -> bytes:
    """Read a terminal until nobody writes to it any more; raises TimeoutError."""
    printed = b""
    while select.select([master], [], [], max(0.0, ends - time.monotonic()))[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            # Linux says that the other side was closed with an error, others with an empty read.
            return printed
        if not data:
            return printed
        printed += data
    raise TimeoutError("the command did not end in time")


def test_a_command_that_does_not_end_is_killed_with_its_time(home: Path) -> None:
    with pytest.raises(TimeoutError):
        on_terminal(80, "ledger", "show", "--home", str(home), seconds=0.0)


@pytest.mark.parametrize("columns", [10, 40, 80, 200])
def test_nothing_is_cut_off_on_a_narrow_terminal(evaluated: Path, rows: list[dict[str, Any]], columns: int) -> None:
    listed = on_terminal(columns, "ledger", "show", "--home", str(evaluated))
    for row in rows:
        for part in ("evaluation_id", "created_at", "decision"):
            assert row["record"][part] in listed
    shown = on_terminal(columns, "ledger", "show", ids(rows)[0], "--home", str(evaluated))
    record = rows[0]["record"]
    for part in ("evaluation_id", "policy_digest", "bundle_digest", "core_digest"):
        assert record[part] in shown
    assert all(path in shown and node["status"] in shown for path, node in record["nodes"].items())
    assert "…" not in listed + shown
    history = on_terminal(columns, "ledger", "history", ids(rows)[0], "--home", str(evaluated))
    assert rows[0]["tx_id"] in history
