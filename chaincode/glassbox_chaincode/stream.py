"""One peer's stream: registers the chaincode, hands transactions to workers, and answers to their requests."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from typing import Any

from glassbox_chaincode import protos
from glassbox_chaincode.call import Call, read_call
from glassbox_chaincode.errors import Malformed, PeerError, StreamClosed
from glassbox_chaincode.exchange import Exchange
from glassbox_chaincode.logs import LOGGER, name, place
from glassbox_chaincode.running import BUSY, completed, run
from glassbox_chaincode.work import Work
from glassbox_contract.contract import Response

_M = protos.Message


class PeerStream:
    """A stream of messages from and to one peer.

    One thread reads (`read`), one writes what is queued (`outgoing`, which makes every message whole), and the
    transactions run in the server's workers. Transactions are told apart by channel and id.
    """

    def __init__(self, number: int, work: Work) -> None:
        self.number = number
        self._work = work
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._lock = threading.Lock()
        self._running: dict[tuple[str, str], Exchange] = {}
        self._closed = False
        self.registered = False

    def outgoing(self) -> Iterator[bytes]:
        """Yield every message for the peer, REGISTER first, until the stream is closed and all are sent."""
        yield _M(
            type=_M.REGISTER, payload=protos.chaincode.ChaincodeID(name=self._work.chaincode_id).SerializeToString()
        ).SerializeToString()
        while (message := self._queue.get()) is not None:
            yield message.SerializeToString()

    def read(self, incoming: Iterable[bytes]) -> None:
        """Take the peer's messages until it hangs up; then no transaction of it can go on."""
        try:
            for data in incoming:
                self._take(data)
            LOGGER.info("stream=%d the peer ended the stream", self.number)
        except Exception as error:
            LOGGER.info("stream=%d the stream broke (%s)", self.number, type(error).__name__)
        finally:
            self.close()

    def close(self) -> None:
        """End the stream after what is queued; wakes every transaction that waits for the peer."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            open_now = list(self._running.values())
        for exchange in open_now:
            exchange.end(StreamClosed)
        self._queue.put(None)

    def _take(self, data: bytes) -> None:
        try:
            message = protos.parsed(_M, data)
        except protos.DecodeError:
            LOGGER.error("stream=%d %d bytes that are no message were dropped", self.number, len(data))
            return
        kind = message.type
        if kind in (_M.RESPONSE, _M.ERROR):
            self._answer(message)
        elif kind in (_M.TRANSACTION, _M.INIT):
            self._begin(message)
        elif kind == _M.KEEPALIVE:
            self._queue.put(_M(type=_M.KEEPALIVE))
        elif kind in (_M.REGISTERED, _M.READY):
            self.registered = True
            LOGGER.info("stream=%d %s", self.number, protos.kind_name(kind))
        else:
            LOGGER.warning("stream=%d unexpected %s", self.number, protos.kind_name(kind))

    def _answer(self, message: Any) -> None:
        with self._lock:
            exchange = self._running.get((message.channel_id, message.txid))
        if exchange is None or not exchange.answer(message):
            kind = protos.kind_name(message.type)
            LOGGER.warning("stream=%d tx=%s %s that nobody waits for", self.number, name(message.txid), kind)

    def _begin(self, message: Any) -> None:
        try:
            call = read_call(message)
        except Malformed as error:
            LOGGER.error("stream=%d tx=%s refused: %s", self.number, name(message.txid), error)
            self._queue.put(_refusal(message, str(error)))
            return
        if message.type == _M.INIT:
            # There is nothing to initialise; the lifecycle may ask for it all the same.
            self._queue.put(completed(call, Response(200, b"", "")))
            return
        exchange = Exchange(call.channel_id, call.tx_id, self._queue.put, self._work.limits.reply_seconds)
        key = (call.channel_id, call.tx_id)
        with self._lock:
            if key in self._running:
                LOGGER.warning("stream=%d tx=%s is running already", self.number, name(call.tx_id))
                return
            self._running[key] = exchange
        refused = self._work.submit(lambda: self._run(call, exchange))
        if refused is not None:
            self._forget(key, exchange)
            LOGGER.warning("stream=%d tx=%s refused: %s", self.number, name(call.tx_id), refused)
            self._queue.put(completed(call, Response(BUSY, b"", f"UNAVAILABLE: {refused}")))

    def _run(self, call: Call, exchange: Exchange) -> None:
        answer = None
        try:
            if not self._closed:
                answer = run(self._work.contract, call, exchange, self._work.chaincode_id, self._work.limits.message)
        except StreamClosed:
            LOGGER.warning("stream=%d tx=%s the peer went away", self.number, name(call.tx_id))
        except Exception as error:
            LOGGER.error("stream=%d tx=%s not answered in full: %s", self.number, name(call.tx_id), place(error))
            answer = completed(call, Response(500, b"", f"INTERNAL: {type(error).__name__}"))
        self._forget((call.channel_id, call.tx_id), exchange)
        if answer is not None:
            self._queue.put(answer)

    def _forget(self, key: tuple[str, str], exchange: Exchange) -> None:
        exchange.end(PeerError)
        with self._lock:
            self._running.pop(key, None)


def _refusal(message: Any, reason: str) -> Any:
    return _M(type=_M.ERROR, payload=reason.encode(), txid=message.txid, channel_id=message.channel_id)
