"""Chaincode events, read from the blocks: of a start block, of the next one, or after a transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc

from devpeer import protos
from devpeer.blocks import CODES
from devpeer.errors import Refused
from devpeer.ledger import Ledger
from devpeer.validation import read_transaction

_VALID: int = protos.transactions.VALID


async def matching_events(ledger: Ledger, request: Any) -> AsyncIterator[Any]:
    """Yield a ChaincodeEventsResponse for each block that holds events which were asked for, now and later."""
    number = _start(ledger, request)
    after = str(request.after_transaction_id)
    while True:
        await ledger.wait_beyond(number)
        events = []
        for event in block_events(ledger.block_bytes(number), ledger.rules.chaincode):
            if after:
                after = "" if event.tx_id == after else after
            elif event.chaincode_id == request.chaincode_id:
                events.append(event)
        if events:
            yield protos.gateway.ChaincodeEventsResponse(block_number=number, events=events)
        number += 1


def block_events(data: bytes, chaincode: str) -> list[Any]:
    """Return the events of a block's valid transactions, in order."""
    block = protos.common.Block.FromString(data)
    if block.header.number == 0:
        return []
    codes = bytes(block.metadata.metadata[CODES])
    found = (
        read_transaction(data, chaincode).event
        for data, code in zip(block.data.data, codes, strict=True)
        if code == _VALID
    )
    return [event for event in found if event is not None]


def _start(ledger: Ledger, request: Any) -> int:
    place = ledger.place(request.after_transaction_id) if request.after_transaction_id else None
    if place is not None:
        return place.block
    kind = request.start_position.WhichOneof("Type")
    if kind == "specified":
        return int(request.start_position.specified.number)
    if kind in (None, "next_commit"):
        return ledger.height
    raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"invalid start position type: {kind}")
