"""The channel's ledger: blocks on the disk, the state that they give, and who waits for the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from devpeer import blocks, protos
from devpeer.errors import ConfigError
from devpeer.store import BlockStore
from devpeer.validation import Conflicts, Invalid, Rules, Transaction, judge, read_transaction, transaction_name
from devpeer.world import StateLock, World

_VALID: int = protos.transactions.VALID


@dataclass(frozen=True, slots=True)
class Place:
    """Where a transaction stands, and what was found of it."""

    block: int
    index: int
    code: int


class Ledger:
    """What both simulated peers hold; they are one process, so they never differ."""

    def __init__(self, store: BlockStore, rules: Rules, genesis: Any) -> None:
        self.world = World()
        self.lock = StateLock()
        self.rules = rules
        self._store = store
        self._places: dict[str, Place] = {}
        self._hashes: dict[bytes, int] = {}
        self._head = b""
        self._grown = asyncio.Condition()
        self._writing = asyncio.Lock()
        if not len(store):
            store.append(protos.encoded(genesis))
        for number, data in enumerate(store):
            self._load(number, protos.common.Block.FromString(data), genesis)

    @property
    def height(self) -> int:
        """How many blocks there are whose writes stand in the state."""
        return len(self._hashes)

    @property
    def head(self) -> bytes:
        """Hash of the last block's header."""
        return self._head

    def block_bytes(self, number: int) -> bytes:
        """Return a block; raises KeyError where there is none."""
        if not 0 <= number < self.height:
            raise KeyError(number)
        return self._store.read(number)

    def number_of(self, header_hash: bytes) -> int | None:
        """Return the number of the block with this hash, None for none."""
        return self._hashes.get(header_hash)

    def place(self, tx_id: str) -> Place | None:
        """Return where a transaction id stands first, None where it does not."""
        return self._places.get(tx_id)

    def next_block(self, data: Sequence[bytes]) -> Any:
        """Return the block that would come next, without signatures and codes."""
        return blocks.new_block(self.height, self._head, data)

    def judged(self, block: Any) -> list[Transaction | None]:
        """Put the codes of its transactions into a block; return the valid ones, None for the others."""
        codes = bytearray()
        found: list[Transaction | None] = []
        conflicts, here = Conflicts(self.world), set[str]()
        for index, data in enumerate(block.data.data):
            try:
                one = judge(data, self.rules, lambda tx_id: tx_id in self._places or tx_id in here)
                here.add(one.tx_id)
                conflicts.check(one.rwset)
            except Invalid as invalid:
                codes.append(invalid.code)
                found.append(None)
                continue
            conflicts.take(one.rwset, (int(block.header.number), index))
            codes.append(_VALID)
            found.append(one)
        block.metadata.metadata[blocks.CODES] = bytes(codes)
        return found

    async def append(self, block: Any, valid: Sequence[Transaction | None], *, after_write: Callable[[], None]) -> None:
        """Keep a block and take over what its valid transactions write; then wake whoever waits."""
        # Who stops the process meanwhile lets the block be kept whole.
        await asyncio.shield(self._append(block, valid, after_write))

    async def _append(self, block: Any, valid: Sequence[Transaction | None], after_write: Callable[[], None]) -> None:
        async with self._writing:
            await asyncio.to_thread(self._store.append, protos.encoded(block))
            after_write()
            async with self.lock.writing():
                self._take(block, valid)
        async with self._grown:
            self._grown.notify_all()

    async def close(self) -> None:
        """Close the file of blocks, once a block that is being written is whole."""
        async with self._writing:
            self._store.close()

    def tear(self, block: Any) -> None:
        """Write half of a block."""
        self._store.tear(protos.encoded(block))

    async def wait_beyond(self, height: int) -> None:
        """Return once there are more than `height` blocks."""
        async with self._grown:
            await self._grown.wait_for(lambda: self.height > height)

    async def wait_for(self, tx_id: str) -> Place:
        """Return where a transaction stands, once it does."""
        async with self._grown:
            await self._grown.wait_for(lambda: tx_id in self._places)
            return self._places[tx_id]

    def _load(self, number: int, block: Any, genesis: Any) -> None:
        wrong = None
        if block.header.number != number or block.header.previous_hash != self._head:
            wrong = "does not follow the one before it"
        elif block.header.data_hash != blocks.data_hash(block.data.data):
            wrong = "holds other transactions than its header names"
        elif number == 0 and block.header.data_hash != genesis.header.data_hash:
            wrong = "was made from another configuration (channel, organisations, endorsement or batch)"
        if wrong:
            raise ConfigError(f"block {number} {wrong}; remove the data folder to begin anew")
        if number == 0:
            self._take(block, [None])
            return
        codes = bytes(block.metadata.metadata[blocks.CODES])
        # What was found valid before is not judged again.
        read = self.rules.chaincode
        found = zip(block.data.data, codes, strict=True)
        self._take(block, [read_transaction(data, read) if code == _VALID else None for data, code in found])

    def _take(self, block: Any, valid: Sequence[Transaction | None]) -> None:
        number = int(block.header.number)
        codes = bytes(block.metadata.metadata[blocks.CODES])
        for index, (data, one) in enumerate(zip(block.data.data, valid, strict=True)):
            tx_id = one.tx_id if one is not None else transaction_name(data)
            if tx_id:
                self._places.setdefault(tx_id, Place(number, index, codes[index]))
            if one is not None:
                self.world.apply(one.rwset.writes, (number, index), one.tx_id, one.timestamp)
        self._head = blocks.header_hash(block.header)
        self._hashes[self._head] = number
