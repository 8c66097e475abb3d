"""Commits that meet: the same record many times, two records under one id, many writers, one envelope sent twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from glassbox.errors import LedgerConflict, LedgerError
from glassbox.ledger.fabric.channel import ChannelReader
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.port import Receipt
from glassbox_contract import canonical_bytes
from tests.contract.support import policy
from tests.fabric.stage import CHAINCODE, DEFAULT, Cards, Stage, assert_exactly, insisted

T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Return what the calls return, begun together by a thread each."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        gate.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def outcome(ledger: FabricLedger, record: dict[str, Any]) -> Receipt | LedgerError:
    """Return a commit's receipt, or how it failed for good."""
    try:
        return insisted(ledger, record)
    except LedgerError as error:
        return error


def test_the_same_record_fifty_times_at_once_stands_once(stage: Stage, cards: Cards) -> None:
    record = cards.one()
    # Five clients that know nothing of each other, each with ten threads.
    clients = [stage.ledger() for _ in range(5)]
    receipts = at_once([lambda one=clients[n % 5]: one.commit(record, DEFAULT) for n in range(50)])
    assert len({receipt.transaction_id for receipt in receipts}) == 1
    assert sum(not receipt.duplicate for receipt in receipts) <= 5
    assert_exactly(clients[0], cards, [record])


def test_of_two_records_under_one_id_one_stands_and_the_other_is_a_conflict(stage: Stage, cards: Cards) -> None:
    record = cards.one()
    other = {**record, "bundle_digest": "sha256:" + "4" * 64}
    clients = [stage.ledger() for _ in range(4)]
    outcomes = at_once([lambda n=n: outcome(clients[n % 4], (record, other)[n % 2]) for n in range(16)])
    winner = clients[0].get(record["evaluation_id"])["record"]
    assert winner in (record, other)
    for n, found in enumerate(outcomes):
        assert isinstance(found, Receipt if (record, other)[n % 2] == winner else LedgerConflict), found
    assert_exactly(clients[0], cards, [winner])


def test_thirty_two_writers_at_once_are_all_heard(stage: Stage, cards: Cards) -> None:
    records = cards.make(32)
    ledger = stage.ledger()
    receipts = at_once([lambda one=one: insisted(ledger, one) for one in records])
    assert len({receipt.transaction_id for receipt in receipts}) == 32
    assert_exactly(ledger, cards, records)


@pytest.mark.long
def test_thirty_two_writers_of_a_thousand_records_are_all_heard(stage: Stage, cards: Cards) -> None:
    records = cards.make(1000)
    ledger = stage.ledger()
    with ThreadPoolExecutor(32) as pool:
        receipts = list(pool.map(lambda record: insisted(ledger, record), records))
    assert len({receipt.transaction_id for receipt in receipts}) == 1000
    assert_exactly(ledger, cards, records)


def test_of_two_endorsed_writes_of_one_key_the_second_is_a_conflict_of_versions(stage: Stage, cards: Cards) -> None:
    record = cards.one()
    gateway = stage.gateway()
    prepared = [gateway.endorse(CHAINCODE, "CommitScorecard", canonical_bytes(record)) for _ in range(2)]
    for one in prepared:
        gateway.submit(one.tx_id, one.envelope)
    assert Counter(gateway.commit_status(one.tx_id).code for one in prepared) == {"VALID": 1, "MVCC_READ_CONFLICT": 1}
    assert_exactly(stage.ledger(), cards, [record])


@pytest.mark.parametrize("apart", [False, True], ids=["in one block", "in two blocks"])
def test_an_envelope_that_is_sent_twice_counts_once(stage: Stage, cards: Cards, apart: bool) -> None:
    record = cards.one()
    gateway = stage.gateway()
    reader = ChannelReader(gateway)
    one = gateway.endorse(CHAINCODE, "CommitScorecard", canonical_bytes(record))
    gateway.submit(one.tx_id, one.envelope)
    if apart:
        assert gateway.commit_status(one.tx_id).valid
    gateway.submit(one.tx_id, one.envelope)
    ledger = stage.ledger()
    # The block after the second copy shows that it has come.
    last = ledger.commit(cards.one(), DEFAULT)
    status = reader.status(one.tx_id)
    assert status is not None
    assert status.valid
    codes = Counter(
        block.code(index)
        for block in reader.blocks(status.block, last.block)
        for index, data in enumerate(block.data)
        if one.tx_id.encode() in data
    )
    assert sum(codes.values()) == 2
    assert codes[0] == 1
    assert_exactly(ledger, cards, list(cards.made.values()))


def test_the_status_of_an_old_transaction_is_known_at_once(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    receipt = ledger.commit(cards.one(), DEFAULT)
    found = stage.gateway().commit_status(receipt.transaction_id)
    assert (found.code, found.block) == ("VALID", receipt.block)


def test_a_record_goes_through_while_its_policy_is_registered_by_many(stage: Stage, cards: Cards) -> None:
    fresh = policy(name=f"fresh-{cards.session[-8:]}")
    records = [cards.one(under=fresh) for _ in range(6)]
    clients = [stage.ledger() for _ in range(3)]
    at_once([lambda n=n: insisted(clients[n % 3], records[n], under=fresh) for n in range(6)])
    assert_exactly(clients[0], cards, records)


def test_and_fsck_finds_nothing_amiss(ledger: FabricLedger) -> None:
    report = ledger.fsck()
    assert report.intact, report.findings
