"""`GET /healthz` on an address of its own: 200 while the server takes transactions, 503 while it stops."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, InvalidURL
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from glassbox_chaincode.errors import Misconfigured


class HealthServer:
    """Serves the status of the chaincode; it shows counts only and reads nothing but the path."""

    def __init__(self, address: str, status: Callable[[], Mapping[str, Any]]) -> None:
        """Listen at host:port; raises Misconfigured where that is not possible."""
        host, _, port = address.rpartition(":")
        try:
            self._server = ThreadingHTTPServer((host.strip("[]"), int(port)), _handler(status))
        except (OSError, ValueError, OverflowError) as error:
            raise Misconfigured(
                f"CHAINCODE_HEALTH_ADDRESS can't be used ({type(error).__name__}): set it to a free host:port"
            ) from None
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="health", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def is_serving(address: str) -> bool:
    """Whether the server whose health is told at host:port takes transactions."""
    host, _, port = address.rpartition(":")
    try:
        connection = HTTPConnection(host.strip("[]"), int(port), timeout=2)
    except (ValueError, InvalidURL):
        return False
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _handler(status: Callable[[], Mapping[str, Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            if self.path != "/healthz":
                self._send(404, {"status": "no such page"})
                return
            found = status()
            self._send(200 if found["status"] == "serving" else 503, found)

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing: probes come every few seconds."""

        def _send(self, code: int, body: Mapping[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
