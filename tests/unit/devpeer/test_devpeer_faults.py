"""Each fault that the development peer can be asked for, and that it is over when it is not asked for any more."""

from __future__ import annotations

import time
import uuid
from dataclasses import replace

import pytest

from glassbox.errors import LedgerError
from glassbox.ledger.fabric.errors import CommitUnknown, FabricUnavailable
from tests.unit.devpeer.support import CHAINCODE, Network


def test_an_orderer_that_is_away_takes_nothing(network: Network) -> None:
    prepared = network.prepare("put", uuid.uuid4().hex, "1")
    network.faults(orderer_away=True)
    with pytest.raises(CommitUnknown):
        network.finish(prepared)
    network.faults()
    assert network.finish(prepared) == ["VALID"]


def test_a_peer_that_is_away_neither_endorses_nor_answers(network: Network) -> None:
    network.faults(peers_away=["AuditorMSP"])
    with pytest.raises(FabricUnavailable) as caught:
        network.prepare("put", "a", "1")
    assert "failed to collect enough transaction endorsements" in str(caught.value)
    with pytest.raises(FabricUnavailable):
        network.gateway(via="AuditorMSP").evaluate(CHAINCODE, "get", b"a")
    assert network.ask("get", "nothing") == [None]
    network.faults()
    for _ in range(100):
        try:
            assert network.gateway(via="AuditorMSP").evaluate(CHAINCODE, "get", b"a")
            return
        except FabricUnavailable:
            # A client that was refused waits a little before it connects again.
            time.sleep(0.05)
    pytest.fail("the peer does not answer again")


def test_a_chaincode_out_of_reach_endorses_nothing(network: Network) -> None:
    network.faults(chaincode_away=["EvaluatorMSP"])
    with pytest.raises(FabricUnavailable) as caught:
        network.prepare("put", "a", "1")
    assert "could not launch chaincode plain:EvaluatorMSP" in str(caught.value)
    # A question goes on to the other organisation's peer.
    assert network.ask("get", "nothing") == [None]
    network.faults()
    assert network.commit("put", uuid.uuid4().hex, "1")


def test_endorsements_that_differ_make_no_transaction(network: Network) -> None:
    network.faults(mismatches={"AuditorMSP": 1})
    with pytest.raises(FabricUnavailable) as caught:
        network.prepare("put", "a", "1")
    assert "ProposalResponsePayloads do not match" in str(caught.value)
    assert network.commit("put", uuid.uuid4().hex, "1")


def test_a_lost_reply_to_submit_leaves_the_transaction_in_a_block(network: Network) -> None:
    key = uuid.uuid4().hex
    prepared = network.prepare("put", key, "1")
    # The client sends a message that was cut off once more by itself.
    network.faults(lost_replies={"Submit": 2})
    gateway = network.gateway()
    with pytest.raises(CommitUnknown):
        gateway.submit(prepared.tx_id, prepared.envelope)
    assert gateway.commit_status(prepared.tx_id).code == "VALID"
    assert len(network.ask("history", key)) == 1


def test_a_lost_request_leaves_nothing(network: Network) -> None:
    prepared = network.prepare("put", uuid.uuid4().hex, "1")
    network.faults(lost_requests={"Submit": 2})
    gateway = network.gateway()
    with pytest.raises(CommitUnknown):
        gateway.submit(prepared.tx_id, prepared.envelope)
    with pytest.raises(LedgerError):
        gateway.evaluate("qscc", "GetTransactionByID", b"scorecards", prepared.tx_id.encode())
    assert network.finish(prepared) == ["VALID"]


def test_a_reply_that_never_comes_ends_at_the_client_s_deadline(network: Network) -> None:
    prepared = network.prepare("put", uuid.uuid4().hex, "1")
    network.faults(hung_replies={"Submit": 1})
    gateway = network.gateway()
    gateway.deadlines = replace(gateway.deadlines, submit=0.3)
    with pytest.raises(CommitUnknown):
        gateway.submit(prepared.tx_id, prepared.envelope)
    assert gateway.commit_status(prepared.tx_id).code == "VALID"


def test_a_slow_commit_comes_later(network: Network) -> None:
    network.faults(commit_delay_ms=300)
    begun = time.monotonic()
    network.commit("put", uuid.uuid4().hex, "1")
    assert time.monotonic() - begun >= 0.3


def test_a_chaincode_process_that_ends_and_comes_back_is_dialled_again(own: Network) -> None:
    own.commit("put", "a", "1")
    own.stop_chaincode("AuditorMSP")
    with pytest.raises(FabricUnavailable):
        own.prepare("put", "b", "1")
    own.start_chaincode("AuditorMSP")
    assert own.commit("put", "b", "1")


@pytest.mark.parametrize(
    "faults",
    [
        {"nothing": True},
        {"orderer_away": 1},
        {"peers_away": ["OtherMSP"]},
        {"lost_replies": {"Commit": 1}},
        {"lost_replies": {"Submit": 0}},
        {"mismatches": {"AuditorMSP": "1"}},
        {"die": "somewhere"},
    ],
)
def test_faults_that_are_none_are_refused_with_what_is_wrong(network: Network, faults: dict[str, object]) -> None:
    with pytest.raises(AssertionError) as caught:
        network.faults(**faults)
    assert "error" in str(caught.value)
    assert network.commit("put", uuid.uuid4().hex, "1")
