"""A two-organisation Fabric network as plain processes on this machine; without Fabric's binaries, a development peer.

Used by `network.py`, and by tests as a library. Needs `grpcio`, `hyperledger-fabric-protos`, `cryptography`.
"""

from __future__ import annotations

from fabricnet.errors import NetworkError
from fabricnet.network import Network, Status

__all__ = ["Network", "NetworkError", "Status"]
