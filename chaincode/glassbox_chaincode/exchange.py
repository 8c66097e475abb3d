"""The requests of one transaction to its peer: one at a time, each answered by the next message that is for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from glassbox_chaincode import protos
from glassbox_chaincode.errors import PeerError, StreamClosed


class Exchange:
    """Asks the peer on behalf of one transaction. Used by the thread that runs it; answers come from the reader's."""

    def __init__(self, channel_id: str, tx_id: str, send: Callable[[Any], None], timeout: float) -> None:
        self.channel_id = channel_id
        self.tx_id = tx_id
        self._send = send
        self._timeout = timeout
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = False
        self._over: type[PeerError | StreamClosed] | None = None

    def ask(self, kind: int, body: Any) -> bytes:
        """Return the payload of the peer's RESPONSE; raises PeerError for an ERROR, StreamClosed when the peer is gone.

        A peer knows one request a transaction, so a second one while the first is open raises PeerError.
        """
        with self._lock:
            if self._over is not None:
                raise self._over("the transaction is over")
            if self._waiting:
                raise PeerError("a transaction has one request at a time")
            self._waiting = True
        message = protos.Message(
            type=kind, payload=body.SerializeToString(), txid=self.tx_id, channel_id=self.channel_id
        )
        self._send(message)
        return self._answer(kind)

    def answer(self, message: Any) -> bool:
        """Hand over the peer's answer; False where nobody waits for one."""
        with self._lock:
            if not self._waiting:
                return False
            self._waiting = False
            self._answers.put(message)
            return True

    def end(self, reason: type[PeerError | StreamClosed] = PeerError) -> None:
        """Let no more be asked, and wake whoever waits."""
        with self._lock:
            if self._over is None:
                self._over = reason
                if self._waiting:
                    self._waiting = False
                    self._answers.put(None)

    def _answer(self, kind: int) -> bytes:
        name = protos.kind_name(kind)
        try:
            message = self._answers.get(timeout=self._timeout)
        except Empty:
            # A late answer would be taken for that to the next request: there is none.
            self.end()
            raise PeerError(f"the peer did not answer {name} within {self._timeout:g} s") from None
        if message is None:
            raise StreamClosed(f"the peer went away during {name}")
        if message.type == protos.Message.ERROR:
            raise PeerError(f"the peer refused {name}; its log says why")
        return bytes(message.payload)
