"""The control address: a small HTTP server on loopback, where tests read the status and ask for faults.

`GET /` answers the status; `PUT /faults` with a JSON object sets what is out of order, and what it does not name is in
order again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from devpeer.errors import ConfigError
from devpeer.faults import BadFaults

_LONGEST: Final = 64 << 10
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class Control:
    """Serves `status` and `set_faults` over HTTP."""

    def __init__(self, status: Callable[[], dict[str, Any]], set_faults: Callable[[Any], Awaitable[None]]) -> None:
        self.address = ""
        self._status = status
        self._set_faults = set_faults
        self._server: asyncio.Server | None = None

    async def start(self, address: str) -> None:
        """Listen at host:port, where port 0 becomes a free one; raises ConfigError for any but a loopback address."""
        host, _, port = address.rpartition(":")
        if host not in _LOOPBACK or not port.isdigit():
            raise ConfigError(
                f"control: {address} must be 127.0.0.1 and a port: whoever reaches it can break the network"
            )
        try:
            self._server = await asyncio.start_server(self._serve, host, int(port), limit=_LONGEST)
        except OSError as error:
            raise ConfigError(f"control: can't listen at {address} ({error.strerror})") from None
        self.address = f"{host}:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(10):
                code, answer = await self._answer(reader)
                body = json.dumps(answer, sort_keys=True).encode() + b"\n"
                head = f"HTTP/1.1 {code}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
                await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[str, dict[str, Any]]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        asked = head[0].rsplit(" ", 1)[0]
        if asked == "GET /":
            return "200 OK", self._status()
        if asked != "PUT /faults":
            return "404 Not Found", {"error": "GET / and PUT /faults are all there is"}
        size = fields.get("content-length", "")
        if not size.isdigit() or int(size) > _LONGEST:
            return "411 Length Required", {"error": f"a body of at most {_LONGEST} bytes is needed"}
        try:
            await self._set_faults(json.loads(await reader.readexactly(int(size))))
        except (ValueError, BadFaults) as error:
            return "400 Bad Request", {"error": str(error)}
        return "200 OK", self._status()
