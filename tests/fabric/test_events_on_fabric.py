"""Events: one for each record that was committed, none for anything else, and all of them again for who asks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.identities import serialized
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox_contract import canonical_bytes, digest_bytes
from tests.contract.support import REQUEST
from tests.fabric.stage import CHAINCODE, CHANNEL, DEFAULT, Cards, Stage
from tests.unit.ledger_fabric.authorities import Authority


class Listener:
    """Reads chaincode events from the Evaluator's peer in a thread of its own."""

    def __init__(self, stage: Stage, **request: Any) -> None:
        self.seen: list[tuple[int, Any]] = []
        self.code: grpc.StatusCode | None = None
        self._changed = threading.Condition()
        self._channel = stage.evaluator.gateway.channel()
        client = stage.evaluator.client
        named = {"channel_id": CHANNEL, "chaincode_id": CHAINCODE, **request}
        named.setdefault("identity", serialized(client.msp_id, client.certificate))
        data = protos.gateway.ChaincodeEventsRequest(**named).SerializeToString()
        signed = protos.gateway.SignedChaincodeEventsRequest(request=data, signature=client.sign(data))
        self._call = protos.gateway_grpc.GatewayStub(self._channel).ChaincodeEvents(signed)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._call.cancel()
        self._thread.join(20)
        self._channel.close()

    def wait(self, tx_id: str) -> list[Any]:
        """Return the events so far, once that of a transaction is among them."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(one.tx_id == tx_id for _, one in self.seen), 20)
            return [one for _, one in self.seen]

    def wait_end(self) -> grpc.StatusCode:
        """Return the code that the stream ends with."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.code is not None, 20)
        assert self.code is not None
        return self.code

    def _read(self) -> None:
        try:
            for response in self._call:
                with self._changed:
                    self.seen += [(response.block_number, one) for one in response.events]
                    self._changed.notify_all()
        except grpc.RpcError as error:
            with self._changed:
                self.code = error.code()
                self._changed.notify_all()


def from_block(number: int) -> Any:
    """Return a position from where on blocks are read."""
    from fabric_protos.orderer import ab_pb2

    seek: Any = ab_pb2
    return seek.SeekPosition(specified=seek.SeekSpecified(number=number))


@pytest.fixture
def three(ledger: FabricLedger, cards: Cards) -> Iterator[list[tuple[dict[str, Any], Any]]]:
    """Three records with their receipts."""
    yield [(record, ledger.commit(record, DEFAULT)) for record in cards.make(3)]


def test_a_commit_emits_what_was_committed_and_no_text(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    receipt = ledger.commit(record, DEFAULT)
    with Listener(stage, start_position=from_block(receipt.block)) as listener:
        events = listener.wait(receipt.transaction_id)
    [event] = [one for one in events if one.tx_id == receipt.transaction_id]
    assert (event.event_name, event.chaincode_id) == ("ScorecardCommitted", CHAINCODE)
    assert json.loads(event.payload) == {
        "id": record["evaluation_id"],
        "digest": digest_bytes(canonical_bytes(record)),
        "trust": record["trust"],
        "decision": record["decision"],
    }


def test_a_listener_hears_of_commits_as_they_come(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    with Listener(stage, start_position=from_block(0)) as listener:
        receipts = [ledger.commit(record, DEFAULT) for record in cards.make(2)]
        listener.wait(receipts[-1].transaction_id)
        mine = [(block, one.tx_id) for block, one in listener.seen if one.tx_id in {r.transaction_id for r in receipts}]
    assert mine == [(one.block, one.transaction_id) for one in receipts]


def test_the_whole_channel_is_replayed_in_order_and_each_event_once(
    stage: Stage, three: list[tuple[dict[str, Any], Any]]
) -> None:
    with Listener(stage, start_position=from_block(0)) as listener:
        events = listener.wait(three[-1][1].transaction_id)
        blocks = [block for block, _ in listener.seen]
    names = [one.tx_id for one in events]
    assert len(names) == len(set(names))
    assert blocks == sorted(blocks)
    expected = [receipt.transaction_id for _, receipt in three]
    assert [name for name in names if name in expected] == expected


def test_who_names_the_last_transaction_heard_gets_what_came_after_it(
    stage: Stage, three: list[tuple[dict[str, Any], Any]]
) -> None:
    first, _, last = [receipt.transaction_id for _, receipt in three]
    request = {"start_position": from_block(0), "after_transaction_id": first}
    with Listener(stage, **request) as listener:
        names = [one.tx_id for one in listener.wait(last)]
    assert first not in names
    assert names == [receipt.transaction_id for _, receipt in three[1:]]


def test_duplicates_refusals_and_openings_emit_nothing(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    first, second = cards.make(2)
    receipt = ledger.commit(first, DEFAULT)
    ledger.commit(first, DEFAULT)
    ledger.open_evaluation(second["evaluation_id"], REQUEST, DEFAULT)
    last = ledger.commit(second, DEFAULT)
    with Listener(stage, start_position=from_block(receipt.block)) as listener:
        names = [one.tx_id for one in listener.wait(last.transaction_id)]
    assert names == [receipt.transaction_id, last.transaction_id]


def test_events_of_another_chaincode_are_not_told(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    receipt = ledger.commit(cards.one(), DEFAULT)
    with (
        Listener(stage, start_position=from_block(receipt.block), chaincode_id="other") as other,
        Listener(stage, start_position=from_block(receipt.block)) as listener,
    ):
        listener.wait(receipt.transaction_id)
        assert other.seen == []


def test_only_readers_of_the_channel_hear_events(stage: Stage) -> None:
    with Listener(stage, identity=Authority("EvaluatorMSP").member("client").creator) as listener:
        assert listener.wait_end() is grpc.StatusCode.PERMISSION_DENIED
    with Listener(stage, channel_id="elsewhere") as listener:
        assert listener.wait_end() is grpc.StatusCode.PERMISSION_DENIED
