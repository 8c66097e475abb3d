"""The contract's view of one Fabric transaction, over the shim's messages."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from glassbox_chaincode import protos
from glassbox_chaincode.call import Call
from glassbox_chaincode.errors import PeerError
from glassbox_chaincode.exchange import Exchange
from glassbox_contract.stub import Creator, Modification, composite_range


@dataclass(frozen=True, slots=True)
class Page:
    """Some (key, value) pairs in the order of their keys, and the bookmark of the next page, "" at the end."""

    items: tuple[tuple[str, bytes], ...]
    bookmark: str


class FabricStub:
    """A `glassbox_contract.stub.Stub` on a peer. It deletes nothing: no message of that kind is ever sent.

    Every read and write may raise PeerError or StreamClosed; the transaction is then answered with status 500.
    """

    def __init__(self, call: Call, exchange: Exchange) -> None:
        self._call = call
        self._exchange = exchange
        self._event: tuple[str, bytes] | None = None

    @property
    def tx_id(self) -> str:
        """Id of the transaction."""
        return self._call.tx_id

    @property
    def tx_timestamp(self) -> int:
        """Time that the client put into the transaction, milliseconds since 1970."""
        return self._call.timestamp

    @property
    def creator(self) -> Creator:
        """Who submitted the transaction."""
        return self._call.creator

    @property
    def channel_id(self) -> str:
        """Name of the channel."""
        return self._call.channel_id

    @property
    def transient(self) -> Mapping[str, bytes]:
        """What the client sent along without it becoming part of the transaction."""
        return self._call.transient

    @property
    def event(self) -> tuple[str, bytes] | None:
        """Name and payload of the event that the transaction emits."""
        return self._event

    def get_state(self, key: str) -> bytes | None:
        """Return the value of `key`, None when it was never written (Fabric keeps no empty value)."""
        return self._exchange.ask(protos.Message.GET_STATE, protos.shim.GetState(key=key)) or None

    def put_state(self, key: str, value: bytes) -> None:
        """Write `key` when the transaction commits; raises ValueError for an empty key or value."""
        if not key or not value:
            raise ValueError("Fabric keeps neither an empty key nor an empty value")
        self._exchange.ask(protos.Message.PUT_STATE, protos.shim.PutState(key=key, value=value))

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return up to `limit` (key, value) pairs with start <= key < end, in the order of the keys' UTF-8.

        The peer notes what was seen, so a transaction that writes is invalid if the range has changed by its commit.
        """
        if limit < 1:
            return []
        body = protos.shim.GetStateByRange(startKey=start, endKey=end)
        with closing(self._results(protos.Message.GET_STATE_BY_RANGE, body)) as results:
            return [_pair(data) for data in islice(results, limit)]

    def get_range_page(self, start: str, end: str, page_size: int, bookmark: str = "") -> Page:
        """Return one page of a range, in a single answer of the peer; a peer refuses it in a transaction that writes.

        `bookmark` is that of the page before, "" for the first.
        """
        metadata = protos.shim.QueryMetadata(pageSize=page_size, bookmark=bookmark).SerializeToString()
        body = protos.shim.GetStateByRange(startKey=start, endKey=end, metadata=metadata)
        answer = self._query(protos.Message.GET_STATE_BY_RANGE, body)
        following = _parsed(protos.shim.QueryResponseMetadata, answer.metadata).bookmark
        return Page(tuple(_pair(one.resultBytes) for one in answer.results), str(following))

    def get_partial_page(self, page_size: int, bookmark: str, kind: str, *attributes: str) -> Page:
        """Return one page of the composite keys that begin with `attributes`; see `get_range_page`."""
        return self.get_range_page(*composite_range(kind, *attributes), page_size, bookmark)

    def get_history(self, key: str) -> Sequence[Modification]:
        """Return every write of `key`, oldest first."""
        body = protos.shim.GetHistoryForKey(key=key)
        with closing(self._results(protos.Message.GET_HISTORY_FOR_KEY, body)) as results:
            # The peer answers newest first.
            return [_modification(data) for data in results][::-1]

    def set_event(self, name: str, payload: bytes) -> None:
        """Emit one event when the transaction commits; raises ValueError for a second one, which Fabric would lose."""
        if not name or self._event is not None:
            raise ValueError("a transaction has one event, with a name")
        self._event = (name, payload)

    def _results(self, kind: int, body: Any) -> Generator[bytes, None, None]:
        """Yield the results of a query, asking for more as they are used; tell the peer when they are not."""
        answer = self._query(kind, body)
        identifier = answer.id
        while True:
            try:
                for one in answer.results:
                    yield bytes(one.resultBytes)
            except GeneratorExit:
                if answer.has_more:
                    self._query(protos.Message.QUERY_STATE_CLOSE, protos.shim.QueryStateClose(id=identifier))
                raise
            if not answer.has_more:
                return
            answer = self._query(protos.Message.QUERY_STATE_NEXT, protos.shim.QueryStateNext(id=identifier))

    def _query(self, kind: int, body: Any) -> Any:
        return _parsed(protos.shim.QueryResponse, self._exchange.ask(kind, body))


def _parsed(kind: Any, data: bytes) -> Any:
    try:
        return protos.parsed(kind, data)
    except protos.DecodeError:
        raise PeerError("the peer's answer to a query is no message of the protocol") from None


def _pair(data: bytes) -> tuple[str, bytes]:
    found = _parsed(protos.queryresult.KV, data)
    return str(found.key), bytes(found.value)


def _modification(data: bytes) -> Modification:
    found = _parsed(protos.queryresult.KeyModification, data)
    timestamp = found.timestamp.seconds * 1000 + found.timestamp.nanos // 1_000_000
    return Modification(str(found.tx_id), timestamp, None if found.is_delete else bytes(found.value))
