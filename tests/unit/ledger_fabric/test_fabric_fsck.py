"""The walk over a channel names whatever in it was changed, whoever changed it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import data_hash
from glassbox.ledger.fabric.export import CHECKPOINT_FORMAT
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore
from glassbox_contract.canonical import canonical_bytes, parse_canonical
from tests.unit.ledger.support import DEFAULT, REQUEST, identifier, record
from tests.unit.ledger_fabric.authorities import Authority
from tests.unit.ledger_fabric.network import Channel, Peers, _header_of, endorsed, transaction


@pytest.fixture
def channel(peers: Peers) -> Channel:
    return peers.channel


@pytest.fixture(autouse=True)
def written(ledger: FabricLedger) -> Iterator[None]:
    """Block 1 registers the policy, 2 and 3 open, 4 commits."""
    ledger.open_evaluation(identifier(1), REQUEST, DEFAULT)
    ledger.open_evaluation(identifier(9), REQUEST, DEFAULT)
    ledger.commit(record(1), DEFAULT)
    yield


def faults(ledger: FabricLedger, checkpoint: dict[str, Any] | None = None) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.height) for finding in ledger.fsck(checkpoint).findings]


def test_a_sound_channel_is_intact_and_names_what_was_never_scored(ledger: FabricLedger) -> None:
    report = ledger.fsck()
    assert report.intact, report.findings
    assert (report.height, report.records, list(report.never_scored)) == (4, 1, [identifier(9)])
    assert report.head == ledger.checkpoint()["hash"]
    assert "tail not provable" in report.statement


def resealed(channel: Channel, number: int, change: Callable[[bytes], bytes], *, sign: bool) -> None:
    """Change the transaction of a block and mend its hash, and with `sign` the orderer's signature and what follows."""
    block = channel.blocks[number]
    data = change(block.data.data[0])
    codes = block.metadata.metadata[2]
    if not sign:
        block.data.data[0] = data
        block.header.data_hash = data_hash((data,))
        return
    previous = bytes(block.header.previous_hash)
    channel.blocks[number] = channel.sealed(number, previous, [data], codes)
    for at in range(number + 1, len(channel.blocks)):
        before = hashlib.sha256(_header_of(channel.blocks[at - 1])).digest()
        later = channel.blocks[at]
        channel.blocks[at] = channel.sealed(at, before, list(later.data.data), later.metadata.metadata[2])


def flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def test_changed_data_is_found_at_every_depth_of_mending(ledger: FabricLedger, channel: Channel) -> None:
    kept = channel.blocks[4].SerializeToString()
    channel.blocks[4].data.data[0] = flipped(channel.blocks[4].data.data[0])
    assert ("data", 4) in faults(ledger)
    channel.blocks[4] = protos.common.Block.FromString(kept)
    resealed(channel, 4, flipped, sign=False)
    assert ("orderer", 4) in faults(ledger)
    channel.blocks[4] = protos.common.Block.FromString(kept)
    resealed(channel, 4, flipped, sign=True)
    assert ("submitter", 4) in faults(ledger)


def test_a_block_out_of_place_breaks_the_chain(ledger: FabricLedger, channel: Channel) -> None:
    channel.blocks[2], channel.blocks[3] = channel.blocks[3], channel.blocks[2]
    found = faults(ledger)
    assert {("order", 2), ("chain", 2), ("order", 3)} <= set(found)


def test_a_block_rewritten_with_the_orderers_key_is_found_by_a_checkpoint(
    ledger: FabricLedger, channel: Channel
) -> None:
    checkpoint = ledger.checkpoint()
    assert checkpoint["format"] == CHECKPOINT_FORMAT
    report = ledger.fsck(checkpoint)
    assert report.intact
    assert "complete at least up to block 4" in report.statement
    channel.blocks[4] = channel.sealed(4, bytes(channel.blocks[4].header.previous_hash), [], b"")
    assert ("rewritten", 4) in faults(ledger, checkpoint)
    channel.blocks.pop()
    assert ("cut", 3) in faults(ledger, checkpoint)


def test_a_damaged_checkpoint_is_a_finding(ledger: FabricLedger) -> None:
    checkpoint = ledger.checkpoint()
    for name, value in (("number", 3), ("hash", "sha256:" + "0" * 64), ("channel", "x"), ("signatures", 1)):
        assert ("checkpoint", None) in faults(ledger, {**checkpoint, name: value})


def test_a_code_that_the_blocks_don_t_bear_out_is_named(ledger: FabricLedger, channel: Channel) -> None:
    channel.blocks[4].metadata.metadata[2] = b"\x0b"
    assert ("code", 4) in faults(ledger)


def test_a_peer_that_gives_no_code_is_named(ledger: FabricLedger, channel: Channel) -> None:
    channel.blocks[4].metadata.metadata[2] = b""
    assert ("code", 4) in faults(ledger)


def test_a_record_endorsed_by_one_organisation_alone_is_named(ledger: FabricLedger, channel: Channel) -> None:
    channel.endorsers = channel.endorsers[:1]
    ledger.commit(record(2), DEFAULT)
    assert faults(ledger) == [("endorsement", 5)]


def test_peers_that_collude_can_t_write_what_the_contract_refuses(
    ledger: FabricLedger, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = {**record(3), "trust": 1_000_000}

    def write(channel: Channel) -> None:
        from glassbox.ledger.fabric.messages import proposal

        client = channel.client
        args = [canonical_bytes(record(3))]
        sent = proposal(client.creator, client.signer.sign, "scorecards", "glassbox", "CommitScorecard", args)
        proposed, response, stub = channel.simulate(sent.signed)
        assert stub is not None
        key = f"SC:{identifier(3)}"
        value = parse_canonical(stub.writes[key])
        value["record"] = forged
        stub.writes[key] = canonical_bytes(value)
        payload = endorsed(proposed, response, stub, "glassbox")
        envelope = transaction(proposed, payload, channel.endorsers)
        envelope.signature = client.signer.sign(envelope.payload)
        channel.append([envelope.SerializeToString()])

    write(channel)
    report = ledger.fsck()
    assert [(f.code, f.height) for f in report.findings] == [("contract", 5)]
    assert f"SC:{identifier(3)}" in report.findings[0].detail


def test_a_state_that_differs_from_the_blocks_is_named(ledger: FabricLedger, channel: Channel) -> None:
    key = f"SC:{identifier(1)}"
    value, version = channel.state[key]
    stored = parse_canonical(value)
    stored["record"]["decision"] = "fail"
    channel.state[key] = (canonical_bytes(stored), version)
    assert faults(ledger) == [("state", None)]
    del channel.state[key]
    assert ("state", None) in faults(ledger)


def test_a_stale_read_that_was_called_valid_is_named(
    ledger: FabricLedger, channel: Channel, peers: Peers, tmp_path: Path
) -> None:
    other = FabricLedger(peers.network(), FilePendingStore(tmp_path / "other"))
    peers.before["Submit"] = [lambda: (other.commit(record(2), DEFAULT), None)[1]]
    ledger.commit(record(2), DEFAULT)
    other.close()
    assert faults(ledger) == []
    for block in channel.blocks[5:]:
        block.metadata.metadata[2] = b"\x00"
    codes = faults(ledger)
    assert ("version", 6) in codes
    assert ("contract", 6) in codes


def test_an_unreadable_block_ends_the_walk_with_a_finding(ledger: FabricLedger, channel: Channel) -> None:
    channel.blocks[3].metadata.metadata[0] = b"\xff\xff"
    assert ("storage", 3) in faults(ledger)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"endorsement": "any"}, "the profile's endorsement is any, the channel's majority"),
        ({"block_validation": "all"}, "the profile's block_validation is all, the channel's any"),
        ({"organisations": {}}, "the channel names AuditorMSP among the organisations, the profile does not"),
        ({"orderers": {}}, "the channel names OrdererMSP among the orderers, the profile does not"),
    ],
)
def test_a_profile_that_trusts_something_else_than_the_channel_says_is_named(
    ledger: FabricLedger, peers: Peers, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    network = peers.network()
    other = replace(network, trust=replace(network.trust, **change))
    with FabricLedger(other, FilePendingStore(tmp_path / "p")) as elsewhere:
        assert says in [finding.detail for finding in elsewhere.fsck().findings if finding.code == "config"]


def test_a_root_that_the_channel_does_not_name_is_named(ledger: FabricLedger, peers: Peers, tmp_path: Path) -> None:
    network = peers.network()
    held = network.trust.organisations
    own = held["EvaluatorMSP"]
    more = replace(own, roots=(*own.roots, Authority("EvaluatorMSP").certificate))
    trust = replace(network.trust, organisations={**held, "EvaluatorMSP": more})
    with FabricLedger(replace(network, trust=trust), FilePendingStore(tmp_path / "p")) as elsewhere:
        (finding,) = elsewhere.fsck().findings
        assert finding.detail == "the profile trusts a root for EvaluatorMSP that the channel does not name"
