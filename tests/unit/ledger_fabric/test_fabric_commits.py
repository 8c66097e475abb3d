"""A transaction takes effect once, whatever dies where, and success is said only of a valid one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from glassbox.errors import LedgerConflict, LedgerUnavailable
from glassbox.ledger.fabric.errors import CommitInvalid, CommitUnknown, FabricUnavailable
from glassbox.ledger.fabric.gateway import Deadlines
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore, Pending
from tests.unit.ledger.support import DEFAULT, identifier, record
from tests.unit.ledger_fabric.network import MVCC, Peers, Refusal

AWAY = grpc.StatusCode.UNAVAILABLE
NO_ORDERER = Refusal(AWAY, "no orderers could successfully process transaction")
KEY = f"commit-{identifier(1)}"


@pytest.fixture(autouse=True)
def registered(ledger: FabricLedger, peers: Peers) -> None:
    """The policy stands before the commits that are counted here."""
    ledger.register_policy(DEFAULT)
    peers.calls.clear()
    peers.submitted.clear()


def records_of(peers: Peers) -> list[str]:
    return [key for key in peers.channel.state if key.startswith("SC:")]


def test_the_envelope_is_kept_before_it_is_submitted_and_forgotten_after(
    ledger: FabricLedger, peers: Peers, tmp_path: Path
) -> None:
    store = FilePendingStore(tmp_path / "pending")
    seen: list[Pending | None] = []
    peers.before["Submit"] = [lambda: seen.append(store.get(KEY))]
    receipt = ledger.commit(record(1), DEFAULT)
    assert seen[0] is not None
    assert (seen[0].tx_id, seen[0].envelope) == (receipt.transaction_id, peers.submitted[0])
    assert store.get(KEY) is None


def test_an_orderer_that_is_away_gets_the_same_envelope_again(ledger: FabricLedger, peers: Peers) -> None:
    peers.before["Submit"] = [NO_ORDERER, NO_ORDERER, None]
    receipt = ledger.commit(record(1), DEFAULT)
    assert peers.calls.count("Endorse") == 1
    assert ledger.get(identifier(1))["tx_id"] == receipt.transaction_id


def test_a_lost_reply_to_submit_is_looked_up_and_nothing_is_sent_twice(ledger: FabricLedger, peers: Peers) -> None:
    peers.after["Submit"] = [Refusal(AWAY, "stream removed"), Refusal(AWAY, "stream removed")]
    ledger.commit(record(1), DEFAULT)
    assert len(set(peers.submitted)) == 1
    assert len(records_of(peers)) == 1


def test_an_envelope_ordered_twice_counts_once(ledger: FabricLedger, peers: Peers) -> None:
    receipt = ledger.commit(record(1), DEFAULT)
    peers.channel.append([peers.submitted[-1]])
    assert ledger.get(identifier(1))["block"] == receipt.block
    assert ledger.history(identifier(1))["writes"][0]["tx_id"] == receipt.transaction_id
    assert ledger.fsck().intact


def test_when_no_orderer_answers_the_outcome_is_open_and_the_next_call_settles_it(
    ledger: FabricLedger, peers: Peers
) -> None:
    peers.before["Submit"] = [NO_ORDERER] * 4
    with pytest.raises(CommitUnknown) as caught:
        ledger.commit(record(1), DEFAULT)
    assert (caught.value.stage, caught.value.retryable) == ("submit", True)
    assert records_of(peers) == []
    receipt = ledger.commit(record(1), DEFAULT)
    assert receipt.transaction_id == caught.value.tx_id


def test_a_commit_that_is_not_seen_in_time_is_found_by_the_next_call(peers: Peers, tmp_path: Path) -> None:
    network = peers.network(deadlines=Deadlines(commit_status=0.2))
    with FabricLedger(network, FilePendingStore(tmp_path / "p")) as ledger:
        peers.before["CommitStatus"] = [lambda: threading.Event().wait(1.0)]
        with pytest.raises(CommitUnknown) as caught:
            ledger.commit(record(1), DEFAULT)
        assert caught.value.stage == "commit-status"
        assert caught.value.tx_id in str(caught.value)
        again = ledger.commit(record(1), DEFAULT)
        assert again.transaction_id == caught.value.tx_id
        assert len(peers.submitted) == 1


@pytest.mark.parametrize("step", ["kept", "submitted", "committed"])
def test_a_client_that_dies_is_followed_by_one_that_finishes_its_work(peers: Peers, tmp_path: Path, step: str) -> None:
    class Death(BaseException):
        """The end of the process, as far as the commit can see."""

    class Store(FilePendingStore):
        def put(self, key: str, pending: Pending) -> None:
            super().put(key, pending)
            if step == "kept":
                raise Death

        def delete(self, key: str, tx_id: str) -> None:
            if step == "committed":
                raise Death
            super().delete(key, tx_id)

    first = FabricLedger(peers.network(), Store(tmp_path / "p"))
    if step == "submitted":
        first._gateway.commit_status = lambda tx_id: (_ for _ in ()).throw(Death)  # type: ignore[method-assign]
    with pytest.raises(Death):
        first.commit(record(1), DEFAULT)
    first.close()
    with FabricLedger(peers.network(), FilePendingStore(tmp_path / "p")) as second:
        receipt = second.commit(record(1), DEFAULT)
        assert len(set(peers.submitted)) == 1
        assert second.get(identifier(1))["tx_id"] == receipt.transaction_id
        assert second.fsck().records == 1
    assert list((tmp_path / "p").iterdir()) == []


def test_what_is_left_of_one_record_never_answers_for_another(peers: Peers, tmp_path: Path) -> None:
    store = FilePendingStore(tmp_path / "p")
    with FabricLedger(peers.network(), store) as ledger:
        peers.before["Submit"] = [NO_ORDERER] * 4
        with pytest.raises(CommitUnknown):
            ledger.commit(record(1), DEFAULT)
        with pytest.raises(LedgerConflict):
            ledger.commit(record(1, bundle_digest="sha256:" + "0" * 64), DEFAULT)
        assert ledger.get(identifier(1))["record"] == record(1)


def test_two_writers_of_one_record_both_get_the_one_that_stands(ledger: FabricLedger, peers: Peers) -> None:
    meanwhile: list[Any] = []
    other = FabricLedger(peers.network(), Nowhere())

    def interfere() -> None:
        meanwhile.append(other.commit(record(1), DEFAULT))

    peers.before["Submit"] = [interfere]
    receipt = ledger.commit(record(1), DEFAULT)
    other.close()
    assert receipt.transaction_id == meanwhile[0].transaction_id
    assert receipt.duplicate
    codes = [block.metadata.metadata[2][0] for block in peers.channel.blocks]
    assert codes.count(MVCC) == 1


class Nowhere:
    """A store that keeps nothing, for a writer that never dies."""

    def get(self, key: str) -> Pending | None:
        return None

    def put(self, key: str, pending: Pending) -> None:
        pass

    def delete(self, key: str, tx_id: str) -> None:
        pass


def test_a_transaction_with_too_few_endorsements_is_an_error_with_its_block(
    ledger: FabricLedger, peers: Peers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        peers.channel,
        "_judge",
        lambda number, place, data: peers.channel.places.update({_id(data): (number, place)}) or 10,
    )
    with pytest.raises(CommitInvalid, match="ENDORSEMENT_POLICY_FAILURE") as caught:
        ledger.commit(record(1), DEFAULT)
    assert (caught.value.code, caught.value.block, caught.value.retryable) == ("ENDORSEMENT_POLICY_FAILURE", 2, False)
    assert records_of(peers) == []


def _id(data: bytes) -> str:
    from glassbox.ledger.fabric.channel import transaction_id_of

    return transaction_id_of(data)


def test_a_peer_that_lags_is_asked_again(ledger: FabricLedger, peers: Peers) -> None:
    lagging = Refusal(
        grpc.StatusCode.ABORTED,
        "failed to collect enough transaction endorsements, see attached details for more info",
        ["chaincode response 404, NOTFOUND: /policy_digest: no policy with this digest is registered"],
    )
    peers.before["Endorse"] = [lagging, lagging, None]
    ledger.commit(record(1), DEFAULT)
    assert peers.calls.count("Endorse") == 3


def test_a_connection_that_died_unseen_is_tried_once_more(ledger: FabricLedger, peers: Peers) -> None:
    dead = Refusal(AWAY, "No connection established")
    peers.before["Evaluate"] = [dead]
    assert ledger.list_open().items == []
    peers.before["Evaluate"] = [dead, dead]
    with pytest.raises(FabricUnavailable) as caught:
        ledger.list_open()
    assert caught.value.stage == "evaluate"


def test_32_writers_of_one_client_commit_each_record_once(ledger: FabricLedger, peers: Peers) -> None:
    with ThreadPoolExecutor(32) as pool:
        receipts = list(pool.map(lambda n: ledger.commit(record(n % 8), DEFAULT), range(1, 33)))
    assert len({r.transaction_id for r in receipts}) == 8
    assert len(records_of(peers)) == 8
    report = ledger.fsck()
    assert report.intact, report.findings
    assert report.records == 8


def test_a_network_that_is_away_says_so_and_nothing_is_left(ledger: FabricLedger, peers: Peers, tmp_path: Path) -> None:
    peers.close()
    with pytest.raises(LedgerUnavailable, match="nothing was committed"):
        ledger.commit(record(1), DEFAULT)
    assert FilePendingStore(tmp_path / "pending").get(KEY) is None
