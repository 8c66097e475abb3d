"""What lies in or beside the ledger's files and is not the ledger's is named, with what to do about it."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from glassbox.errors import LedgerDamaged, LedgerNotFound, LedgerRejected, LedgerUnavailable
from glassbox.ledger import storage
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.ledger.errors import LedgerKeyUnusable, LedgerMisplaced
from glassbox.ledger.fsck import UNPROVABLE_TAIL, fsck_file
from tests.contract.support import REQUEST
from tests.unit.ledger.support import DEFAULT, begin, findings, identifier, record, settled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return settled(tmp_path)


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def test_a_foreign_journal_is_to_be_moved_away(path: Path) -> None:
    journal = beside(path, "-journal")
    journal.write_bytes(b"x" + random.Random(1).randbytes(3999))
    with pytest.raises(LedgerMisplaced) as caught:
        EmbeddedLedger(path, read_only=True)
    assert caught.value.where == str(journal)
    assert "Move it away" in str(caught.value.fix)
    (found,) = findings(path)
    assert str(journal) in found.detail
    assert "Move it away" in found.detail
    journal.unlink()
    assert findings(path) == []


def test_an_unfinished_write_of_another_program_is_taken_back_by_the_next_writer(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                       "INSERT INTO writes SELECT randomblob(200), 99, x'01' FROM n")  # fmt: skip
    copy = path.parent / "copy"
    copy.mkdir()
    for name in (path.name, path.name + "-journal", "ledger.key"):
        (copy / name).write_bytes((path.parent / name).read_bytes())
    (copy / "ledger.key").chmod(0o600)
    connection.close()
    with pytest.raises(LedgerMisplaced, match="never finished"):
        EmbeddedLedger(copy / path.name, read_only=True)
    with begin(copy) as ledger:
        assert ledger.get(identifier(1))["block"] == 4
    assert {finding.code for finding in findings(copy / path.name)} == {"settings"}


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_in_a_files_place_is_named(path: Path, suffix: str, make: Callable[[Path], None]) -> None:
    place = beside(path, suffix)
    place.unlink(missing_ok=True)
    make(place)
    for read_only in (True, False):
        with pytest.raises(LedgerMisplaced) as caught:
            EmbeddedLedger(path, read_only=read_only)
        assert caught.value.where == str(place)
        assert "Move it away" in str(caught.value.fix)
    (found,) = findings(path)
    assert str(place) in found.detail
    assert "room" not in found.detail


@pytest.mark.parametrize("size", [1, 50, 100, 511, 4096, 8192, 20_000, 30_000])
def test_a_truncated_ledger_is_found_and_fsck_does_not_advise_itself(path: Path, size: int) -> None:
    os.truncate(path, size)
    found = findings(path)
    assert found
    assert not any("fsck" in finding.detail for finding in found)
    with pytest.raises(LedgerDamaged, match=r"fsck|Restore"), EmbeddedLedger(path, read_only=True) as ledger:
        for n in range(1, 3):
            ledger.get(identifier(n))
        list(ledger.export("blocks"))


def test_an_emptied_ledger_is_no_ledger_that_was_never_begun(path: Path) -> None:
    os.truncate(path, 0)
    with pytest.raises(LedgerMisplaced, match="was begun"):
        EmbeddedLedger(path, read_only=True)
    assert "Restore the last good copy" in findings(path)[0].detail
    path.with_suffix(".key").unlink()
    with pytest.raises(LedgerNotFound):
        findings(path)


def test_blocks_are_walked_although_the_structure_is_damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    connection = sqlite3.connect(path)
    page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'writes_by_height'").fetchone()[0]
    connection.close()
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    report = fsck_file(path, path.with_suffix(".key"))
    assert not report.intact
    assert report.height == 5


@pytest.mark.parametrize(
    ("statements", "setting"),
    [
        (["PRAGMA journal_mode = DELETE"], "journal_mode is delete"),
        (["PRAGMA auto_vacuum = 1", "VACUUM"], "auto_vacuum is 1"),
        (["PRAGMA auto_vacuum = 2", "VACUUM"], "auto_vacuum is 2"),
    ],
)
def test_a_changed_setting_of_the_file_is_named(path: Path, statements: list[str], setting: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    (found,) = findings(path)
    assert found.code == "settings"
    assert setting in found.detail


def test_a_ledger_on_read_only_media_is_intact(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage.os, "access", lambda *_: False)  # type: ignore[attr-defined]
    assert fsck_file(path, path.with_suffix(".key")).statement == UNPROVABLE_TAIL


def test_a_key_that_others_may_read_is_no_damage_to_the_blocks(path: Path) -> None:
    path.with_suffix(".key").chmod(0o644)
    report = fsck_file(path, path.with_suffix(".key"))
    (found,) = report.findings
    assert found.code == "key"
    assert "chmod 600" in found.detail
    assert str(path.with_suffix(".key")) in found.detail
    assert "damaged" not in report.statement


def test_a_folder_in_the_keys_place_is_named(path: Path) -> None:
    key = path.with_suffix(".key")
    key.unlink()
    key.mkdir()
    assert "Move it away" in findings(path)[0].detail
    with begin(path.parent) as ledger, pytest.raises(LedgerKeyUnusable, match="folder"):
        ledger.commit(record(7), DEFAULT)


def test_a_ledger_that_another_process_holds_is_busy_and_not_damaged(path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerUnavailable):
        fsck_file(path, path.with_suffix(".key"), timeout=0.1)
    holder.execute("ROLLBACK")
    holder.close()


def test_a_refusal_advises_on_what_was_asked(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        ledger.register_policy(DEFAULT)
        for ask in (
            lambda: ledger.get("zzz"),
            lambda: ledger.history("zzz"),
            lambda: ledger.proof("zzz"),
            lambda: ledger.get_policy("zzz"),
            lambda: ledger.list_by_day("2026-13-45"),
            lambda: ledger.list_by_session("zzz"),
            lambda: ledger.list_open(page_size=0),
            lambda: ledger.list_open(bookmark="?"),
            lambda: ledger.open_evaluation("zzz", REQUEST, DEFAULT),
        ):
            with pytest.raises(LedgerRejected) as caught:
                ask()
            assert "evaluate again" not in str(caught.value)
            assert "Correct the argument" in str(caught.value)
        with pytest.raises(LedgerRejected, match="evaluate again"):
            ledger.commit({**record(1), "trust": 1}, DEFAULT)
