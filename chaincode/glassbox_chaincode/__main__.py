"""`python -m glassbox_chaincode`: the chaincode server of one organisation, until SIGTERM or SIGINT.

`python -m glassbox_chaincode --check` asks a running one for its health, as a container's health check.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence

from glassbox_chaincode.errors import Misconfigured
from glassbox_chaincode.health import HealthServer, is_serving
from glassbox_chaincode.logs import set_up
from glassbox_chaincode.server import ChaincodeServer
from glassbox_chaincode.settings import from_environment


def main(arguments: Sequence[str] = ()) -> int:
    """Serve until a signal; return 0 after a clean stop, 2 where transactions were cut off, 1 for wrong settings."""
    if list(arguments) == ["--check"]:
        return 0 if is_serving(os.environ.get("CHAINCODE_HEALTH_ADDRESS", "")) else 1
    if arguments:
        print("usage: python -m glassbox_chaincode [--check]", file=sys.stderr)
        return 1
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        settings = from_environment()
        set_up(settings.log_level)
        server = ChaincodeServer(settings)
        health = HealthServer(settings.health_address, server.status) if settings.health_address else None
        server.start()
    except Misconfigured as error:
        print(f"glassbox_chaincode: {error}", file=sys.stderr)
        return 1
    stop.wait()
    clean = server.stop()
    if health is not None:
        health.close()
    return 0 if clean else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
