"""The chaincode speaks the shim's protocol: handshake, transactions, reads, writes, events, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from glassbox_chaincode import protos
from glassbox_chaincode.protos import Message
from glassbox_contract.contract import Response
from tests.unit.chaincode_fabric.scripted import CHAINCODE_ID, CHANNEL, Peer, reply, response, server, transaction


def contract(stub: Any, function: str, args: Any) -> Response:
    """A contract for the tests: each function shows one thing that a contract may do."""
    if function == "Read":
        value = stub.get_state(args[0].decode())
        return Response(200, b"nothing" if value is None else b"found:" + value, "")
    if function == "Write":
        stub.put_state(args[0].decode(), args[1])
        return Response(200, b"", "")
    if function == "WriteTwo":
        stub.put_state("a", b"1")
        stub.put_state("b", b"2")
        return Response(200, b"", "")
    if function == "Who":
        parts = (stub.creator.msp, stub.creator.role, stub.channel_id, stub.tx_id, str(stub.tx_timestamp))
        return Response(200, "|".join(parts).encode(), "")
    if function == "Transient":
        return Response(200, stub.transient["secret"], "")
    if function in ("Event", "EventThenRefuse"):
        stub.set_event("Committed", args[0])
        return Response(200 if function == "Event" else 409, b"", "" if function == "Event" else "CONFLICT: /: no")
    if function == "TwoEvents":
        stub.set_event("One", b"1")
        stub.set_event("Two", b"2")
    return Response(400, b"", "INVALID: /: no such function")


@pytest.fixture
def peer() -> Iterator[Peer]:
    with server(contract) as running, Peer(running.port) as found:
        yield found.registered()


def test_registers_itself_under_its_package_id(peer: Peer) -> None:
    assert peer.run("t1", "Who").status == 200


def test_answers_with_status_payload_and_message_under_channel_and_id(peer: Peer) -> None:
    peer.send(transaction("t1", "Nonsense"))
    completed = peer.next()
    assert (completed.txid, completed.channel_id) == ("t1", CHANNEL)
    assert (response(completed).status, response(completed).message) == (400, "INVALID: /: no such function")


def test_reads_a_value_and_knows_what_was_never_written(peer: Peer) -> None:
    for given, expected in ((b"v", b"found:v"), (b"", b"nothing")):
        peer.send(transaction("t1", "Read", "key"))
        request = peer.expect(Message.GET_STATE)
        assert protos.shim.GetState.FromString(request.payload).key == "key"
        peer.send(reply(request, given))
        assert response(peer.next()).payload == expected


def test_a_refused_read_is_an_error_and_never_a_value(peer: Peer) -> None:
    peer.send(transaction("t1", "Read", "key"))
    peer.send(reply(peer.expect(Message.GET_STATE), b"GET_STATE failed: something", Message.ERROR))
    answer = response(peer.next())
    assert answer.status == 500
    assert answer.message == "INTERNAL: the peer refused GET_STATE; its log says why"
    assert answer.payload == b""


def test_writes_and_waits_for_the_peer_before_it_goes_on(peer: Peer) -> None:
    peer.send(transaction("t1", "WriteTwo"))
    first = peer.expect(Message.PUT_STATE)
    put = protos.shim.PutState.FromString(first.payload)
    assert (put.key, put.value) == ("a", b"1")
    assert peer.inbox.empty()
    peer.send(reply(first))
    second = peer.expect(Message.PUT_STATE)
    assert protos.shim.PutState.FromString(second.payload).key == "b"
    peer.send(reply(second))
    assert response(peer.next()).status == 200


def test_a_refused_write_ends_the_transaction(peer: Peer) -> None:
    peer.send(transaction("t1", "WriteTwo"))
    peer.send(reply(peer.expect(Message.PUT_STATE), b"no", Message.ERROR))
    assert response(peer.next()).status == 500


@pytest.mark.parametrize(("key", "value"), [("", b"v"), ("k", b"")])
def test_an_empty_key_or_value_is_never_sent(peer: Peer, key: str, value: bytes) -> None:
    answer = peer.run("t1", "Write", key, value)
    assert (answer.status, answer.message) == (500, "INTERNAL: ValueError")


def test_the_contract_knows_who_called_where_and_when(peer: Peer) -> None:
    answer = peer.run("t9", "Who", milliseconds=1_700_000_000_123)
    assert answer.payload == b"EvaluatorMSP|client|scorecards|t9|1700000000123"


def test_a_time_before_1970_arrives_as_it_is(peer: Peer) -> None:
    assert peer.run("t9", "Who", milliseconds=-1).payload.endswith(b"|-1")


def test_transient_fields_arrive(peer: Peer) -> None:
    assert peer.run("t1", "Transient", transient={"secret": b"\x00\xff"}).payload == b"\x00\xff"


def test_the_event_travels_in_the_answer(peer: Peer) -> None:
    peer.send(transaction("t1", "Event", b"\x01payload"))
    event = peer.expect(Message.COMPLETED).chaincode_event
    assert (event.event_name, event.payload) == ("Committed", b"\x01payload")
    assert (event.chaincode_id, event.tx_id) == (CHAINCODE_ID, "t1")


def test_a_refused_transaction_has_no_event(peer: Peer) -> None:
    peer.send(transaction("t1", "EventThenRefuse", b"x"))
    completed = peer.next()
    assert not completed.HasField("chaincode_event")
    assert response(completed).message == "CONFLICT: /: no"


def test_a_second_event_is_an_error_since_fabric_would_lose_the_first(peer: Peer) -> None:
    assert peer.run("t1", "TwoEvents").status == 500


def test_keepalive_is_answered(peer: Peer) -> None:
    peer.send(Message(type=Message.KEEPALIVE))
    peer.expect(Message.KEEPALIVE)


def test_initialisation_has_nothing_to_do(peer: Peer) -> None:
    assert peer.run("t1", kind=Message.INIT).status == 200


def test_a_call_without_a_function_or_with_a_broken_name_is_refused(peer: Peer) -> None:
    assert peer.run("t1").message == "INVALID: /: no function is named; see GetSchema"
    assert peer.run("t2", b"\xff\xfe").message == "INVALID: /: the function's name is not UTF-8"
