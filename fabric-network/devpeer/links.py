"""The connection to an organisation's chaincode process: Fabric's shim protocol, seen from the peer's side.

The chaincode is the server (chaincode as a service). The peer dials it when it is first needed, and again after the
stream broke; every transaction of all callers goes over the one stream.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import grpc

from devpeer import protos
from devpeer.config import ChaincodeServer
from devpeer.proposals import Proposal
from devpeer.simulation import Simulation

MAX_MESSAGE: Final = 100 << 20
REFUSED_SECONDS: Final = 0.5
"""How long an address may refuse connections before a transaction is told; Fabric waits the whole dial timeout."""
_OPTIONS: Final = [
    ("grpc.max_send_message_length", MAX_MESSAGE),
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.use_local_subchannel_pool", 1),
]
_M: Any = protos.shim.ChaincodeMessage
_EOF: Any = getattr(grpc.aio, "EOF")  # noqa: B009 - the stubs have no such name


class ChaincodeFailed(Exception):
    """A transaction that a chaincode did not carry through; the text is the peer's."""


class ChaincodeLink:
    """One organisation's chaincode process."""

    def __init__(self, server: ChaincodeServer, execute_seconds: float) -> None:
        self.server = server
        self.cut = False
        """Whether the process is out of reach, by a fault that was asked for."""
        self._execute_seconds = execute_seconds
        self._dialling = asyncio.Lock()
        self._stream: _Stream | None = None

    async def run(self, simulation: Simulation) -> tuple[Any, Any]:
        """Return (Response, ChaincodeEvent or None) of one transaction; raises ChaincodeFailed."""
        stream = await self._connected()
        try:
            message = await stream.run(simulation, self._execute_seconds)
        except ChaincodeFailed as failed:
            raise ChaincodeFailed(f"error sending: {failed}") from None
        if message.type != _M.COMPLETED:
            text = message.payload.decode("utf-8", "replace")
            raise ChaincodeFailed(f"transaction returned with failure: {text}")
        try:
            response = protos.responses.Response.FromString(message.payload)
        except protos.DecodeError:
            raise ChaincodeFailed("failed to unmarshal response") from None
        event = message.chaincode_event if message.HasField("chaincode_event") else None
        return response, event

    async def close(self) -> None:
        """End the connection; the next transaction makes another."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()

    async def _connected(self) -> _Stream:
        async with self._dialling:
            if self._stream is not None and not self._stream.ended.is_set():
                return self._stream
            await self.close()
            stream = _Stream(self.server)
            try:
                if self.cut:
                    raise ConnectionError("connection refused")
                await asyncio.wait_for(stream.open(), self.server.dial_seconds)
            except (TimeoutError, ConnectionError, grpc.RpcError) as error:
                await stream.close()
                reason = "context deadline exceeded" if isinstance(error, TimeoutError) else "connection refused"
                raise ChaincodeFailed(self._launch_failure(reason)) from None
            self._stream = stream
            return stream

    def _launch_failure(self, reason: str) -> str:
        name, address = self.server.package_id, self.server.address
        return (
            f"could not launch chaincode {name}: connection to {name} failed: error cannot create connection for "
            f"{name}: error creating grpc connection to {address}: failed to create new connection: {reason}"
        )


class _Stream:
    """One stream to a chaincode process, from its registration to its end."""

    def __init__(self, server: ChaincodeServer) -> None:
        self.ended = asyncio.Event()
        self._server = server
        self._ready = asyncio.Event()
        self._sending = asyncio.Lock()
        self._running: dict[str, tuple[Simulation, asyncio.Future[Any]]] = {}
        self._channel = self._dial()
        self._call: Any = None
        self._reader: asyncio.Task[None] | None = None

    def _dial(self) -> grpc.aio.Channel:
        server, options = self._server, list(_OPTIONS)
        if server.root is None:
            return grpc.aio.insecure_channel(server.address, options)
        if server.host_name:
            options.append(("grpc.ssl_target_name_override", server.host_name))  # type: ignore[arg-type]
        client = server.client
        credentials = grpc.ssl_channel_credentials(
            server.root, client.key if client else None, client.certificate if client else None
        )
        return grpc.aio.secure_channel(server.address, credentials, options)

    async def open(self) -> None:
        """Return once the chaincode has registered; raises ConnectionError where the stream ends before."""
        await self._reach()
        self._call = protos.shim_grpc.ChaincodeStub(self._channel).Connect()
        self._reader = asyncio.create_task(self._read())
        ready = asyncio.create_task(self._ready.wait())
        ended = asyncio.create_task(self.ended.wait())
        try:
            await asyncio.wait((ready, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
            ended.cancel()
        if self.ended.is_set():
            raise ConnectionError("the stream ended before the chaincode registered")

    async def _reach(self) -> None:
        """Return once connected; raises ConnectionError for an address where nobody listens, soon."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + REFUSED_SECONDS
        while True:
            state = self._channel.get_state(try_to_connect=True)
            if state is grpc.ChannelConnectivity.READY:
                return
            refused = state is grpc.ChannelConnectivity.TRANSIENT_FAILURE
            if refused and loop.time() >= give_up:
                raise ConnectionError("nobody listens there")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(give_up if refused else None):
                    await self._channel.wait_for_state_change(state)

    async def run(self, simulation: Simulation, seconds: float) -> Any:
        """Return the chaincode's last message of one transaction; raises ChaincodeFailed."""
        proposal = simulation.proposal
        if proposal.tx_id in self._running:
            raise ChaincodeFailed(f"txid: {proposal.tx_id}({proposal.channel}) exists")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._running[proposal.tx_id] = (simulation, future)
        try:
            await self._send(transaction_message(proposal))
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            raise ChaincodeFailed("timeout expired while executing transaction") from None
        finally:
            del self._running[proposal.tx_id]

    async def close(self) -> None:
        """End the stream; whoever waits on it is told."""
        if self._call is not None:
            self._call.cancel()
        if self._reader is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        await self._channel.close(None)

    async def _send(self, message: Any) -> None:
        try:
            async with self._sending:
                await self._call.write(message)
        except (grpc.RpcError, asyncio.InvalidStateError):
            raise ChaincodeFailed("chaincode stream terminated") from None

    async def _read(self) -> None:
        try:
            while True:
                message = await self._call.read()
                if message is _EOF:
                    return
                await self._handle(message)
        except (grpc.RpcError, ChaincodeFailed, asyncio.InvalidStateError):
            return
        finally:
            self.ended.set()
            for _, future in list(self._running.values()):
                if not future.done():
                    future.set_exception(ChaincodeFailed("chaincode stream terminated"))

    async def _handle(self, message: Any) -> None:
        if message.type == _M.KEEPALIVE:
            return
        if not self._ready.is_set():
            await self._register(message)
            return
        simulation, future = self._running.get(message.txid, (None, None))
        if message.type in (_M.COMPLETED, _M.ERROR):
            if future is not None and not future.done():
                future.set_result(message)
            return
        if simulation is None:
            text = f"{_M.Type.Name(message.type)} failed: transaction ID: {message.txid}: no ledger context"
            reply = _M(type=_M.ERROR, payload=text.encode(), txid=message.txid, channel_id=message.channel_id)
            await self._send(reply)
            return
        await self._send(simulation.answer(message))

    async def _register(self, message: Any) -> None:
        name = protos.chaincode.ChaincodeID.FromString(message.payload).name if message.type == _M.REGISTER else ""
        if name != self._server.package_id:
            raise ChaincodeFailed("it registers under another name")
        await self._send(_M(type=_M.REGISTERED))
        await self._send(_M(type=_M.READY))
        self._ready.set()


def transaction_message(proposal: Proposal) -> Any:
    """Return what begins a transaction at a chaincode."""
    return _M(
        type=_M.TRANSACTION,
        payload=protos.encoded(proposal.input),
        txid=proposal.tx_id,
        channel_id=proposal.channel,
        proposal=proposal.signed,
    )
