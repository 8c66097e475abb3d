"""The embedded ledger keeps what it acknowledged, once, and answers like the contract."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from glassbox.errors import LedgerConflict, LedgerNotFound, LedgerRejected, LedgerUnavailable
from glassbox.ledger import storage
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.ledger.errors import LedgerBusy, LedgerReadOnly
from glassbox.ledger.port import LedgerPort
from glassbox_contract import canonical_bytes, digest
from tests.contract.support import REQUEST, SESSION, policy
from tests.unit.ledger.support import DEFAULT, begin, filled, findings, identifier, record

FORK = multiprocessing.get_context("fork")
SPAWN = multiprocessing.get_context("spawn")


def test_it_fits_the_port(tmp_path: Path) -> None:
    port: LedgerPort = begin(tmp_path)
    assert port.backend == "embedded"


def test_a_record_is_read_back_with_its_place(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        receipt = ledger.commit(record(1), DEFAULT)
        found = ledger.get(identifier(1))
        assert found["record"] == record(1)
        assert (found["digest"], found["tx_id"], found["block"]) == (
            digest(record(1)),
            receipt.transaction_id,
            receipt.block,
        )
        assert (receipt.backend, receipt.record_id, receipt.duplicate) == ("embedded", identifier(1), False)
        assert ledger.checkpoint()["head_hash"] == receipt.head_hash


def test_the_policy_is_registered_before_the_first_record(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        receipt = ledger.commit(record(1), DEFAULT)
        known = ledger.get_policy(DEFAULT.digest)
        assert known["document"] == dict(DEFAULT.document)
        assert (known["block"], receipt.block) == (1, 2)
        assert ledger.commit(record(2), DEFAULT).block == 3
        assert ledger.register_policy(DEFAULT).duplicate


def test_a_repetition_gives_the_first_receipt_and_adds_nothing(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        first = ledger.commit(record(1), DEFAULT)
        ledger.commit(record(2), DEFAULT)
        again = ledger.commit(record(1), DEFAULT)
        assert again.duplicate
        assert again.to_json() == first.to_json()
        assert ledger.fsck().height == 3


def test_another_record_under_an_id_is_a_conflict_and_changes_nothing(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        ledger.commit(record(1), DEFAULT)
        head = ledger.checkpoint()
        with pytest.raises(LedgerConflict) as caught:
            ledger.commit(record(1, core_digest="sha256:" + "7" * 64), DEFAULT)
        assert caught.value.code == "CONFLICT"
        assert ledger.checkpoint() == head


def test_a_record_that_does_not_follow_is_refused_with_its_place(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        bad = {**record(1), "trust": 1}
        with pytest.raises(LedgerRejected) as caught:
            ledger.commit(bad, DEFAULT)
        assert (caught.value.code, caught.value.where) == ("INVALID", "/trust")
        with pytest.raises(LedgerRejected):
            ledger.commit({**record(1), "trust": 0.5}, DEFAULT)
        assert ledger.fsck().height == 0  # not even the policy was kept
        with pytest.raises(LedgerNotFound):
            ledger.get(identifier(1))


def test_lists_histories_and_openings(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        page = ledger.list_by_day("2026-01-02", page_size=1)
        assert [item["id"] for item in page.items] == [identifier(1)]
        rest = ledger.list_by_day("2026-01-02", page_size=1, bookmark=page.bookmark)
        assert ([item["id"] for item in rest.items], rest.bookmark) == ([identifier(2)], "")
        assert len(ledger.list_by_session(SESSION).items) == 2
        assert [item["evaluation_id"] for item in ledger.list_open().items] == [identifier(9)]
        history = ledger.history(identifier(1))
        assert history["superseded_by"] == [identifier(2)]
        assert [write["block"] for write in history["writes"]] == [4]
        report = ledger.fsck()
        assert (report.records, report.never_scored, report.findings) == (2, (identifier(9),), ())
        with pytest.raises(LedgerRejected):
            ledger.list_by_day("yesterday")


def test_an_export_holds_every_record_and_every_block(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        lines = [json.loads(line) for line in ledger.export()]
        assert [line["record"] for line in lines] == [record(1), record(2, attempt=1, supersedes=identifier(1))]
        assert [line["block"] for line in lines] == [4, 5]
        blocks = [json.loads(line) for line in ledger.export("blocks")]
        assert [block["header"]["height"] for block in blocks] == list(range(6))
        assert all(digest(b["header"]) == n["header"]["previous_hash"] for b, n in itertools.pairwise(blocks))
        assert all(digest(block["data"]) == block["header"]["data_hash"] for block in blocks)


def test_the_ledger_is_there_after_it_was_closed(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        head = ledger.checkpoint()
    with begin(tmp_path) as again:
        assert again.checkpoint() == head
        assert again.commit(record(3), DEFAULT).block == 6
    again.close()


def test_no_plain_session_and_no_text_is_in_the_file(tmp_path: Path) -> None:
    with filled(tmp_path):
        data = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".key")
    assert SESSION.encode() in data
    assert (tmp_path / "ledger.key").read_bytes().split(b":")[1].strip() not in data


def test_sql_can_neither_change_nor_remove_a_row(tmp_path: Path) -> None:
    with filled(tmp_path):
        connection = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
        for table in ("blocks", "transactions", "writes"):
            for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET height = height + 1"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(sql)
        connection.close()
    assert findings(tmp_path / "ledger.sqlite") == []


def test_a_ledger_opened_for_reading_takes_nothing(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with EmbeddedLedger(tmp_path / "ledger.sqlite", read_only=True) as ledger:
        assert ledger.get(identifier(1))["block"] == 4
        with pytest.raises(LedgerReadOnly):
            ledger.commit(record(3), DEFAULT)


def test_reading_goes_on_while_another_process_writes(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        writer = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        assert ledger.get(identifier(1))["block"] == 4
        assert ledger.fsck().intact
        writer.close()


def test_a_writer_that_waits_too_long_says_so_and_may_try_again(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with EmbeddedLedger(tmp_path / "ledger.sqlite", timeout=0.05) as ledger:
        writer = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusy) as caught:
            ledger.commit(record(3), DEFAULT)
        assert isinstance(caught.value, LedgerUnavailable)
        assert caught.value.retryable
        writer.close()
        assert ledger.commit(record(3), DEFAULT).block == 6


def test_threads_share_a_ledger(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger, ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda n: ledger.commit(record(n % 20), DEFAULT), range(40)))
        assert len({receipt.transaction_id for receipt in receipts}) == 20
        assert sum(not receipt.duplicate for receipt in receipts) == 20
        report = ledger.fsck()
        assert (report.records, report.findings) == (20, ())


def commit_many(path: str, first: int, count: int, done: object) -> None:
    with EmbeddedLedger(Path(path)) as ledger:
        for n in range(first, first + count):
            ledger.commit(record(n), DEFAULT)
    done.put(first)  # type: ignore[attr-defined]


def test_two_processes_commit_at_once_on_a_ledger_that_neither_has_begun(tmp_path: Path) -> None:
    path, done = tmp_path / "new" / "ledger.sqlite", SPAWN.Queue()
    # The ranges overlap, so some records are committed by both.
    workers = [SPAWN.Process(target=commit_many, args=(str(path), first, 15, done)) for first in (0, 10)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0]
    with EmbeddedLedger(path) as ledger:
        report = ledger.fsck()
        assert (report.records, report.height, report.findings) == (25, 26, ())
        assert [ledger.get(identifier(n))["record"] for n in range(25)] == [record(n) for n in range(25)]


def commit_in_child(ledger: EmbeddedLedger, n: int) -> None:
    ledger.commit(record(n), DEFAULT)
    os._exit(0)


def test_a_forked_child_opens_the_file_for_itself(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        ledger.commit(record(1), DEFAULT)
        child = FORK.Process(target=commit_in_child, args=(ledger, 2))
        child.start()
        ledger.commit(record(3), DEFAULT)
        child.join(60)
        assert child.exitcode == 0
        report = ledger.fsck()
        assert (report.records, report.findings) == (3, ())


def test_a_policy_may_demand_the_opening(tmp_path: Path) -> None:
    from tests.contract.support import record_of

    strict = policy(open_on_ledger=True)
    with begin(tmp_path) as ledger:
        bound = record_of(strict, evaluation_id=identifier(1))
        with pytest.raises(LedgerConflict):
            ledger.commit(bound, strict)
        assert ledger.open_evaluation(identifier(1), REQUEST, strict).block == 2
        assert ledger.open_evaluation(identifier(1), REQUEST, strict).duplicate
        assert ledger.commit(bound, strict).block == 3


def test_what_is_acknowledged_is_synchronised_to_the_disk(tmp_path: Path) -> None:
    begin(tmp_path).close()
    connection = storage.connect(tmp_path / "ledger.sqlite", read_only=False, timeout=1)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_record_lies_on_the_ledger_byte_for_byte(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        block = json.loads(list(ledger.export("blocks"))[4])
        assert block["data"]["args"] == [canonical_bytes(record(1)).decode()]
