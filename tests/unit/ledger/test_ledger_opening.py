"""A ledger begins whole or not at all, and what can't be opened says what, where and what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from glassbox.errors import LedgerDamaged, LedgerError, LedgerNotFound, LedgerRejected
from glassbox.ledger import creation, keys, storage
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.ledger.errors import LedgerKeyUnusable, LedgerReadOnly, LedgerVersionUnknown
from tests.contract.support import REQUEST
from tests.unit.ledger.support import DEFAULT, begin, filled, findings, identifier, record, settled, tampered

NOBODY = 65_534


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def helpful(error: LedgerError, path: Path) -> bool:
    return bool(error.what) and error.where is not None and str(path) in error.where and bool(error.fix)


def test_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    with begin(tmp_path / "home") as ledger:
        ledger.commit(record(1), DEFAULT)
        assert mode(tmp_path / "home") == 0o700
        assert {path.name: mode(path) for path in (tmp_path / "home").iterdir()} == {
            "ledger.sqlite": 0o600,
            "ledger.sqlite-wal": 0o600,
            "ledger.sqlite-shm": 0o600,
            "ledger.key": 0o600,
        }


def test_each_ledger_has_a_key_of_its_own(tmp_path: Path) -> None:
    with begin(tmp_path / "one") as one, begin(tmp_path / "two") as two:
        assert one.public_key() != two.public_key()
        assert one.public_key() == keys.load(tmp_path / "one" / "ledger.key").public_key


@pytest.mark.parametrize("step", ["create_schema", "insert", "_put_in_place", "link"])
def test_a_crash_while_it_begins_leaves_nothing_that_the_next_start_can_not_use(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object) -> None:
        raise Crash

    owner = {"create_schema": storage, "link": keys}.get(step, creation)
    with monkeypatch.context() as patch:
        patch.setattr(owner, step, crash)
        with pytest.raises(Crash):
            begin(tmp_path)
    with begin(tmp_path) as ledger:
        assert ledger.commit(record(1), DEFAULT).block == 2
    assert findings(tmp_path / "ledger.sqlite") == []
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".key") == ["ledger.key"]
    assert not (tmp_path / "ledger.key.new").exists()


def test_a_sibling_may_give_the_key_its_name_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = keys.link

    def overtaken(waiting: Path, name: Path) -> None:
        link(waiting, name)
        if name.name == "ledger.key":
            waiting.unlink()
            link(waiting, name)

    with monkeypatch.context() as patch:
        patch.setattr(keys, "link", overtaken)
        begin(tmp_path).close()
    with begin(tmp_path) as ledger:
        assert ledger.commit(record(1), DEFAULT).block == 2
    assert findings(tmp_path / "ledger.sqlite") == []


def test_a_missing_key_lets_read_but_not_write(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (tmp_path / "ledger.key").unlink()
    with begin(tmp_path) as ledger:
        assert ledger.get(identifier(1))["block"] == 4
        assert ledger.fsck().intact
        with pytest.raises(LedgerKeyUnusable, match="missing") as caught:
            ledger.commit(record(3), DEFAULT)
        assert helpful(caught.value, tmp_path)
        assert ledger.fsck().height == 5


def test_a_key_of_another_ledger_signs_nothing(tmp_path: Path) -> None:
    filled(tmp_path / "one").close()
    filled(tmp_path / "two").close()
    shutil.copy(tmp_path / "one" / "ledger.key", tmp_path / "two" / "ledger.key")
    with begin(tmp_path / "two") as ledger:
        with pytest.raises(LedgerKeyUnusable, match="another ledger"):
            ledger.commit(record(3), DEFAULT)
        assert [finding.code for finding in ledger.fsck().findings] == ["key"]


@pytest.mark.parametrize(
    "content", [b"", b"glassbox-ledger-key-1:00\n", b"\x00" * 32, b"glassbox-ledger-key-1:" + b"g" * 64]
)
def test_a_damaged_key_is_named(tmp_path: Path, content: bytes) -> None:
    filled(tmp_path).close()
    (tmp_path / "ledger.key").write_bytes(content)
    with begin(tmp_path) as ledger, pytest.raises(LedgerKeyUnusable, match="damaged"):
        ledger.commit(record(3), DEFAULT)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (tmp_path / "ledger.key").chmod(0o644)
    with begin(tmp_path) as ledger, pytest.raises(LedgerKeyUnusable, match="read by others"):
        ledger.commit(record(3), DEFAULT)


def test_no_new_ledger_is_begun_over_the_key_of_one_that_is_gone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    for name in ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(LedgerKeyUnusable, match="its ledger is gone") as caught:
        begin(tmp_path)
    assert helpful(caught.value, tmp_path)


def test_the_secret_key_is_never_shown(tmp_path: Path) -> None:
    key = keys.create(tmp_path / "k.key")
    secret = (tmp_path / "k.key").read_text().split(":")[1].strip()
    assert secret not in repr(key) + str(key) + str(vars(key).keys())


def test_a_key_is_created_once(tmp_path: Path) -> None:
    first = keys.create(tmp_path / "k.key")
    assert keys.create(tmp_path / "k.key").public_key == first.public_key
    assert [path.name for path in tmp_path.iterdir()] == ["k.key"]


def test_there_is_nothing_to_read_where_no_ledger_is(tmp_path: Path) -> None:
    with pytest.raises(LedgerNotFound):
        EmbeddedLedger(tmp_path / "ledger.sqlite", read_only=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "ledger.sqlite").touch()
    with pytest.raises(LedgerNotFound, match="empty"):
        EmbeddedLedger(tmp_path / "ledger.sqlite", read_only=True)


def test_another_format_is_named_and_left_alone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    path = tmp_path / "ledger.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(LedgerVersionUnknown, match="format 2") as caught:
        begin(tmp_path)
    assert helpful(caught.value, path)


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(LedgerVersionUnknown, match="not a GlassBox ledger"):
        begin(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database " * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)
    with pytest.raises(LedgerDamaged) as caught:
        begin(tmp_path)
    assert helpful(caught.value, path)
    assert findings(path)


def test_a_ledger_cut_in_the_middle_of_a_page_is_damaged(tmp_path: Path) -> None:
    filled(tmp_path).close()
    path = tmp_path / "ledger.sqlite"
    data = path.read_bytes()
    assert not (tmp_path / "ledger.sqlite-wal").exists()
    path.write_bytes(data[: len(data) * 2 // 3])
    assert findings(path)
    with pytest.raises(LedgerDamaged), begin(tmp_path) as ledger:
        for n in range(3):
            ledger.get(identifier(n))
        ledger.commit(record(7), DEFAULT)


def test_a_folder_in_the_files_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").mkdir()
    with pytest.raises(LedgerError) as caught:
        begin(tmp_path)
    assert helpful(caught.value, tmp_path)


def as_nobody(action: object) -> int:
    """Run an action in a child without root's rights; return 0 if it raised what it should."""
    child = os.fork()
    if child == 0:
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os._exit(action())  # type: ignore[operator]
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(os.getuid() != 0, reason="needs to put rights aside")
def test_a_folder_that_can_not_be_written_is_named_and_may_be_read(tmp_path: Path) -> None:
    filled(tmp_path).close()
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):
        folder.chmod(0o755)
    (tmp_path / "ledger.sqlite").chmod(0o644)

    def write() -> int:
        try:
            begin(tmp_path)
        except LedgerReadOnly as error:
            return 0 if helpful(error, tmp_path) else 1
        return 2

    def read() -> int:
        with EmbeddedLedger(tmp_path / "ledger.sqlite", read_only=True) as ledger:
            return 0 if ledger.get(identifier(1))["block"] == 4 else 1

    assert as_nobody(write) == 0
    assert as_nobody(read) == 0


@pytest.mark.skipif(os.getuid() != 0, reason="needs to put rights aside")
def test_a_new_ledger_in_a_folder_that_can_not_be_written_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):
        folder.chmod(0o755)

    def write() -> int:
        try:
            begin(tmp_path / "new")
        except LedgerReadOnly as error:
            return 0 if helpful(error, tmp_path) else 1
        return 2

    assert as_nobody(write) == 0


GARBAGE = [b"", b"\xff\xfe", b"[]", b"{}", b'{"a":1}', b"null", b'{"digest":1,"record":"x","tx_id":2}', b"1.5"]


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize(("table", "column"), [("writes", "value"), ("blocks", "header"), ("blocks", "data")])
def test_damaged_rows_never_end_in_anything_but_an_error_of_ours(
    tmp_path: Path, garbage: bytes, table: str, column: str
) -> None:
    path = settled(tmp_path / "sound")
    path = tampered(path, tmp_path / "x", (f"UPDATE {table} SET {column} = ?", (garbage,)))
    errors = []
    with EmbeddedLedger(path) as ledger:
        for action in (
            lambda: ledger.get(identifier(1)),
            lambda: ledger.get_policy(DEFAULT.digest),
            lambda: ledger.history(identifier(1)),
            lambda: ledger.list_by_day("2026-01-02"),
            ledger.list_open,
            lambda: ledger.proof(identifier(1)),
            ledger.checkpoint,
            lambda: list(ledger.export()),
            lambda: list(ledger.export("blocks")),
            ledger.public_key,
            lambda: ledger.commit(record(1), DEFAULT),
            lambda: ledger.commit(record(5, attempt=1, supersedes=identifier(1)), DEFAULT),
            lambda: ledger.open_evaluation(identifier(9), REQUEST, DEFAULT),
        ):
            try:
                action()
            except LedgerError as error:
                errors.append(error)
    assert any(isinstance(error, LedgerDamaged) for error in errors)
    assert findings(path)


@pytest.mark.parametrize(
    "identity", ["", "x", "\ud800", "\x00", "0000000A-0000-5000-8000-000000000001", identifier(1) + "\n"]
)
def test_an_id_that_is_none_is_refused(tmp_path: Path, identity: str) -> None:
    with filled(tmp_path) as ledger:
        with pytest.raises(LedgerRejected):
            ledger.get(identity)
        with pytest.raises(LedgerRejected):
            ledger.open_evaluation(identity, REQUEST, DEFAULT)
        with pytest.raises(LedgerRejected):
            ledger.commit({**record(1), "evaluation_id": identity}, DEFAULT)
        assert ledger.fsck().height == 5
