"""Blocks as a peer delivers them: the same bytes that its query chaincode gives, to readers of the channel only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fabric_protos.orderer import ab_pb2
from fabric_protos.peer import events_pb2_grpc

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.identities import serialized
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.signing import Signer
from tests.fabric.stage import CHANNEL, DEFAULT, Cards, Stage
from tests.unit.ledger_fabric.authorities import Authority

ab: Any = ab_pb2
deliver: Any = events_pb2_grpc


def at(number: int) -> Any:
    return ab.SeekPosition(specified=ab.SeekSpecified(number=number))


OLDEST = ab.SeekPosition(oldest=ab.SeekOldest())
NEWEST = ab.SeekPosition(newest=ab.SeekNewest())


class Reader:
    """Asks a peer for blocks."""

    def __init__(self, stage: Stage) -> None:
        self._client: Signer = stage.evaluator.client
        self._channel = stage.evaluator.gateway.channel()
        self._stub = deliver.DeliverStub(self._channel)

    def close(self) -> None:
        self._channel.close()

    def ask(self, start: Any, stop: Any, *, wait: bool = False, **named: Any) -> tuple[list[Any], str]:
        """Return (blocks, status)."""
        blocks = []
        for response in self._stub.Deliver(iter([self._envelope(start, stop, wait, **named)]), timeout=30):
            if response.WhichOneof("Type") == "status":
                return blocks, str(protos.common.Status.Name(response.status))
            blocks.append(response.block)
        raise AssertionError("the stream ended without a status")

    def _envelope(
        self, start: Any, stop: Any, wait: bool, channel: str = CHANNEL, signer: Any = None, late: int = 0
    ) -> Any:
        who = signer or self._client
        kind = ab.SeekInfo.BLOCK_UNTIL_READY if wait else ab.SeekInfo.FAIL_IF_NOT_READY
        header = protos.common.ChannelHeader(type=protos.common.DELIVER_SEEK_INFO, channel_id=channel)
        header.timestamp.seconds = int(time.time()) - late
        signature_header = protos.common.SignatureHeader(
            creator=serialized(who.msp_id, who.certificate), nonce=b"n" * 24
        )
        payload = protos.common.Payload(
            header=protos.common.Header(
                channel_header=header.SerializeToString(), signature_header=signature_header.SerializeToString()
            ),
            data=ab.SeekInfo(start=start, stop=stop, behavior=kind).SerializeToString(),
        ).SerializeToString()
        return protos.common.Envelope(payload=payload, signature=who.sign(payload))


@pytest.fixture
def reader(stage: Stage) -> Iterator[Reader]:
    """A reader of the Evaluator's peer."""
    found = Reader(stage)
    yield found
    found.close()


def test_delivered_blocks_are_those_that_are_asked_for_by_number(
    stage: Stage, reader: Reader, ledger: FabricLedger, cards: Cards
) -> None:
    last = ledger.commit(cards.one(), DEFAULT).block
    blocks, status = reader.ask(OLDEST, at(last))
    assert status == "SUCCESS"
    assert [block.header.number for block in blocks] == list(range(last + 1))
    gateway = stage.gateway()
    for number in (0, last):
        found = gateway.evaluate("qscc", "GetBlockByNumber", CHANNEL.encode(), str(number).encode())
        assert protos.common.Block.FromString(found) == blocks[number]


def test_a_block_to_come_is_waited_for_or_not_found_as_is_asked(
    stage: Stage, reader: Reader, ledger: FabricLedger, cards: Cards
) -> None:
    last = ledger.commit(cards.one(), DEFAULT).block
    assert reader.ask(at(last + 1000), at(last + 1000)) == ([], "NOT_FOUND")
    ledger.commit(cards.one(), DEFAULT)
    blocks, status = reader.ask(at(last + 1), at(last + 1), wait=True)
    assert ([block.header.number for block in blocks], status) == ([last + 1], "SUCCESS")


def test_the_newest_block_is_one_block(reader: Reader) -> None:
    blocks, status = reader.ask(NEWEST, NEWEST)
    assert (len(blocks), status) == (1, "SUCCESS")


def test_requests_that_are_not_in_order_end_with_their_status(reader: Reader) -> None:
    assert reader.ask(at(2), at(1)) == ([], "BAD_REQUEST")
    assert reader.ask(OLDEST, OLDEST, channel="elsewhere") == ([], "NOT_FOUND")
    assert reader.ask(OLDEST, OLDEST, late=3600) == ([], "BAD_REQUEST")
    stranger = Authority("EvaluatorMSP").member("client").signer
    assert reader.ask(OLDEST, OLDEST, signer=stranger) == ([], "FORBIDDEN")
