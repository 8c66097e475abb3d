"""The contract as a Hyperledger Fabric chaincode service: a server that peers dial, and the shim's protocol over it.

The rules themselves are `glassbox_contract`; this package only carries them to a peer. `python -m glassbox_chaincode`
starts the server.
"""

from __future__ import annotations

from glassbox_chaincode.errors import ChaincodeError, Malformed, Misconfigured, PeerError, StreamClosed
from glassbox_chaincode.server import ChaincodeServer
from glassbox_chaincode.settings import Limits, Settings, Tls
from glassbox_chaincode.stub import FabricStub, Page

__all__ = [
    "ChaincodeError",
    "ChaincodeServer",
    "FabricStub",
    "Limits",
    "Malformed",
    "Misconfigured",
    "Page",
    "PeerError",
    "Settings",
    "StreamClosed",
    "Tls",
]
