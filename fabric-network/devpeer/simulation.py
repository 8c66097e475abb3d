"""One run of a chaincode: what it asks of the state, and what it reads and writes thereby."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any, Final

from devpeer import protos
from devpeer.proposals import Proposal
from devpeer.rwset import RangeRead, ReadWriteSet
from devpeer.world import World

BATCH: Final = 100
"""Rows that a peer sends a chaincode at once."""
TOTAL: Final = 100_000
"""Rows of one query, whatever is asked for."""

_M: Any = protos.shim.ChaincodeMessage


class Failed(Exception):
    """A request of a chaincode that the peer answers with an ERROR of this text."""


class Simulation:
    """The state as one transaction sees it. Its own writes show to no read of it."""

    def __init__(self, proposal: Proposal, world: World) -> None:
        self.proposal = proposal
        self.rwset = ReadWriteSet()
        self._world = world
        self._cursors: dict[str, _Cursor] = {}
        self._paged = False
        self._handlers: dict[int, Callable[[bytes], bytes]] = {
            _M.GET_STATE: self._get,
            _M.PUT_STATE: self._put,
            _M.DEL_STATE: self._delete,
            _M.GET_STATE_BY_RANGE: self._range,
            _M.GET_HISTORY_FOR_KEY: self._history,
            _M.QUERY_STATE_NEXT: self._next,
            _M.QUERY_STATE_CLOSE: self._close,
        }

    def answer(self, message: Any) -> Any:
        """Return the peer's RESPONSE or ERROR to a chaincode's request."""
        kind = _M.Type.Name(message.type)
        try:
            handler = self._handlers.get(message.type)
            if handler is None:
                raise Failed(f"the development peer has no {kind}")
            return self._reply(_M.RESPONSE, handler(message.payload))
        except Failed as failed:
            text = f"{kind} failed: transaction ID: {message.txid}: {failed}"
        except protos.DecodeError:
            text = f"{kind} failed: transaction ID: {message.txid}: unmarshal failed"
        return self._reply(_M.ERROR, text.encode())

    def _reply(self, kind: int, payload: bytes) -> Any:
        return _M(type=kind, payload=payload, txid=self.proposal.tx_id, channel_id=self.proposal.channel)

    def _get(self, payload: bytes) -> bytes:
        asked = protos.shim.GetState.FromString(payload)
        _demand_no_collection(asked.collection)
        held = self._world.get(asked.key)
        self.rwset.reads[str(asked.key)] = None if held is None else held[1]
        return b"" if held is None else held[0]

    def _put(self, payload: bytes) -> bytes:
        asked = protos.shim.PutState.FromString(payload)
        self._write(asked, bytes(asked.value) or None)
        return b""

    def _delete(self, payload: bytes) -> bytes:
        self._write(protos.shim.DelState.FromString(payload), None)
        return b""

    def _write(self, asked: Any, value: bytes | None) -> None:
        _demand_no_collection(asked.collection)
        if self._paged:
            raise Failed(
                f"txid [{self.proposal.tx_id}]: unsuppored transaction. "
                "Transaction has already performed a paginated query. Writes are not allowed"
            )
        self.rwset.writes[str(asked.key)] = value

    def _range(self, payload: bytes) -> bytes:
        asked = protos.shim.GetStateByRange.FromString(payload)
        _demand_no_collection(asked.collection)
        metadata = protos.shim.QueryMetadata.FromString(asked.metadata)
        start = str(asked.startKey)
        if metadata.pageSize > 0:
            if self.rwset.writes:
                raise Failed(
                    f"txid [{self.proposal.tx_id}]: unsuppored transaction. "
                    "Paginated queries are supported only in a read-only transaction"
                )
            self._paged = True
            return self._page(str(metadata.bookmark) or start, str(asked.endKey), int(metadata.pageSize))
        read = RangeRead(start)
        self.rwset.ranges.append(read)
        return self._opened(self._rows(read, str(asked.endKey)))

    def _rows(self, read: RangeRead, end: str) -> Iterator[bytes]:
        for key, value, version in self._world.scan(read.start, end):
            read.found.append((key, version))
            read.end = key
            yield self._row(key, value)
        read.exhausted, read.end = True, end

    def _row(self, key: str, value: bytes) -> bytes:
        row = protos.query_results.KV(namespace=self.proposal.chaincode, key=key, value=value)
        return protos.encoded(row)

    def _page(self, start: str, end: str, size: int) -> bytes:
        read = RangeRead(start)
        self.rwset.ranges.append(read)
        rows: list[bytes] = []
        bookmark = ""
        scanned = self._world.scan(start, end)
        for key, value, version in scanned:
            if len(rows) == min(size, TOTAL):
                bookmark = key
                break
            read.found.append((key, version))
            read.end = key
            rows.append(self._row(key, value))
        else:
            read.exhausted, read.end = True, end
        metadata = protos.shim.QueryResponseMetadata(fetched_records_count=len(rows), bookmark=bookmark)
        return _response(str(uuid.uuid4()), rows, more=False, metadata=protos.encoded(metadata))

    def _history(self, payload: bytes) -> bytes:
        asked = protos.shim.GetHistoryForKey.FromString(payload)
        rows = (
            protos.encoded(
                protos.query_results.KeyModification(
                    tx_id=one.tx_id, value=one.value or b"", timestamp=one.timestamp, is_delete=one.value is None
                )
            )
            for one in self._world.history(asked.key)
        )
        return self._opened(rows)

    def _opened(self, rows: Iterator[bytes]) -> bytes:
        name = str(uuid.uuid4())
        self._cursors[name] = _Cursor(rows)
        return self._more(name)

    def _next(self, payload: bytes) -> bytes:
        name = str(protos.shim.QueryStateNext.FromString(payload).id)
        if name not in self._cursors:
            raise Failed("query iterator not found")
        return self._more(name)

    def _close(self, payload: bytes) -> bytes:
        name = str(protos.shim.QueryStateClose.FromString(payload).id)
        self._cursors.pop(name, None)
        return _response(name, [], more=False)

    def _more(self, name: str) -> bytes:
        rows, more = self._cursors[name].batch()
        if not more:
            del self._cursors[name]
        return _response(name, rows, more=more)


class _Cursor:
    """Rows of a query that are handed over in batches; one row is always read ahead, as a peer does."""

    def __init__(self, rows: Iterator[bytes]) -> None:
        self._rows = rows
        self._ahead: list[bytes] = []
        self._given = 0

    def batch(self) -> tuple[list[bytes], bool]:
        """Return the next rows, and whether there are more."""
        while self._given < TOTAL:
            row = next(self._rows, None)
            if row is None:
                break
            self._given += 1
            if len(self._ahead) == BATCH:
                rows, self._ahead = self._ahead, [row]
                return rows, True
            self._ahead.append(row)
        rows, self._ahead = self._ahead, []
        return rows, False


def _response(name: str, rows: list[bytes], *, more: bool, metadata: bytes = b"") -> bytes:
    results = [protos.shim.QueryResultBytes(resultBytes=row) for row in rows]
    return protos.encoded(protos.shim.QueryResponse(results=results, has_more=more, id=name, metadata=metadata))


def _demand_no_collection(name: str) -> None:
    if name:
        raise Failed(f"collection {name} could not be found")
