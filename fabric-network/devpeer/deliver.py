"""The Deliver service of a peer: whole blocks from a position on, to readers of the channel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from devpeer import acl, protos
from devpeer.ledger import Ledger

_WINDOW_SECONDS: Final = 15 * 60
"""How far the time of a request may lie from the peer's."""
_STATUS: Any = protos.common
_SEEK: Any = protos.ab.SeekInfo


class Ended(Exception):
    """A request that is answered with a status, and ends its stream unless that is SUCCESS."""

    def __init__(self, status: int) -> None:
        super().__init__(_STATUS.Status.Name(status))
        self.status = status


class DeliverService(protos.peer_events_grpc.DeliverServicer):  # type: ignore[misc]
    """protos.Deliver of one peer, without filtered blocks and private data."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def Deliver(self, requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:  # noqa: N802
        """Stream the blocks that each request seeks, and its status."""
        response = protos.peer_events.DeliverResponse
        async for envelope in requests:
            status = _STATUS.SUCCESS
            try:
                async for data in self._blocks(envelope):
                    yield response(block=protos.common.Block.FromString(data))
            except Ended as ended:
                status = ended.status
            yield response(status=status)
            if status != _STATUS.SUCCESS:
                return

    async def _blocks(self, envelope: Any) -> AsyncIterator[bytes]:
        seek = self._seek(envelope)
        number = self._position(seek.start)
        last = number if seek.stop == seek.start else self._position(seek.stop)
        if seek.stop.WhichOneof("Type") == "specified" and last < number:
            raise Ended(_STATUS.BAD_REQUEST)
        while number <= last:
            if number >= self._ledger.height:
                if seek.behavior == _SEEK.FAIL_IF_NOT_READY:
                    raise Ended(_STATUS.NOT_FOUND)
                await self._ledger.wait_beyond(number)
            yield self._ledger.block_bytes(number)
            number += 1

    def _seek(self, envelope: Any) -> Any:
        """Return what a request seeks; raises Ended."""
        try:
            payload = protos.common.Payload.FromString(envelope.payload)
            channel = protos.common.ChannelHeader.FromString(payload.header.channel_header)
            signer = protos.common.SignatureHeader.FromString(payload.header.signature_header)
            seek = _SEEK.FromString(payload.data)
        except protos.DecodeError:
            raise Ended(_STATUS.BAD_REQUEST) from None
        now = protos.timestamp.Timestamp()
        now.GetCurrentTime()
        if abs(now.seconds - channel.timestamp.seconds) > _WINDOW_SECONDS:
            raise Ended(_STATUS.BAD_REQUEST)
        rules = self._ledger.rules
        if channel.channel_id != rules.channel:
            raise Ended(_STATUS.NOT_FOUND)
        signed = (signer.creator, envelope.payload, envelope.signature)
        try:
            acl.check_signed(rules.members, *signed, acl.READERS, rules.channel)
        except acl.Forbidden:
            raise Ended(_STATUS.FORBIDDEN) from None
        if not seek.HasField("start") or not seek.HasField("stop"):
            raise Ended(_STATUS.BAD_REQUEST)
        return seek

    def _position(self, position: Any) -> int:
        kind = position.WhichOneof("Type")
        if kind == "specified":
            return int(position.specified.number)
        return {"oldest": 0, "newest": self._ledger.height - 1}.get(kind, self._ledger.height)
