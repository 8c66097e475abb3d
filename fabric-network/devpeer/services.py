"""The gRPC services of one peer, with the faults that were asked for, and its statuses in Fabric's form."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import grpc

from devpeer import protos
from devpeer.config import PeerConfig
from devpeer.deliver import DeliverService
from devpeer.errors import ConfigError, Refused
from devpeer.faults import Faults
from devpeer.gateway import Gateway
from devpeer.links import MAX_MESSAGE
from devpeer.peers import Peer
from devpeer.proposals import BadProposal

_OPTIONS: Final = [
    ("grpc.max_send_message_length", MAX_MESSAGE),
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    # Two processes on one address would share its calls.
    ("grpc.so_reuseport", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 5000),
    ("grpc.keepalive_permit_without_calls", 1),
]
_LOST: Final = "recvmsg:Connection reset by peer"


class GatewayService(protos.gateway_grpc.GatewayServicer):  # type: ignore[misc]
    """gateway.Gateway of one peer."""

    def __init__(self, gateway: Gateway) -> None:
        self.faults = Faults()
        self._gateway = gateway

    async def Evaluate(self, request: Any, context: Any) -> Any:  # noqa: N802 - the protocol's name
        """Answer a question without a transaction."""
        return await self._answer("Evaluate", self._gateway.evaluate, request, context)

    async def Endorse(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Have a proposal endorsed."""
        return await self._answer("Endorse", self._gateway.endorse, request, context)

    async def Submit(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Hand a signed transaction to the orderer."""
        return await self._answer("Submit", self._gateway.submit, request, context)

    async def CommitStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tell what became of a transaction, once it stands in a block."""
        return await self._answer("CommitStatus", self._gateway.commit_status, request, context)

    async def ChaincodeEvents(self, request: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        """Stream events until the client goes."""
        try:
            async for response in self._gateway.chaincode_events(request):
                yield response
        except Refused as refused:
            await context.abort(refused.code, refused.message, refused.trailing)

    async def _answer(self, stage: str, handler: Callable[[Any], Awaitable[Any]], request: Any, context: Any) -> Any:
        if self.faults.lose_request(stage):
            await context.abort(grpc.StatusCode.UNAVAILABLE, _LOST)
        try:
            answer = await handler(request)
        except Refused as refused:
            await context.abort(refused.code, refused.message, refused.trailing)
        if self.faults.lose_reply(stage):
            await context.abort(grpc.StatusCode.UNAVAILABLE, _LOST)
        if self.faults.hang_reply(stage):
            await asyncio.Event().wait()
        return answer


class EndorserService(protos.peer_grpc.EndorserServicer):  # type: ignore[misc]
    """protos.Endorser of one peer, whose answers are signed by that peer."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def ProcessProposal(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Process a signed proposal on this peer alone."""
        try:
            return await self._peer.process(request)
        except BadProposal as bad:
            await context.abort(grpc.StatusCode.UNKNOWN, str(bad))


class PeerServer:
    """What listens at one peer's address; it can be stopped and started again."""

    def __init__(self, config: PeerConfig, peer: Peer, gateway: Gateway) -> None:
        self.address = config.address
        self.gateway = GatewayService(gateway)
        self._endorser = EndorserService(peer)
        self._deliver = DeliverService(peer.ledger)
        self._config = config
        self._server: grpc.aio.Server | None = None

    @property
    def listening(self) -> bool:
        """Whether it is reachable."""
        return self._server is not None

    async def start(self) -> None:
        """Listen; a port of 0 becomes a free one, which it then keeps. Raises ConfigError."""
        server = grpc.aio.server(options=_OPTIONS)
        protos.gateway_grpc.add_GatewayServicer_to_server(self.gateway, server)
        protos.peer_grpc.add_EndorserServicer_to_server(self._endorser, server)
        protos.peer_events_grpc.add_DeliverServicer_to_server(self._deliver, server)
        host, _, _ = self.address.rpartition(":")
        try:
            port = self._bind(server)
        except RuntimeError:
            port = 0
        if not port:
            raise ConfigError(f"{self.address}: can't listen there; is another process using the port?")
        await server.start()
        self.address = f"{host}:{port}"
        self._server = server

    async def stop(self) -> None:
        """Stop listening and end every call at once."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop(0)

    def _bind(self, server: grpc.aio.Server) -> int:
        tls = self._config.tls
        if tls is None:
            return int(server.add_insecure_port(self.address))
        return int(server.add_secure_port(self.address, grpc.ssl_server_credentials([(tls.key, tls.certificate)])))
