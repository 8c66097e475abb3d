"""The query chaincode of a peer (qscc): blocks and transactions as they stand on the channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from devpeer import protos
from devpeer.ledger import Ledger

NAME: Final = "qscc"
VERSION: Final = "syscc"
"""The version that endorsements of a system chaincode name."""


class Unanswered(Exception):
    """A question without an answer; the text is Fabric's."""


def ask(ledger: Ledger, channel: str, args: list[bytes]) -> bytes:
    """Return the serialized answer to a question; raises Unanswered."""
    if len(args) < 2:
        raise Unanswered(f"Incorrect number of arguments, {len(args)}")
    function, named = args[0].decode("utf-8", "replace"), args[1].decode("utf-8", "replace")
    if function != "GetChainInfo" and len(args) < 3:
        raise Unanswered(f"missing 3rd argument for {function}")
    if named != channel:
        raise Unanswered(f"Invalid chain ID, {named}")
    handler = _HANDLERS.get(function)
    if handler is None:
        raise Unanswered(f"Requested function {function} not found.")
    return handler(ledger, args[2] if len(args) > 2 else b"")


def _chain_info(ledger: Ledger, _: bytes) -> bytes:
    last = protos.common.Block.FromString(ledger.block_bytes(ledger.height - 1))
    info = protos.ledger.BlockchainInfo(
        height=ledger.height, currentBlockHash=ledger.head, previousBlockHash=last.header.previous_hash
    )
    return protos.encoded(info)


def _block_by_number(ledger: Ledger, argument: bytes) -> bytes:
    text = argument.decode("utf-8", "replace")
    if not text.isascii() or not text.isdigit():
        fault = f'strconv.ParseUint: parsing "{text}": invalid syntax'
        raise Unanswered(f"Failed to parse block number with error {fault}")
    number = int(text[:20])
    # Fabric takes the largest number for the last block.
    if number == 2**64 - 1:
        number = ledger.height - 1
    try:
        return ledger.block_bytes(number)
    except KeyError:
        raise Unanswered(
            f"Failed to get block number {number}, error no such block number [{number}] in index"
        ) from None


def _block_by_hash(ledger: Ledger, argument: bytes) -> bytes:
    number = ledger.number_of(argument)
    if number is None:
        raise Unanswered(f"Failed to get block hash, error no such block hash [{argument.hex()}] in index")
    return ledger.block_bytes(number)


def _block_by_tx_id(ledger: Ledger, argument: bytes) -> bytes:
    tx_id = argument.decode("utf-8", "replace")
    place = ledger.place(tx_id)
    if place is None:
        raise Unanswered(f"Failed to get block for txID {tx_id}, error no such transaction ID [{tx_id}] in index")
    return ledger.block_bytes(place.block)


def _transaction(ledger: Ledger, argument: bytes) -> bytes:
    tx_id = argument.decode("utf-8", "replace")
    place = ledger.place(tx_id)
    if place is None:
        raise Unanswered(f"Failed to get transaction with id {tx_id}, error no such transaction ID [{tx_id}] in index")
    block = protos.common.Block.FromString(ledger.block_bytes(place.block))
    envelope: Any = protos.common.Envelope.FromString(block.data.data[place.index])
    processed = protos.transactions.ProcessedTransaction(transactionEnvelope=envelope, validationCode=place.code)
    return protos.encoded(processed)


_HANDLERS: Final[dict[str, Callable[[Ledger, bytes], bytes]]] = {
    "GetChainInfo": _chain_info,
    "GetBlockByNumber": _block_by_number,
    "GetBlockByHash": _block_by_hash,
    "GetBlockByTxID": _block_by_tx_id,
    "GetTransactionByID": _transaction,
}
