"""Listings in pages, in the order of time, and the history of a record."""

from __future__ import annotations

import pytest

from glassbox.errors import LedgerRejected
from glassbox.ledger.fabric.ledger import FabricLedger
from tests.fabric.stage import CHAINCODE, DEFAULT, Cards, Stage, listed

COUNT = 7


@pytest.fixture(scope="module")
def many(shared: Stage) -> Cards:
    """A session of seven records on one day."""
    found = Cards()
    with shared.ledger() as ledger:
        for record in reversed(found.make(COUNT)):
            ledger.commit(record, DEFAULT)
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 8, 200])
def test_pages_of_any_size_give_each_record_once_and_oldest_first(ledger: FabricLedger, many: Cards, size: int) -> None:
    assert list(listed(ledger.list_by_session, many.session, size)) == list(many.made)
    of_the_day = [name for name in listed(ledger.list_by_day, many.day, size) if name in many.made]
    assert of_the_day == list(many.made)


def test_a_page_holds_no_more_than_was_asked_for_and_its_bookmark_begins_the_next(
    ledger: FabricLedger, many: Cards
) -> None:
    first = ledger.list_by_session(many.session, page_size=3)
    second = ledger.list_by_session(many.session, page_size=3, bookmark=first.bookmark)
    third = ledger.list_by_session(many.session, page_size=3, bookmark=second.bookmark)
    assert [len(page.items) for page in (first, second, third)] == [3, 3, 1]
    assert (bool(first.bookmark), bool(second.bookmark), third.bookmark) == (True, True, "")


def test_a_bookmark_still_holds_after_more_was_committed(ledger: FabricLedger, cards: Cards) -> None:
    records = cards.make(4)
    for record in (records[0], records[3]):
        ledger.commit(record, DEFAULT)
    page = ledger.list_by_session(cards.session, page_size=1)
    for record in records[1:3]:
        ledger.commit(record, DEFAULT)
    rest = ledger.list_by_session(cards.session, page_size=10, bookmark=page.bookmark)
    assert [item["id"] for item in rest.items] == [records[3]["evaluation_id"]]


def test_an_empty_listing_is_an_empty_page(ledger: FabricLedger, cards: Cards) -> None:
    page = ledger.list_by_session(cards.session)
    assert (list(page.items), page.bookmark) == ([], "")


@pytest.mark.parametrize(("size", "bookmark"), [(0, ""), (201, ""), (1, "no bookmark!"), (1, "\x00"), (1, "x" * 500)])
def test_pages_that_are_none_are_refused(ledger: FabricLedger, cards: Cards, size: int, bookmark: str) -> None:
    with pytest.raises(LedgerRejected) as caught:
        ledger.list_by_session(cards.session, page_size=size, bookmark=bookmark)
    assert caught.value.code == "INVALID"


def test_a_listing_names_what_its_records_hold(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    receipt = ledger.commit(record, DEFAULT)
    [item] = ledger.list_by_session(cards.session).items
    assert item["id"] == record["evaluation_id"]
    assert (item["trust"], item["decision"]) == (record["trust"], record["decision"])
    assert (item["tx_id"], item["created_at"]) == (receipt.transaction_id, record["created_at"])


def test_the_history_of_a_record_is_one_write(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    receipt = ledger.commit(record, DEFAULT)
    ledger.commit(record, DEFAULT)
    [write] = ledger.history(record["evaluation_id"])["writes"]
    assert (write["tx_id"], write["block"]) == (receipt.transaction_id, receipt.block)
    assert write["digest"] == ledger.get(record["evaluation_id"])["digest"]


def test_both_peers_answer_a_listing_with_the_same_bytes(stage: Stage, many: Cards) -> None:
    args = [many.session.encode(), b"3", b""]
    with stage.ledger() as ledger:
        last = ledger.list_by_session(many.session).items[-1]["tx_id"]
    answers = []
    for via in ("EvaluatorMSP", "AuditorMSP"):
        gateway = stage.gateway(via=via)
        gateway.commit_status(last)
        answers.append(gateway.evaluate(CHAINCODE, "ListBySession", *args))
    assert answers[0] == answers[1]
