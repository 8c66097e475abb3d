"""A peer with a world state: answers a chaincode's requests as Fabric's own peers do, and commits what it endorsed."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

from glassbox_chaincode import protos
from glassbox_chaincode.protos import Message
from tests.unit.chaincode_fabric.scripted import WAIT, Peer, reply, response, transaction

BATCH = 100
"""How many results Fabric's peer sends at once."""


@dataclass
class Simulation:
    """What one transaction has written so far, and its open queries."""

    tx_id: str
    milliseconds: int
    writes: dict[str, bytes] = field(default_factory=dict)
    queries: dict[str, list[bytes]] = field(default_factory=dict)
    paged: bool = False
    done: Queue[Any] = field(default_factory=Queue)


class World:
    """State, history and events of one channel, and the peer that serves them."""

    def __init__(self) -> None:
        self.state: dict[str, bytes] = {}
        self.history: dict[str, list[tuple[str, int, bytes]]] = {}
        self.events: list[tuple[str, bytes]] = []
        self.requests: list[str] = []
        self.open_queries = 0
        self._running: dict[str, Simulation] = {}
        self._lock = threading.Lock()

    def invoke(self, peer: Peer, tx_id: str, *args: bytes | str, commit: bool = True, **more: Any) -> Any:
        """Return the contract's response to a transaction, whose writes are committed where it may be."""
        simulation = Simulation(tx_id, more.get("milliseconds", 1_767_355_200_000))
        with self._lock:
            self._running[tx_id] = simulation
        peer.send(transaction(tx_id, *args, **more))
        completed = simulation.done.get(timeout=WAIT)
        answer = response(completed)
        if commit and answer.status == 200:
            self._commit(simulation, completed)
        return answer

    def answer(self, peer: Peer, message: Any) -> None:
        """Answer one message of the chaincode."""
        with self._lock:
            simulation = self._running[message.txid]
            self.requests.append(protos.kind_name(message.type))
            if message.type == Message.COMPLETED:
                simulation.done.put(message)
                return
            try:
                payload, kind = self._served(simulation, message), Message.RESPONSE
            except ValueError as error:
                payload, kind = str(error).encode(), Message.ERROR
        peer.send(reply(message, payload, kind))

    def _served(self, simulation: Simulation, message: Any) -> bytes:
        shim = protos.shim
        if message.type == Message.GET_STATE:
            return self.state.get(shim.GetState.FromString(message.payload).key, b"")
        if message.type == Message.PUT_STATE:
            if simulation.paged:
                raise ValueError("paginated queries are supported only in a read-only transaction")
            put = shim.PutState.FromString(message.payload)
            simulation.writes[put.key] = bytes(put.value)
            return b""
        if message.type == Message.GET_STATE_BY_RANGE:
            return self._range(simulation, shim.GetStateByRange.FromString(message.payload))
        if message.type == Message.GET_HISTORY_FOR_KEY:
            key = shim.GetHistoryForKey.FromString(message.payload).key
            return self._batch(simulation, [_write(*one) for one in reversed(self.history.get(key, []))], message.txid)
        if message.type == Message.QUERY_STATE_NEXT:
            query = shim.QueryStateNext.FromString(message.payload).id
            self.open_queries -= 1
            return self._batch(simulation, simulation.queries.pop(query), query)
        if message.type == Message.QUERY_STATE_CLOSE:
            del simulation.queries[shim.QueryStateClose.FromString(message.payload).id]
            self.open_queries -= 1
            return b""
        raise ValueError("no such request")

    def _range(self, simulation: Simulation, body: Any) -> bytes:
        keys = sorted((key for key in self.state if body.startKey <= key < body.endKey), key=str.encode)
        if not body.metadata:
            return self._batch(simulation, [_pair(key, self.state[key]) for key in keys], "q")
        simulation.paged = True
        page = protos.shim.QueryMetadata.FromString(body.metadata)
        keys = [key for key in keys if key.encode() >= page.bookmark.encode()]
        following = keys[page.pageSize] if len(keys) > page.pageSize else ""
        taken = keys[: page.pageSize]
        metadata = protos.shim.QueryResponseMetadata(fetched_records_count=len(taken), bookmark=following)
        results = [protos.shim.QueryResultBytes(resultBytes=_pair(key, self.state[key])) for key in taken]
        return _bytes(protos.shim.QueryResponse(results=results, metadata=metadata.SerializeToString()))

    def _batch(self, simulation: Simulation, rows: list[bytes], query: str) -> bytes:
        now, rest = rows[:BATCH], rows[BATCH:]
        if rest:
            simulation.queries[query] = rest
            self.open_queries += 1
        results = [protos.shim.QueryResultBytes(resultBytes=row) for row in now]
        return _bytes(protos.shim.QueryResponse(results=results, has_more=bool(rest), id=query))

    def _commit(self, simulation: Simulation, completed: Any) -> None:
        with self._lock:
            for key, value in simulation.writes.items():
                self.state[key] = value
                self.history.setdefault(key, []).append((simulation.tx_id, simulation.milliseconds, value))
            if completed.HasField("chaincode_event"):
                event = completed.chaincode_event
                self.events.append((event.event_name, event.payload))


def _pair(key: str, value: bytes) -> bytes:
    return _bytes(protos.queryresult.KV(namespace="glassbox", key=key, value=value))


def _write(tx_id: str, milliseconds: int, value: bytes) -> bytes:
    message = protos.queryresult.KeyModification(tx_id=tx_id, value=value)
    message.timestamp.FromMilliseconds(milliseconds)
    return _bytes(message)


def _bytes(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data
