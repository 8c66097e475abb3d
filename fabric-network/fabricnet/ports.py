"""Free ports on loopback, which stay the same for the life of a network: its first block names some of them."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterable

from fabricnet.errors import NetworkError
from fabricnet.topology import LOOPBACK

_RANGE = range(20_000, 32_000)
"""Below the ports that systems give to outgoing connections."""


def free_ports(names: Iterable[str]) -> dict[str, int]:
    """Return a free port for each name."""
    # Networks that start at the same moment look in different places.
    order = random.SystemRandom().sample(_RANGE, len(_RANGE))
    found: dict[str, int] = {}
    wanted = list(names)
    for port in order:
        if len(found) == len(wanted):
            return found
        if is_free(port):
            found[wanted[len(found)]] = port
    raise NetworkError("Too few ports are free", where=LOOPBACK, fix="End other servers on this machine")


def is_free(port: int) -> bool:
    """Whether nothing listens on a port of loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def listens(port: int) -> bool:
    """Whether something accepts connections on a port of loopback."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=1):
            return True
    except OSError:
        return False
