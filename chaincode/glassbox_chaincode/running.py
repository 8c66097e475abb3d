"""Runs the contract for one transaction and answers the peer, whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from glassbox_chaincode import protos
from glassbox_chaincode.call import Call
from glassbox_chaincode.errors import ChaincodeError, StreamClosed
from glassbox_chaincode.exchange import Exchange
from glassbox_chaincode.logs import LOGGER, name, place
from glassbox_chaincode.stub import FabricStub
from glassbox_contract.contract import Response
from glassbox_contract.schema import FUNCTIONS

Contract = Callable[[FabricStub, str, Sequence[bytes]], Response]
"""What is run: `glassbox_contract.contract.invoke`, or another contract over the same stub."""

BROKEN: Final = 500
"""Status of an answer when the contract could not decide: the transaction may be tried again."""
BUSY: Final = 503
"""Status when the server takes no more transactions now."""


def run(contract: Contract, call: Call, exchange: Exchange, chaincode_id: str, most: int) -> Any:
    """Return the COMPLETED message of one call. An exception of the contract becomes status 500 without its text.

    `most` is how many bytes a message may have. Raises StreamClosed where the peer is gone and nobody can be answered.
    """
    started = time.monotonic()
    stub = FabricStub(call, exchange)
    response = _respond(contract, stub, call)
    message = completed(call, response)
    if response.status < 400 and stub.event is not None:
        event_name, payload = stub.event
        message.chaincode_event.CopyFrom(
            protos.events.ChaincodeEvent(
                chaincode_id=chaincode_id, tx_id=call.tx_id, event_name=event_name, payload=payload
            )
        )
    if message.ByteSize() > most:
        response = Response(BROKEN, b"", "INTERNAL: the answer is larger than a message may be")
        message = completed(call, response)
    LOGGER.info(
        "tx=%s channel=%s function=%s bytes=%d status=%d answer=%d ms=%d",
        name(call.tx_id),
        name(call.channel_id),
        _function(call),
        sum(map(len, call.args)),
        response.status,
        len(response.payload),
        (time.monotonic() - started) * 1000,
    )
    return message


def completed(call: Call, response: Response) -> Any:
    """Return the message that carries the contract's response."""
    body = protos.responses.Response(status=response.status, message=response.message, payload=response.payload)
    return protos.Message(
        type=protos.Message.COMPLETED,
        payload=body.SerializeToString(),
        txid=call.tx_id,
        channel_id=call.channel_id,
    )


def _respond(contract: Contract, stub: FabricStub, call: Call) -> Response:
    if not call.args:
        return Response(400, b"", "INVALID: /: no function is named; see GetSchema")
    try:
        function = call.args[0].decode()
    except UnicodeDecodeError:
        return Response(400, b"", "INVALID: /: the function's name is not UTF-8")
    try:
        return contract(stub, function, call.args[1:])
    except StreamClosed:
        raise
    except ChaincodeError as error:
        LOGGER.error("tx=%s function=%s ledger: %s", name(call.tx_id), _function(call), error)
        return Response(BROKEN, b"", f"INTERNAL: {error}")
    except BaseException as error:
        # Whatever it is: a peer that gets no answer waits for half a minute.
        LOGGER.error("tx=%s function=%s unhandled: %s", name(call.tx_id), _function(call), place(error))
        return Response(BROKEN, b"", f"INTERNAL: {type(error).__name__}")


def _function(call: Call) -> str:
    """Return the function's name where it is one of the contract's, since a caller may write anything there."""
    wanted = call.args[0] if call.args else b""
    return next((known for known in FUNCTIONS if known.encode() == wanted), "?")
