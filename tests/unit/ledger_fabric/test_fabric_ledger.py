"""The Fabric ledger is a ledger like any other: what is committed is found again, once, with where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glassbox.errors import LedgerConflict, LedgerNotFound, LedgerRejected
from glassbox.ledger.fabric.errors import FabricMisconfigured
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore
from tests.unit.ledger.support import DEFAULT, REQUEST, identifier, record
from tests.unit.ledger_fabric.conftest import Filled
from tests.unit.ledger_fabric.network import Peers


def test_a_commit_registers_its_policy_and_says_where_the_record_stands(ledger: FabricLedger, peers: Peers) -> None:
    receipt = ledger.commit(record(1), DEFAULT)
    assert (receipt.backend, receipt.record_id, receipt.block, receipt.duplicate) == ("fabric", identifier(1), 2, False)
    assert receipt.head_hash.startswith("sha256:")
    assert receipt.signature.startswith("ecdsa:30")
    held = ledger.get(identifier(1))
    assert held["record"] == record(1)
    assert (held["tx_id"], held["block"]) == (receipt.transaction_id, receipt.block)
    assert ledger.get_policy(DEFAULT.digest)["block"] == 1


def test_the_same_record_again_is_answered_without_a_transaction(ledger: FabricLedger, peers: Peers) -> None:
    first = ledger.commit(record(1), DEFAULT)
    blocks = len(peers.channel.blocks)
    again = ledger.commit(record(1), DEFAULT)
    assert again.to_json() == first.to_json()
    assert again.duplicate
    assert len(peers.channel.blocks) == blocks


def test_another_record_under_the_id_is_a_conflict(ledger: FabricLedger) -> None:
    ledger.commit(record(1), DEFAULT)
    with pytest.raises(LedgerConflict) as caught:
        ledger.commit(record(1, bundle_digest="sha256:" + "0" * 64), DEFAULT)
    assert caught.value.code == "CONFLICT"


def test_a_record_that_breaks_the_contract_is_rejected_with_its_path(ledger: FabricLedger) -> None:
    with pytest.raises(LedgerRejected) as caught:
        ledger.commit({**record(1), "trust": 17}, DEFAULT)
    assert (caught.value.code, caught.value.where) == ("INVALID", "/trust")


def test_without_an_admin_the_error_says_what_the_admin_runs(peers: Peers, tmp_path: Path) -> None:
    with FabricLedger(peers.network(admin=False), FilePendingStore(tmp_path)) as ledger:
        with pytest.raises(LedgerRejected, match="glassbox policy register default --ledger fabric"):
            ledger.commit(record(1), DEFAULT)
        with pytest.raises(FabricMisconfigured, match="admin's identity"):
            ledger.register_policy(DEFAULT)


def test_what_is_not_there_is_not_found(filled: Filled) -> None:
    for ask in (filled.ledger.get, filled.ledger.history, filled.ledger.proof):
        with pytest.raises(LedgerNotFound):
            ask(identifier(77))


def test_history_names_one_write_and_its_neighbours(filled: Filled) -> None:
    found = filled.ledger.history(identifier(1))
    assert [write["block"] for write in found["writes"]] == [4]
    assert (found["supersedes"], found["superseded_by"]) == (None, [identifier(2)])


def test_listings_come_in_pages(filled: Filled) -> None:
    day = filled.first["created_at"][:10]
    page = filled.ledger.list_by_day(day, page_size=1)
    rest = filled.ledger.list_by_day(day, page_size=1, bookmark=page.bookmark)
    assert [item["id"] for item in (*page.items, *rest.items)] == [identifier(1), identifier(2)]
    assert rest.bookmark == ""
    assert len(filled.ledger.list_by_session(filled.first["session_hmac"]).items) == 2
    assert [item["evaluation_id"] for item in filled.ledger.list_open().items] == [identifier(9)]


def test_an_export_has_a_line_for_each_record_or_block(filled: Filled) -> None:
    records = [json.loads(line) for line in filled.ledger.export()]
    assert [line["record"] for line in records] == [filled.first, filled.second]
    blocks = [json.loads(line) for line in filled.ledger.export("blocks")]
    assert [block["number"] for block in blocks] == list(range(6))
    assert blocks[4]["hash"] == records[0]["head_hash"]


def test_an_opening_is_taken_once(ledger: FabricLedger) -> None:
    first = ledger.open_evaluation(identifier(1), REQUEST, DEFAULT)
    assert ledger.open_evaluation(identifier(1), REQUEST, DEFAULT).to_json() == first.to_json()
    with pytest.raises(LedgerConflict):
        ledger.open_evaluation(identifier(1), "hmac-sha256:" + "8" * 64, DEFAULT)
