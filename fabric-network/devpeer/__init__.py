"""Development peer: simulates two peers and an orderer; not Hyperledger Fabric.

A test tool. One process speaks the protocols that a client and a chaincode see: the Gateway and Endorser services of a
peer of each organisation, and the shim protocol towards each organisation's chaincode process. It keeps blocks as
Fabric does, and nothing of it is meant to hold data that matters: one process can't keep anybody from lying.
"""

from __future__ import annotations

from typing import Final

NAME: Final = "development peer: simulates two peers and an orderer; not Hyperledger Fabric"
"""How it introduces itself, everywhere."""
