"""Reading a channel through the query chaincode of a peer (qscc): height, blocks, where a transaction stands."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from glassbox.errors import LedgerDamaged, LedgerNotFound
from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import Block, read_block
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.gateway import Committed, Gateway, code_name
from glassbox.ledger.fabric.messages import parsed

QSCC: Final = "qscc"
_KEPT_BLOCKS: Final = 16
_READ_AHEAD: Final = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a transaction stands: its block, and its index in it."""

    block: Block
    index: int

    @property
    def committed(self) -> Committed:
        """What the peer found of the transaction."""
        return Committed(code_name(self.block.code(self.index)), self.block.number)


class ChannelReader:
    """Reads of one channel through one peer; threads may share it, and each block is fetched once for all of them."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._lock = threading.Lock()
        self._blocks: OrderedDict[int, Block] = OrderedDict()
        self._fetching: dict[int, threading.Lock] = {}

    def height(self) -> int:
        """Return how many blocks the channel has; the last one's number is one less."""
        info = self._ask("GetChainInfo")
        return int(self._parsed(protos.ledger.BlockchainInfo, info, "answer about the channel").height)

    def block(self, number: int) -> Block:
        """Return the block of a number; raises LedgerNotFound where there is none."""
        with self._lock:
            held = self._blocks.get(number)
            if held is not None:
                self._blocks.move_to_end(number)
                return held
            turn = self._fetching.setdefault(number, threading.Lock())
        with turn:
            with self._lock:
                held = self._blocks.get(number)
            if held is None:
                held = self._read(self._ask("GetBlockByNumber", str(number).encode()))
                if held.number != number:
                    raise _damaged(f"the peer gives block {held.number} for block {number}")
                self._keep(held)
        with self._lock:
            self._fetching.pop(number, None)
        return held

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        """Yield the blocks first..last in order, a few of them asked for ahead; none of them is kept."""
        with ThreadPoolExecutor(_READ_AHEAD, thread_name_prefix="glassbox-blocks") as pool:
            waiting = [pool.submit(self._one, number) for number in range(first, min(first + _READ_AHEAD, last + 1))]
            for number in range(first, last + 1):
                block = waiting.pop(0).result()
                if number + _READ_AHEAD <= last:
                    waiting.append(pool.submit(self._one, number + _READ_AHEAD))
                yield block

    def place(self, tx_id: str) -> Place:
        """Return where a transaction stands, valid or not; raises LedgerNotFound while it stands nowhere."""
        block = self._read(self._ask("GetBlockByTxID", tx_id.encode()))
        self._keep(block)
        for index, data in enumerate(block.data):
            if transaction_id_of(data) == tx_id:
                return Place(block, index)
        raise _damaged("the peer names a block that does not hold the transaction")

    def status(self, tx_id: str) -> Committed | None:
        """Return what became of a transaction without waiting for it; None while the peer has not seen it."""
        try:
            return self.place(tx_id).committed
        except LedgerNotFound:
            return None

    def _one(self, number: int) -> Block:
        return self._read(self._ask("GetBlockByNumber", str(number).encode()))

    def _ask(self, function: str, *args: bytes) -> bytes:
        return self._gateway.evaluate(QSCC, function, self._gateway.channel.encode(), *args)

    def _read(self, data: bytes) -> Block:
        try:
            return read_block(data)
        except Malformed as error:
            raise _damaged(str(error)) from None

    def _parsed(self, kind: Any, data: bytes, name: str) -> Any:
        try:
            return parsed(kind, data, name)
        except Malformed as error:
            raise _damaged(str(error)) from None

    def _keep(self, block: Block) -> None:
        with self._lock:
            self._blocks[block.number] = block
            self._blocks.move_to_end(block.number)
            while len(self._blocks) > _KEPT_BLOCKS:
                self._blocks.popitem(last=False)


def transaction_id_of(envelope: bytes) -> str:
    """Return the transaction id in an envelope's header, "" for anything that has none."""
    try:
        payload = parsed(protos.common.Payload, parsed(protos.common.Envelope, envelope, "envelope").payload, "payload")
        return str(parsed(protos.common.ChannelHeader, payload.header.channel_header, "channel header").tx_id)
    except Malformed:
        return ""


def _damaged(what: str) -> LedgerDamaged:
    return LedgerDamaged(
        f"The peer's ledger can't be read: {what}",
        where=QSCC,
        fix="Run `glassbox ledger fsck` on another peer too",
    )
