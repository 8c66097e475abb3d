"""A connection that loses messages: it stands between a client and a peer's gateway, whatever the peer is."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import grpc

from glassbox.ledger.fabric.gateway import MAX_MESSAGE, Endpoint

_OPTIONS = [("grpc.max_receive_message_length", MAX_MESSAGE), ("grpc.max_send_message_length", MAX_MESSAGE)]


class LossyConnection:
    """Passes unary calls on to an endpoint. `requests` and `replies` say how many of which method's get lost."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.requests: Counter[str] = Counter()
        self.replies: Counter[str] = Counter()
        self.passed: Counter[str] = Counter()
        self._channel = endpoint.channel()
        self._server = grpc.server(ThreadPoolExecutor(16), options=[*_OPTIONS, ("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((_Handler(self),))
        self.endpoint = Endpoint(f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}")
        self._server.start()

    def __enter__(self) -> LossyConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()
        self._channel.close()

    def of(self, network: Any) -> Any:
        """Return the network with this connection in place of the one to its gateway."""
        return replace(network, gateway=self.endpoint)

    def call(self, method: str, request: bytes, context: Any) -> bytes:
        """Pass a call on, or lose it."""
        name = method.rpartition("/")[2]
        if _take(self.requests, name):
            context.abort(grpc.StatusCode.UNAVAILABLE, "recvmsg:Connection reset by peer")
        try:
            answer: bytes = self._channel.unary_unary(method)(request, timeout=context.time_remaining())
        except grpc.RpcError as error:
            context.set_trailing_metadata(error.trailing_metadata() or ())
            context.abort(error.code(), error.details())
        self.passed[name] += 1
        if _take(self.replies, name):
            context.abort(grpc.StatusCode.UNAVAILABLE, "recvmsg:Connection reset by peer")
        return answer


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, connection: LossyConnection) -> None:
        self._connection = connection

    def service(self, details: Any) -> Any:
        """Return the handler of any method: bytes in, bytes out."""
        method = details.method
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: self._connection.call(method, request, context)
        )


def _take(counts: Counter[str], name: str) -> bool:
    if counts[name] <= 0:
        return False
    counts[name] -= 1
    return True
