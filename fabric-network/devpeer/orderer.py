"""The one orderer that is simulated: takes signed transactions, cuts them into blocks and signs those."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Any, Final

from devpeer import blocks, protos
from devpeer.acl import WRITERS, unsatisfied
from devpeer.config import Batch
from devpeer.faults import Faults
from devpeer.identities import Denied, Members, Signer
from devpeer.ledger import Ledger

ADDRESS: Final = "orderer.development-peer:7050"
"""What error details call it; nothing listens there."""
_HELD: Final = 0.02
"""Seconds between two looks at whether blocks are still held back."""

_STATUS: Any = protos.common


class OrdererAway(Exception):
    """The orderer does not answer; the text is that of a peer's connection to it."""


class Orderer:
    """Orders transactions for one channel."""

    def __init__(self, ledger: Ledger, signer: Signer, members: Members, batch: Batch, channel: str) -> None:
        self.faults = Faults()
        self._ledger = ledger
        self._signer = signer
        self._members = members
        self._batch = batch
        self._channel = channel
        self._waiting: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._full = asyncio.Event()

    def broadcast(self, envelope: Any) -> tuple[int, str]:
        """Return (status, info) to an envelope; with SUCCESS it will stand in a block. Raises OrdererAway."""
        if self.faults.orderer_away:
            raise OrdererAway(
                "rpc error: code = Unavailable desc = connection error: desc = "
                f'"transport: Error while dialing: dial tcp {ADDRESS}: connect: connection refused"'
            )
        status, info = self._check(envelope)
        if status == _STATUS.SUCCESS:
            self._waiting.append(protos.encoded(envelope))
            self._arrived.set()
            if len(self._waiting) >= self._batch.max_messages:
                self._full.set()
        return int(status), info

    async def run(self) -> None:
        """Cut blocks until cancelled."""
        while True:
            await self._arrived.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._batch.timeout_ms / 1000):
                    await self._full.wait()
            while self.faults.hold_blocks:
                await asyncio.sleep(_HELD)
            await self._commit(self._cut())

    def _cut(self) -> list[bytes]:
        data: list[bytes] = []
        size = 0
        while self._waiting and len(data) < self._batch.max_messages:
            if data and size + len(self._waiting[0]) > self._batch.max_bytes:
                break
            size += len(self._waiting[0])
            data.append(self._waiting.popleft())
        if not self._waiting:
            self._arrived.clear()
        if len(self._waiting) < self._batch.max_messages:
            self._full.clear()
        return data

    async def _commit(self, data: list[bytes]) -> None:
        block = self._ledger.next_block(data)
        blocks.sign_block(block, self._signer)
        if self.faults.commit_delay_ms:
            await asyncio.sleep(self.faults.commit_delay_ms / 1000)
        valid = self._ledger.judged(block)
        self.faults.die_here("before_block")
        if self.faults.die == "torn_block":
            self._ledger.tear(block)
            self.faults.die_here("torn_block")
        await self._ledger.append(block, valid, after_write=lambda: self.faults.die_here("after_block"))

    def _check(self, envelope: Any) -> tuple[int, str]:
        try:
            payload = protos.common.Payload.FromString(envelope.payload)
            channel = protos.common.ChannelHeader.FromString(payload.header.channel_header)
            signer = protos.common.SignatureHeader.FromString(payload.header.signature_header)
        except protos.DecodeError:
            return _STATUS.BAD_REQUEST, "could not determine channel ID: error unmarshalling"
        if channel.channel_id != self._channel:
            return _STATUS.BAD_REQUEST, "channel does not exist"
        if channel.type != protos.common.ENDORSER_TRANSACTION:
            return _STATUS.BAD_REQUEST, "the development peer orders nothing but endorsed transactions"
        size = len(envelope.payload) + len(envelope.signature)
        if size > self._batch.max_bytes:
            return (
                _STATUS.BAD_REQUEST,
                f"message payload is {size} bytes and exceeds maximum allowed {self._batch.max_bytes} bytes",
            )
        try:
            member = self._members.signed(signer.creator, envelope.payload, envelope.signature)
        except Denied:
            member = None
        if member is None or member.role not in WRITERS:
            return _STATUS.FORBIDDEN, unsatisfied("Writers") + ": permission denied"
        return _STATUS.SUCCESS, ""
