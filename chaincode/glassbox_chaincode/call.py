"""One call of the contract as it arrives in a TRANSACTION message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from glassbox_chaincode import protos
from glassbox_chaincode.errors import Malformed
from glassbox_chaincode.identity import creator_of
from glassbox_contract.stub import Creator


@dataclass(frozen=True, slots=True)
class Call:
    """What is called, by whom, and in which transaction."""

    channel_id: str
    tx_id: str
    args: tuple[bytes, ...] = field(repr=False)
    """The function's name and its arguments."""
    creator: Creator
    timestamp: int
    """Milliseconds since 1970, as the client put them into the proposal."""
    transient: Mapping[str, bytes] = field(repr=False)
    """What the client sends along without it becoming part of the transaction."""


def read_call(message: Any) -> Call:
    """Return the call in a message; raises Malformed where a part is missing, broken, or of another transaction."""
    try:
        args = protos.parsed(protos.chaincode.ChaincodeInput, message.payload).args
        proposal = protos.parsed(protos.proposals.Proposal, message.proposal.proposal_bytes)
        header = protos.parsed(protos.common.Header, proposal.header)
        channel = protos.parsed(protos.common.ChannelHeader, header.channel_header)
        signature = protos.parsed(protos.common.SignatureHeader, header.signature_header)
        payload = protos.parsed(protos.proposals.ChaincodeProposalPayload, proposal.payload)
    except protos.DecodeError:
        raise Malformed("the transaction holds a part that is no message of the protocol") from None
    if (channel.tx_id, channel.channel_id) != (message.txid, message.channel_id):
        raise Malformed("the signed proposal belongs to another transaction or channel")
    return Call(
        channel_id=str(message.channel_id),
        tx_id=str(message.txid),
        args=tuple(bytes(one) for one in args),
        creator=creator_of(bytes(signature.creator)),
        timestamp=channel.timestamp.seconds * 1000 + channel.timestamp.nanos // 1_000_000,
        transient={str(name): bytes(value) for name, value in payload.TransientMap.items()},
    )
