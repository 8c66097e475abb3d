"""The real contract behind the real stream: a ledger's life over the wire."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

import pytest

from glassbox_contract import canonical_bytes, invoke
from tests.contract import support
from tests.unit.chaincode_fabric.scripted import ADMIN, CLIENT, Peer, certificate, identity, server
from tests.unit.chaincode_fabric.world import World

POLICY = support.policy()
RECORD = canonical_bytes(support.record_of(POLICY))
ADMINISTRATOR = identity(pem=ADMIN)
AUDITOR = identity("AuditorMSP", CLIENT)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with server(invoke) as running:
        yield running.port


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def peer(port: int, world: World) -> Iterator[Peer]:
    with Peer(port, world.answer) as found:
        found.registered()
        answer = world.invoke(
            found, "p1", "RegisterPolicy", canonical_bytes(dict(POLICY.document)), creator=ADMINISTRATOR
        )
        assert answer.status == 200, answer.message
        yield found


def test_a_record_is_committed_once_with_its_event(world: World, peer: Peer) -> None:
    first = world.invoke(peer, "c1", "CommitScorecard", RECORD)
    assert (first.status, json.loads(first.payload)["status"]) == (200, "committed")
    again = json.loads(world.invoke(peer, "c2", "CommitScorecard", RECORD).payload)
    assert (again["status"], again["tx_id"]) == ("duplicate", "c1")
    assert [name for name, _ in world.events] == ["ScorecardCommitted"]
    assert len(world.history["SC:" + support.FIRST]) == 1


@pytest.mark.parametrize(
    ("args", "creator", "status", "begins"),
    [
        (("GetScorecard", support.SECOND), None, 404, "NOTFOUND: /evaluation_id: "),
        (("CommitScorecard", b"{}"), None, 400, "INCOMPLETE: "),
        (("CommitScorecard", b"{\xff"), None, 400, "INVALID: "),
        (("CommitScorecard", RECORD), AUDITOR, 403, "UNAUTHORIZED: "),
        (("CommitScorecard", RECORD), ADMINISTRATOR, 403, "UNAUTHORIZED: "),
        (("CommitScorecard", RECORD), identity(pem=certificate()), 403, "UNAUTHORIZED: "),
        (("CommitScorecard", RECORD), identity(pem=certificate("client", "admin")), 403, "UNAUTHORIZED: "),
        (("GetSchema",), identity("StrangerMSP"), 403, "UNAUTHORIZED: "),
        (("DeleteScorecard", support.FIRST), None, 400, "INVALID: "),
        (("GetScorecard",), None, 400, "INVALID: "),
    ],
)
def test_a_refusal_carries_its_code_and_status(
    world: World, peer: Peer, args: tuple[bytes | str, ...], creator: bytes | None, status: int, begins: str
) -> None:
    answer = world.invoke(peer, "r1", *args, creator=creator)
    assert answer.status == status
    assert answer.message.startswith(begins)
    assert "PUT_STATE" not in world.requests[3:]


def test_another_record_under_the_same_id_is_a_conflict(world: World, peer: Peer) -> None:
    world.invoke(peer, "c1", "CommitScorecard", RECORD)
    other = canonical_bytes(support.record_of(POLICY, bundle_digest="sha256:" + "3" * 64))
    answer = world.invoke(peer, "c2", "CommitScorecard", other)
    assert answer.status == 409
    assert answer.message.startswith("CONFLICT: /: ")


def test_many_records_are_listed_in_pages_and_each_query_is_closed(world: World, peer: Peer) -> None:
    ids = sorted(str(uuid.UUID(int=number, version=5)) for number in range(130))
    for identifier in ids:
        record = canonical_bytes(support.record_of(POLICY, evaluation_id=identifier))
        assert world.invoke(peer, f"c{identifier}", "CommitScorecard", record).status == 200
    found, bookmark = [], ""
    while True:
        answer = world.invoke(peer, "q", "ListByDay", "2026-01-02", "104", bookmark, creator=AUDITOR)
        page = json.loads(answer.payload)
        found += [item["id"] for item in page["items"]]
        if not (bookmark := page["bookmark"]):
            break
    assert found == ids
    assert world.open_queries == 0


def test_history_is_told_oldest_first(world: World, peer: Peer) -> None:
    world.invoke(peer, "c1", "CommitScorecard", RECORD)
    # What no contract of ours does, a broken ledger might hold.
    value = world.state["SC:" + support.FIRST]
    world.history["SC:" + support.FIRST] += [(f"x{number}", number, value) for number in range(250)]
    answer = json.loads(world.invoke(peer, "h", "GetHistory", support.FIRST).payload)
    assert [write["tx_id"] for write in answer["writes"]] == ["c1", *(f"x{number}" for number in range(250))]
    assert world.open_queries == 0


def test_nothing_is_ever_deleted(world: World, peer: Peer) -> None:
    world.invoke(peer, "c1", "CommitScorecard", RECORD)
    for function in ("GetScorecard", "GetHistory"):
        world.invoke(peer, function, function, support.FIRST)
    asked = {"GET_STATE", "PUT_STATE", "GET_STATE_BY_RANGE", "GET_HISTORY_FOR_KEY", "QUERY_STATE_NEXT"}
    assert set(world.requests) <= asked | {"QUERY_STATE_CLOSE", "COMPLETED"}
