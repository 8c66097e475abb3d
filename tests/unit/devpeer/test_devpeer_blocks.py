"""The development peer's blocks are such as Fabric's: checked by the client's own reading of them."""

from __future__ import annotations

import itertools
import time
import uuid

import pytest

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.block_checks import data_faults, signature_faults
from glassbox.ledger.fabric.channel import ChannelReader
from glassbox.ledger.fabric.trust import Trust
from tests.unit.devpeer.support import CHAINCODE, CHANNEL, ORGANISATIONS, Network


@pytest.fixture
def reader(network: Network) -> ChannelReader:
    """The blocks as a client reads them."""
    for _ in range(3):
        network.commit("put", uuid.uuid4().hex, "1")
    return ChannelReader(network.gateway())


@pytest.fixture
def trust(network: Network) -> Trust:
    """What a checker trusts of this network."""
    return Trust(
        channel=CHANNEL,
        chaincode=CHAINCODE,
        organisations={name: network.authorities[name].organisation() for name in ORGANISATIONS},
        orderers={"OrdererMSP": network.authorities["OrdererMSP"].organisation()},
        endorsement="majority",
        block_validation="any",
    )


def test_each_block_names_the_hash_of_the_one_before(reader: ChannelReader) -> None:
    blocks = list(reader.blocks(0, reader.height() - 1))
    assert [block.number for block in blocks] == list(range(len(blocks)))
    assert blocks[0].previous_hash == b""
    for before, block in itertools.pairwise(blocks):
        assert "sha256:" + block.previous_hash.hex() == before.hash


def test_every_block_but_the_first_is_signed_by_the_orderer(reader: ChannelReader, trust: Trust) -> None:
    now = int(time.time() * 1000)
    for block in reader.blocks(0, reader.height() - 1):
        assert list(data_faults(block)) == []
        if block.number:
            assert list(signature_faults(block, trust, now)) == []


def test_the_first_block_holds_the_roots_of_every_organisation(reader: ChannelReader, network: Network) -> None:
    [data] = reader.block(0).data
    payload = protos.common.Payload.FromString(protos.common.Envelope.FromString(data).payload)
    group = protos.configtx.ConfigEnvelope.FromString(payload.data).config.channel_group
    for kind, names in (("Application", ORGANISATIONS), ("Orderer", ("OrdererMSP",))):
        for name in names:
            value = group.groups[kind].groups[name].values["MSP"].value
            msp = protos.msp_config.FabricMSPConfig.FromString(protos.msp_config.MSPConfig.FromString(value).config)
            assert list(msp.root_certs) == [network.authorities[name].certificate]
    policy = group.groups["Application"].policies["Endorsement"].policy
    meta = protos.policies.ImplicitMetaPolicy.FromString(policy.value)
    assert protos.policies.ImplicitMetaPolicy.Rule.Name(meta.rule) == "MAJORITY"


def test_a_block_is_cut_when_it_is_full(network: Network) -> None:
    prepared = [network.prepare("put", uuid.uuid4().hex, "1") for _ in range(25)]
    network.faults(hold_blocks=True)
    gateway = network.gateway()
    for one in prepared:
        gateway.submit(one.tx_id, one.envelope)
    network.faults()
    blocks = [gateway.commit_status(one.tx_id).block for one in prepared]
    assert [blocks.count(number) for number in sorted(set(blocks))] == [20, 5]


def test_the_query_chaincode_answers_by_number_hash_and_transaction(network: Network) -> None:
    tx_id = network.commit("put", uuid.uuid4().hex, "1")
    gateway, channel = network.gateway(), CHANNEL.encode()
    by_tx = gateway.evaluate("qscc", "GetBlockByTxID", channel, tx_id.encode())
    info = protos.ledger.BlockchainInfo.FromString(gateway.evaluate("qscc", "GetChainInfo", channel))
    assert gateway.evaluate("qscc", "GetBlockByNumber", channel, str(info.height - 1).encode()) == by_tx
    assert gateway.evaluate("qscc", "GetBlockByHash", channel, info.currentBlockHash) == by_tx
    processed = protos.transactions.ProcessedTransaction.FromString(
        gateway.evaluate("qscc", "GetTransactionByID", channel, tx_id.encode())
    )
    assert processed.validationCode == protos.transactions.VALID
    assert processed.transactionEnvelope.SerializeToString() in by_tx
