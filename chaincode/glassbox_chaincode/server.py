"""The server that peers dial: one stream a peer, workers behind them, and a stop that lets transactions end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Final

import grpc

from glassbox_chaincode.errors import Misconfigured
from glassbox_chaincode.logs import LOGGER
from glassbox_chaincode.running import Contract
from glassbox_chaincode.settings import Settings, Tls
from glassbox_chaincode.stream import PeerStream
from glassbox_chaincode.work import Work
from glassbox_contract.contract import invoke

SERVICE: Final = "protos.Chaincode"
_CLOSE_SECONDS: Final = 5.0


class ChaincodeServer:
    """A chaincode service; `start` it, and `stop` it. Peers may come, go and come back while it runs."""

    def __init__(self, settings: Settings, contract: Contract = invoke) -> None:
        self.settings = settings
        self._work = Work(contract, settings.chaincode_id, settings.limits)
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._streams: set[PeerStream] = set()
        self._server: Any = None
        self._stopped = False
        self.port = 0

    def start(self) -> ChaincodeServer:
        """Listen at the address of the settings and return; raises Misconfigured where that is not possible."""
        limits = self.settings.limits
        server = grpc.server(
            ThreadPoolExecutor(limits.streams, thread_name_prefix="stream"),
            options=[
                ("grpc.max_receive_message_length", limits.message),
                ("grpc.max_send_message_length", limits.message),
                # A peer's pings are welcome, and a peer that vanished is noticed.
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.keepalive_timeout_ms", 20_000),
                ("grpc.so_reuseport", 0),
            ],
            maximum_concurrent_rpcs=limits.streams,
        )
        # Messages stay bytes here, so that one that is no message of the protocol ends nobody else's transaction.
        handlers = {"Connect": grpc.stream_stream_rpc_method_handler(self._connect)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        self.port = _listen(server, self.settings)
        server.start()
        self._server = server
        LOGGER.info("chaincode=%s listens on port %d", self.settings.chaincode_id, self.port)
        return self

    def status(self) -> dict[str, Any]:
        """Return {status: serving|stopping|stopped, peers, in_flight, done}."""
        with self._lock:
            peers = sum(stream.registered for stream in self._streams)
        state = "stopped" if self._stopped else "stopping" if self._work.stopping else "serving"
        return {"status": state, "peers": peers, "in_flight": self._work.in_flight, "done": self._work.done}

    def stop(self) -> bool:
        """Answer what runs, take nothing more, and end; False where a transaction had to be cut off.

        A transaction that comes meanwhile is answered with status 503, so that the client tries it again.
        """
        clean = self._work.drain(self.settings.limits.stop_seconds)
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.close()
        if self._server is not None:
            self._server.stop(_CLOSE_SECONDS).wait()
        self._work.close()
        self._stopped = True
        LOGGER.info(
            "chaincode=%s stopped%s", self.settings.chaincode_id, "" if clean else ", with transactions cut off"
        )
        return clean

    def __enter__(self) -> ChaincodeServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _connect(self, incoming: Iterator[bytes], context: Any) -> Iterator[bytes]:
        stream = PeerStream(next(self._numbers), self._work)
        with self._lock:
            self._streams.add(stream)
        if not context.add_callback(stream.close) or self._work.stopping:
            stream.close()
        LOGGER.info("stream=%d a peer connected", stream.number)
        reader = threading.Thread(target=stream.read, args=(incoming,), name=f"reader-{stream.number}", daemon=True)
        reader.start()
        try:
            yield from stream.outgoing()
        finally:
            stream.close()
            with self._lock:
                self._streams.discard(stream)


def _listen(server: Any, settings: Settings) -> int:
    try:
        if settings.tls is None:
            port = server.add_insecure_port(settings.address)
        else:
            port = server.add_secure_port(settings.address, _credentials(settings.tls))
    except RuntimeError:
        port = 0
    if not port:
        raise Misconfigured(
            f"The server can't listen on {settings.address}: choose a free port and an address of this machine in "
            "CHAINCODE_SERVER_ADDRESS, and check the TLS key and certificate"
        )
    return int(port)


def _credentials(tls: Tls) -> grpc.ServerCredentials:
    mutual = tls.client_authority is not None
    return grpc.ssl_server_credentials([(tls.key, tls.certificate)], tls.client_authority, mutual)
