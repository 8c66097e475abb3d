"""What goes wrong between a chaincode and its peer ends one transaction at most, and never without an answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any

import grpc
import pytest

from glassbox_chaincode import PeerError, StreamClosed
from glassbox_chaincode.exchange import Exchange
from glassbox_chaincode.protos import Message
from glassbox_contract.contract import Response
from tests.unit.chaincode_fabric.scripted import (
    CHANNEL,
    WAIT,
    Peer,
    eventually,
    identity,
    reply,
    response,
    server,
    transaction,
)

SECRET = "the patient takes warfarin"


class Interrupt(BaseException):
    """Something that is no Exception."""


def contract(stub: Any, function: str, args: Any) -> Response:
    """A contract that breaks in the ways that code breaks."""
    if function == "Read":
        return Response(200, stub.get_state("key") or b"", "")
    if function == "Raise":
        raise RuntimeError(f"could not read {SECRET}")
    if function == "Interrupt":
        raise Interrupt(SECRET)
    if function == "Recurse":
        return contract(stub, function, args)
    if function == "Huge":
        return Response(200, bytes(int(args[0])), "")
    if function == "Size":
        return Response(200, str(len(args[0])).encode(), "")
    return Response(200, b"", "")


@pytest.fixture
def running() -> Iterator[Any]:
    with server(contract) as found:
        yield found


@pytest.fixture
def peer(running: Any) -> Iterator[Peer]:
    with Peer(running.port) as found:
        yield found.registered()


@pytest.mark.parametrize(
    ("function", "name"), [("Raise", "RuntimeError"), ("Interrupt", "Interrupt"), ("Recurse", "RecursionError")]
)
def test_an_exception_is_answered_without_its_text(
    peer: Peer, function: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = peer.run("t1", function, SECRET)
    assert (answer.status, answer.message, answer.payload) == (500, f"INTERNAL: {name}", b"")
    assert peer.run("t2", "Fine").status == 200
    assert SECRET not in caplog.text
    assert f"unhandled: {name} at " in caplog.text


def test_no_argument_value_or_key_stands_in_a_log(peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        peer.send(transaction("t1", "Read", SECRET, transient={SECRET: SECRET.encode()}))
        peer.send(reply(peer.next(), SECRET.encode()))
        peer.next()
        peer.send(transaction(SECRET, "Read", channel=SECRET))
        peer.send(reply(peer.next(), SECRET.encode(), Message.ERROR))
        peer.next()
        peer.run("t3", SECRET)
        peer.send(Message(type=Message.RESPONSE, txid=SECRET, payload=SECRET.encode()))
        peer.send(SECRET.encode())
        peer.run("t4", "Fine")
    assert "warfarin" not in caplog.text
    assert "tx=t1" in caplog.text


@pytest.mark.parametrize("data", [b"\xff", b"\x12\x7f", bytes(100), SECRET.encode()])
def test_bytes_that_are_no_message_are_dropped_and_nobody_elses_transaction_ends(peer: Peer, data: bytes) -> None:
    peer.send(transaction("t1", "Read"))
    request = peer.next()
    peer.send(data)
    peer.send(reply(request, b"value"))
    assert response(peer.next()).payload == b"value"


def broken(change: str) -> Any:
    """Return a transaction that is broken in one place."""
    message = transaction("t1", "Fine")
    if change == "args":
        message.payload = b"\xff\xff"
    elif change == "proposal":
        message.proposal.proposal_bytes = b"\xff\xff"
    elif change == "no proposal":
        message.ClearField("proposal")
    elif change == "header":
        message.proposal.proposal_bytes = b"\x0a\x02\xff\xff"
    elif change == "creator":
        return transaction("t1", "Fine", creator=b"\xff\xff")
    elif change == "no creator":
        return transaction("t1", "Fine", creator=b"")
    elif change == "no MSP":
        return transaction("t1", "Fine", creator=identity(""))
    elif change == "other transaction":
        message.proposal.proposal_bytes = transaction("t2", "Fine").proposal.proposal_bytes
    elif change == "other channel":
        message.proposal.proposal_bytes = transaction("t1", "Fine", channel="other").proposal.proposal_bytes
    return message


CHANGES = [
    "args",
    "proposal",
    "no proposal",
    "header",
    "creator",
    "no creator",
    "no MSP",
    "other transaction",
    "other channel",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_malformed_transaction_is_answered_with_an_error(peer: Peer, change: str) -> None:
    peer.send(broken(change))
    answer = peer.expect(Message.ERROR)
    assert (answer.txid, answer.channel_id) == ("t1", CHANNEL)
    assert answer.payload
    assert peer.run("t3", "Fine").status == 200


def test_answers_that_nobody_waits_for_are_dropped(peer: Peer) -> None:
    for kind in (Message.RESPONSE, Message.ERROR):
        peer.send(Message(type=kind, txid="never", channel_id=CHANNEL, payload=b"x"))
    peer.send(transaction("t1", "Read"))
    request = peer.next()
    peer.send(reply(request, b"first"))
    peer.send(reply(request, b"second"))
    assert response(peer.next()).payload == b"first"


def test_unknown_kinds_of_messages_are_dropped(peer: Peer) -> None:
    for kind in (Message.UNDEFINED, Message.GET_STATE, Message.COMPLETED, 999):
        peer.send(Message(type=kind, txid="t1", channel_id=CHANNEL))
    assert peer.run("t1", "Fine").status == 200


def test_a_peer_that_never_answers_is_given_up_and_its_late_answer_is_dropped() -> None:
    with server(contract, reply_seconds=0.05) as running, Peer(running.port) as peer:
        peer.registered().send(transaction("t1", "Read"))
        request = peer.next()
        answer = response(peer.expect(Message.COMPLETED))
        assert (answer.status, answer.message) == (500, "INTERNAL: the peer did not answer GET_STATE within 0.05 s")
        peer.send(reply(request, b"late"))
        assert peer.run("t2", "Fine").status == 200


def test_a_peer_that_goes_away_ends_its_transactions_and_may_come_back(
    running: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with Peer(running.port) as first:
        first.registered()
        for number in range(5):
            first.send(transaction(f"t{number}", "Read"))
        for _ in range(5):
            first.expect(Message.GET_STATE)
        first.hang_up()
    with Peer(running.port) as second:
        second.registered().send(transaction("t0", "Read"))
        second.send(reply(second.next(), b"value"))
        assert response(second.next()).payload == b"value"
    assert eventually(lambda: running.status()["in_flight"] == 0)
    assert running.status()["done"] == 6
    assert caplog.text.count("the peer went away") == 5


def test_what_still_waits_when_its_peer_goes_away_is_not_run() -> None:
    begun: list[str] = []
    gate = threading.Event()

    def slow(stub: Any, function: str, args: Any) -> Response:
        begun.append(stub.tx_id)
        assert gate.wait(WAIT)
        return Response(200, b"", "")

    with server(slow, concurrent=1) as running, Peer(running.port) as peer:
        peer.registered()
        for number in range(4):
            peer.send(transaction(f"t{number}", "Work"))
        assert eventually(lambda: running.status()["in_flight"] == 4)
        peer.hang_up()
        assert eventually(lambda: running.status()["peers"] == 0)
        gate.set()
        assert eventually(lambda: running.status()["in_flight"] == 0)
    assert begun == ["t0"]


def test_a_message_larger_than_the_limit_ends_the_stream_and_the_next_one_works() -> None:
    with server(contract, message=1 << 16) as running:
        with Peer(running.port) as peer:
            peer.registered().send(transaction("t1", "Size", bytes(1 << 17)))
            assert peer.ended.wait(WAIT)
            assert peer.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        with Peer(running.port) as peer:
            assert peer.registered().run("t2", "Size", bytes(1 << 15)).payload == str(1 << 15).encode()


def test_an_answer_larger_than_the_limit_is_an_error_and_the_stream_goes_on() -> None:
    with server(contract, message=1 << 16) as running, Peer(running.port) as peer:
        answer = peer.registered().run("t1", "Huge", str(1 << 16))
        assert (answer.status, answer.message) == (500, "INTERNAL: the answer is larger than a message may be")
        assert len(peer.run("t2", "Huge", "60000").payload) == 60000


def test_twelve_megabytes_pass_both_ways(peer: Peer) -> None:
    size = 12 << 20
    assert peer.run("t1", "Size", bytes(size)).payload == str(size).encode()
    assert len(peer.run("t2", "Huge", str(size)).payload) == size


def test_more_peers_than_the_limit_are_refused_and_the_others_go_on() -> None:
    with server(contract, streams=1) as running, Peer(running.port) as first:
        first.registered()
        with Peer(running.port) as second:
            assert second.ended.wait(WAIT)
            assert second.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert first.run("t1", "Fine").status == 200


def test_a_transaction_has_one_open_request_even_from_two_threads() -> None:
    sent: Queue[Any] = Queue()
    exchange = Exchange(CHANNEL, "t1", sent.put, 5)
    found: Queue[bytes] = Queue()
    body = Message()
    asker = threading.Thread(target=lambda: found.put(exchange.ask(Message.GET_STATE, body)))
    asker.start()
    request = sent.get(timeout=WAIT)
    with pytest.raises(PeerError, match="one request at a time"):
        exchange.ask(Message.GET_STATE, body)
    assert exchange.answer(reply(request, b"value"))
    asker.join(WAIT)
    assert found.get(timeout=WAIT) == b"value"
    assert not exchange.answer(reply(request, b"again"))


def test_after_a_wait_that_was_too_long_no_answer_counts_and_nothing_is_asked() -> None:
    exchange = Exchange(CHANNEL, "t1", lambda message: None, 0.01)
    for _ in range(2):
        with pytest.raises(PeerError):
            exchange.ask(Message.GET_STATE, Message())
    assert not exchange.answer(Message(type=Message.RESPONSE, payload=b"late"))


def test_whoever_waits_when_the_peer_goes_away_is_told_so() -> None:
    sent: Queue[Any] = Queue()
    exchange = Exchange(CHANNEL, "t1", sent.put, WAIT)
    found: Queue[str] = Queue()

    def ask() -> None:
        try:
            exchange.ask(Message.GET_STATE, Message())
        except StreamClosed as error:
            found.put(str(error))

    asker = threading.Thread(target=ask)
    asker.start()
    sent.get(timeout=WAIT)
    exchange.end(StreamClosed)
    assert found.get(timeout=WAIT) == "the peer went away during GET_STATE"
    asker.join(WAIT)


def test_a_transaction_that_is_over_asks_nothing_more() -> None:
    for reason in (PeerError, StreamClosed):
        exchange = Exchange(CHANNEL, "t1", lambda message: pytest.fail("it was sent"), 5)
        exchange.end(reason)
        with pytest.raises(reason):
            exchange.ask(Message.GET_STATE, Message())
