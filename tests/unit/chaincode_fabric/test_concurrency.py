"""Many transactions on one stream: none sees another's answers, a limit holds, and what is too much is said so."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glassbox_chaincode import protos
from glassbox_chaincode.protos import Message
from glassbox_contract.contract import Response
from tests.unit.chaincode_fabric.scripted import WAIT, Peer, reply, response, server, transaction

READS = 3


def contract(stub: Any, function: str, args: Any) -> Response:
    """Read some keys of its own, write what was found, and answer with it."""
    found = b",".join(stub.get_state(f"{stub.tx_id}/{number}") for number in range(READS))
    stub.put_state(stub.tx_id, found)
    stub.set_event("Done", stub.tx_id.encode())
    return Response(200, found, "")


def value_of(key: str) -> bytes:
    """What the scripted peer holds under a key."""
    return b"<" + key.encode() + b">"


def wanted(tx_id: str) -> bytes:
    """What a transaction must have found."""
    return b",".join(value_of(f"{tx_id}/{number}") for number in range(READS))


def answered(request: Any) -> Any:
    """The peer's answer to a read or write; a write must hold what its own transaction read."""
    if request.type == Message.GET_STATE:
        key = protos.shim.GetState.FromString(request.payload).key
        assert key.startswith(request.txid + "/")
        return reply(request, value_of(key))
    put = protos.shim.PutState.FromString(request.payload)
    assert (put.key, put.value) == (request.txid, wanted(request.txid))
    return reply(request)


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    with server(contract, concurrent=64) as running, Peer(running.port) as found:
        yield found.registered()


def interleave(peer: Peer, ids: list[str], dice: random.Random) -> dict[str, Any]:
    """Run transactions at once and answer their requests in a random order; return the COMPLETED messages."""
    for tx_id in ids:
        peer.send(transaction(tx_id, "Work"))
    waiting: list[Any] = []
    completed: dict[str, Any] = {}
    while len(completed) < len(ids):
        if not waiting or (not peer.inbox.empty() and dice.random() < 0.7):
            message = peer.next()
            if message.type == Message.COMPLETED:
                assert message.txid not in completed, "a transaction was answered twice"
                completed[message.txid] = message
            else:
                assert all(message.txid != other.txid for other in waiting), "two open requests in one transaction"
                waiting.append(message)
        else:
            peer.send(answered(waiting.pop(dice.randrange(len(waiting)))))
    return completed


def test_sixty_four_transactions_at_once_each_find_their_own(peer: Peer) -> None:
    ids = [f"tx{number}" for number in range(64)]
    completed = interleave(peer, ids, random.Random(1))
    for tx_id in ids:
        assert response(completed[tx_id]).payload == wanted(tx_id)
        assert completed[tx_id].chaincode_event.payload == tx_id.encode()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(count=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_no_order_of_answers_mixes_transactions_up(peer: Peer, count: int, seed: int) -> None:
    ids = [f"s{seed}-{number}" for number in range(count)]
    completed = interleave(peer, ids, random.Random(seed))
    assert {tx_id: response(completed[tx_id]).payload for tx_id in ids} == {tx_id: wanted(tx_id) for tx_id in ids}


def test_the_same_id_on_two_channels_is_two_transactions(peer: Peer) -> None:
    for channel in ("one", "two"):
        peer.send(transaction("same", "Work", channel=channel))
    requests = [peer.next(), peer.next()]
    assert {request.channel_id for request in requests} == {"one", "two"}
    peer.send(answered(requests[0]))
    assert peer.next().channel_id == requests[0].channel_id
    peer.send(Message(type=Message.ERROR, txid="same", channel_id=requests[0].channel_id))
    peer.send(Message(type=Message.ERROR, txid="same", channel_id=requests[1].channel_id))
    assert {peer.expect(Message.COMPLETED).channel_id for _ in range(2)} == {"one", "two"}


def test_a_transaction_sent_twice_runs_once(peer: Peer) -> None:
    for _ in range(2):
        peer.send(transaction("twice", "Work"))
    for _ in range(READS + 1):
        peer.send(answered(peer.next()))
    peer.expect(Message.COMPLETED)
    peer.send(Message(type=Message.KEEPALIVE))
    peer.expect(Message.KEEPALIVE)


class Gate:
    """A contract that counts who is inside and lets nobody out before it is opened."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.lock = threading.Lock()
        self.inside = self.most = 0
        self.entered = threading.Semaphore(0)

    def __call__(self, stub: Any, function: str, args: Any) -> Response:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.entered.release()
        assert self.opened.wait(WAIT)
        with self.lock:
            self.inside -= 1
        return Response(200, b"", "")


def test_no_more_run_at_once_than_the_limit_and_no_more_wait_than_may() -> None:
    gate = Gate()
    with server(gate, concurrent=3, waiting=4) as running, Peer(running.port) as peer:
        peer.registered()
        for number in range(10):
            peer.send(transaction(f"t{number}", "Work"))
        refused = [response(peer.expect(Message.COMPLETED)) for _ in range(3)]
        assert {(one.status, one.message) for one in refused} == {(503, "UNAVAILABLE: too many transactions wait")}
        for _ in range(3):
            assert gate.entered.acquire(timeout=WAIT)
        assert running.status() == {"status": "serving", "peers": 1, "in_flight": 7, "done": 0}
        gate.opened.set()
        assert [response(peer.next()).status for _ in range(7)] == [200] * 7
        assert peer.run("t9", "Work").status == 200
    assert gate.most == 3
    assert running.status() == {"status": "stopped", "peers": 0, "in_flight": 0, "done": 8}


def test_a_stream_goes_on_while_all_workers_are_busy() -> None:
    gate = Gate()
    with server(gate, concurrent=1) as running, Peer(running.port) as peer:
        peer.registered().send(transaction("t", "Work"))
        peer.send(Message(type=Message.KEEPALIVE))
        peer.expect(Message.KEEPALIVE)
        gate.opened.set()
        peer.expect(Message.COMPLETED)


def test_two_peers_are_served_side_by_side_even_with_equal_ids() -> None:
    with server(contract) as running, Peer(running.port) as one, Peer(running.port) as two:
        for peer in (one.registered(), two.registered()):
            peer.send(transaction("same", "Work"))
        for peer in (one, two):
            for _ in range(READS + 1):
                peer.send(answered(peer.next()))
            assert response(peer.next()).payload == wanted("same")
