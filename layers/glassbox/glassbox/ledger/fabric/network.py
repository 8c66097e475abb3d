"""A Fabric network as this client knows it: where its peers are, who the client is, and what it trusts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from glassbox.ledger.fabric.gateway import Deadlines, Endpoint
from glassbox.ledger.fabric.signing import Signer
from glassbox.ledger.fabric.trust import Trust


@dataclass(frozen=True, slots=True)
class Network:
    """Everything that a connection profile says."""

    gateway: Endpoint
    """The peer that is asked: of the client's own organisation."""
    peers: Mapping[str, Endpoint]
    """A peer of each organisation by MSP id, asked for their own answers when a proof is made."""
    client: Signer
    """The identity that commits and reads."""
    trust: Trust
    admin: Signer | None = None
    """The identity that registers policies, where this client has it."""
    deadlines: Deadlines = field(default_factory=Deadlines)

    def on(self, channel: str | None, chaincode: str | None) -> Network:
        """Return the same network with another channel or chaincode, where they are given."""
        trust = self.trust
        named = replace(trust, channel=channel or trust.channel, chaincode=chaincode or trust.chaincode)
        return replace(self, trust=named)
