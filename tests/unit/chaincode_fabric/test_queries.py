"""Ranges, pages and history over the stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glassbox_chaincode.protos import Message
from glassbox_contract.contract import Response
from glassbox_contract.stub import composite_key
from tests.unit.chaincode_fabric.scripted import Peer, reply, response, server, transaction
from tests.unit.chaincode_fabric.world import World


def contract(stub: Any, function: str, args: Any) -> Response:
    """A contract that asks queries and shows what it got."""
    if function == "Range":
        start, end, limit = args
        found = stub.get_range(start.decode(), end.decode(), int(limit))
        return Response(200, json.dumps([key for key, _ in found]).encode(), "")
    if function == "Pages":
        keys, sizes, bookmark = [], [], ""
        while True:
            page = stub.get_range_page(args[0].decode(), args[1].decode(), int(args[2]), bookmark)
            keys += [key for key, _ in page.items]
            sizes.append(len(page.items))
            if not (bookmark := page.bookmark):
                return Response(200, json.dumps([keys, sizes]).encode(), "")
    if function == "Partial":
        page = stub.get_partial_page(10, "", "day", args[0].decode())
        return Response(200, json.dumps([[key, value.decode()] for key, value in page.items]).encode(), "")
    stub.get_range_page("a", "z", 5)
    stub.put_state("a", b"1")
    return Response(200, b"", "")


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@pytest.fixture(scope="module")
def peer(world: World) -> Iterator[Peer]:
    with server(contract) as running, Peer(running.port, world.answer) as found:
        yield found.registered()


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="\0\U0010ffff"), min_size=1, max_size=6)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(keys=st.lists(KEYS, unique=True, max_size=250), start=KEYS, end=KEYS, limit=st.integers(0, 260))
def test_a_range_is_what_lies_between_in_the_order_of_its_bytes(
    world: World, peer: Peer, keys: list[str], start: str, end: str, limit: int
) -> None:
    world.state = dict.fromkeys(keys, b"1")
    found = json.loads(world.invoke(peer, "t", "Range", start, end, str(limit)).payload)
    within = sorted((key for key in keys if start <= key < end), key=str.encode)
    assert found == within[:limit]
    assert world.open_queries == 0


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(count=st.integers(0, 60), size=st.integers(1, 25))
def test_pages_together_are_the_range(world: World, peer: Peer, count: int, size: int) -> None:
    world.state = {f"k{number:03}": b"1" for number in range(count)}
    keys, sizes = json.loads(world.invoke(peer, "t", "Pages", "k", "l", str(size)).payload)
    assert keys == sorted(world.state)
    assert all(one == size for one in sizes[:-1])


def test_a_partial_composite_key_finds_what_begins_with_it(world: World, peer: Peer) -> None:
    world.state = {composite_key("day", day, name): b"x" for day in ("1", "11", "2") for name in ("a", "b")}
    found = json.loads(world.invoke(peer, "t", "Partial", "1").payload)
    assert found == [[composite_key("day", "1", name), "x"] for name in ("a", "b")]


def test_a_page_in_a_transaction_that_writes_is_refused_by_the_peer(world: World, peer: Peer) -> None:
    assert world.invoke(peer, "t", "PageThenWrite").status == 500


@pytest.mark.parametrize("answer", [b"\xff\xff\xff", b"\x0a\x05\x0a\x03\xff\xff\xff"])
def test_a_query_answered_with_nonsense_is_an_error(answer: bytes) -> None:
    with server(contract) as running, Peer(running.port) as peer:
        peer.registered().send(transaction("t", "Range", "a", "b", "5"))
        peer.send(reply(peer.expect(Message.GET_STATE_BY_RANGE), answer))
        found = response(peer.expect(Message.COMPLETED))
        assert (found.status, found.message) == (
            500,
            "INTERNAL: the peer's answer to a query is no message of the protocol",
        )
