"""What a chaincode sees of the state through the development peer, and which transactions it finds valid."""

from __future__ import annotations

import json
import uuid

import pytest

from glassbox.errors import LedgerError
from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.transactions import read_envelope
from tests.unit.devpeer.support import CHAINCODE, Network


@pytest.fixture
def key() -> str:
    """The beginning of keys that nobody else uses."""
    return uuid.uuid4().hex


def test_what_is_written_is_read_after_the_block_and_not_before(network: Network, key: str) -> None:
    prepared = network.prepare("put", key, "1")
    assert json.loads(prepared.result) == [None]
    assert network.ask("get", key) == [None]
    assert network.finish(prepared) == ["VALID"]
    assert network.ask("get", key) == ["1"]


def test_both_organisations_endorse_what_the_other_does(network: Network, key: str) -> None:
    prepared = network.prepare("put", key, "1")
    envelope = read_envelope(prepared.envelope)
    actions = protos.transactions.Transaction.FromString(envelope.data).actions
    body = protos.transactions.ChaincodeActionPayload.FromString(actions[0].payload)
    signers = [protos.identities.SerializedIdentity.FromString(one.endorser).mspid for one in body.action.endorsements]
    assert sorted(signers) == ["AuditorMSP", "EvaluatorMSP"]


def test_history_gives_every_write_with_its_transaction(network: Network, key: str) -> None:
    first, second = network.commit("put", key, "1"), network.commit("put", key, "2")
    assert [row[:2] for row in network.ask("history", key)] == [[first, "1"], [second, "2"]]


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250])
def test_ranges_of_any_length_come_whole_and_in_order(network: Network, key: str, count: int) -> None:
    keys = [f"{key}{n:04}" for n in range(count)]
    if keys:
        network.commit("put", *(text for one in keys for text in (one, "x")))
    assert network.ask("count", key, key + "\U0010ffff") == keys


def test_ranges_are_in_the_order_of_utf_8_and_end_before_their_end(network: Network, key: str) -> None:
    ends = ["", "\x00", "a", "b", "é", "\uffff", "\U0001f600"]
    network.commit("put", *(text for end in reversed(ends) for text in (key + end, "x")))
    assert network.ask("count", key, key + "\U0010ffff") == [key + end for end in ends]
    assert network.ask("count", key + "a", key + "é") == [key + "a", key + "b"]


def test_pages_have_fabric_s_bookmarks_the_first_key_of_the_next(network: Network, key: str) -> None:
    network.commit("put", *(text for n in range(5) for text in (f"{key}{n}", "x")))
    first = network.ask("page", key, key + "~", "2", "")
    assert first == {"items": [key + "0", key + "1"], "bookmark": key + "2"}
    second = network.ask("page", key, key + "~", "2", first["bookmark"])
    third = network.ask("page", key, key + "~", "2", second["bookmark"])
    assert third == {"items": [key + "4"], "bookmark": ""}


def test_a_transaction_that_read_pages_may_not_write(network: Network, key: str) -> None:
    with pytest.raises(LedgerError):
        network.ask("page", key, key + "~", "2", "", key + "new")


def test_a_read_that_was_overtaken_makes_a_transaction_invalid(network: Network, key: str) -> None:
    network.commit("put", key + "a", "1")
    reader, writer = network.prepare("copy", key + "a", key + "b"), network.prepare("put", key + "a", "2")
    assert network.finish(writer, reader) == ["VALID", "MVCC_READ_CONFLICT"]
    assert network.ask("get", key + "a", key + "b") == ["2", None]


def test_a_read_of_nothing_is_overtaken_by_a_first_write(network: Network, key: str) -> None:
    reader, writer = network.prepare("copy", key + "a", key + "b"), network.prepare("put", key + "a", "2")
    network.faults(hold_blocks=True)
    gateway = network.gateway()
    for one in (writer, reader):
        gateway.submit(one.tx_id, one.envelope)
    network.faults()
    statuses = [gateway.commit_status(one.tx_id) for one in (writer, reader)]
    assert [one.code for one in statuses] == ["VALID", "MVCC_READ_CONFLICT"]
    assert statuses[0].block == statuses[1].block


@pytest.mark.parametrize("same_block", [False, True])
def test_a_range_that_gained_a_key_makes_a_transaction_invalid(network: Network, key: str, same_block: bool) -> None:
    network.commit("put", key + "a", "1", key + "c", "1")
    counter = network.prepare("count", key + "a", key + "z", key + "~count")
    bystander = network.prepare("count", key + "a", key + "b", key + "~bystander")
    writer = network.prepare("put", key + "b", "1")
    network.faults(hold_blocks=same_block)
    gateway = network.gateway()
    for one in (writer, counter, bystander):
        gateway.submit(one.tx_id, one.envelope)
    network.faults()
    codes = [gateway.commit_status(one.tx_id).code for one in (writer, counter, bystander)]
    assert codes == ["VALID", "PHANTOM_READ_CONFLICT", "VALID"]


def test_a_range_whose_key_was_written_anew_makes_a_transaction_invalid(network: Network, key: str) -> None:
    network.commit("put", key + "a", "1")
    counter = network.prepare("count", key + "a", key + "z", key + "~count")
    writer = network.prepare("put", key + "a", "2")
    assert network.finish(writer, counter) == ["VALID", "PHANTOM_READ_CONFLICT"]


def test_an_event_comes_with_the_chaincode_s_name_and_the_transaction(network: Network, key: str) -> None:
    prepared = network.prepare("event", key, "Name", "payload")
    envelope = read_envelope(prepared.envelope)
    actions = protos.transactions.Transaction.FromString(envelope.data).actions
    body = protos.transactions.ChaincodeActionPayload.FromString(actions[0].payload)
    answer = protos.responses.ProposalResponsePayload.FromString(body.action.proposal_response_payload)
    action = protos.proposals.ChaincodeAction.FromString(answer.extension)
    event = protos.events.ChaincodeEvent.FromString(action.events)
    assert (event.chaincode_id, event.tx_id, event.event_name) == (CHAINCODE, prepared.tx_id, "Name")
    assert network.finish(prepared) == ["VALID"]


def test_a_chaincode_learns_who_calls_and_what_came_along(network: Network) -> None:
    found = network.ask("who")
    assert found[1:] == ["EvaluatorMSP", "client", {}]
    assert len(found[0]) == 64


@pytest.mark.parametrize(("status", "code"), [("404", "404"), ("500", "500"), ("503", "503")])
def test_statuses_of_the_chaincode_reach_the_client(network: Network, status: str, code: str) -> None:
    with pytest.raises(LedgerError) as caught:
        network.prepare(status, "because")
    assert code in str(caught.value) or "because" in str(caught.value)


def test_a_slow_chaincode_holds_up_nobody_but_the_blocks(network: Network, key: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        slow = [pool.submit(network.ask, "slow", "0.3") for _ in range(3)]
        assert network.ask("get", key) == [None]
        assert [one.result() for one in slow] == [None] * 3
