"""Fabric's messages as a client makes them: proposals, signed requests, and what a peer answers to them."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.errors import Malformed

NONCE_BYTES: Final = 24

Sign = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal as it is sent: the signed message and the transaction id that follows from it."""

    tx_id: str
    signed: Any
    """peer.SignedProposal."""


def transaction_id(nonce: bytes, creator: bytes) -> str:
    """Return the id that follows from a nonce and its creator: SHA-256 over both, in hex."""
    return hashlib.sha256(nonce + creator).hexdigest()


def proposal(
    creator: bytes, sign: Sign, channel: str, chaincode: str, function: str, args: Sequence[bytes], *, now_ns: int = 0
) -> Proposal:
    """Return a signed proposal with a fresh nonce; `now_ns` is its time in nanoseconds since 1970, 0 for now."""
    nonce = os.urandom(NONCE_BYTES)
    tx_id = transaction_id(nonce, creator)
    named = protos.chaincode.ChaincodeID(name=chaincode)
    channel_header = protos.common.ChannelHeader(
        type=protos.common.ENDORSER_TRANSACTION,
        channel_id=channel,
        tx_id=tx_id,
        extension=protos.proposals.ChaincodeHeaderExtension(chaincode_id=named).SerializeToString(),
    )
    seconds, nanos = divmod(now_ns or time.time_ns(), 1_000_000_000)
    channel_header.timestamp.seconds, channel_header.timestamp.nanos = seconds, nanos
    header = protos.common.Header(
        channel_header=channel_header.SerializeToString(),
        signature_header=protos.common.SignatureHeader(creator=creator, nonce=nonce).SerializeToString(),
    )
    spec = protos.chaincode.ChaincodeInvocationSpec(
        chaincode_spec=protos.chaincode.ChaincodeSpec(
            chaincode_id=named, input=protos.chaincode.ChaincodeInput(args=[function.encode(), *args])
        )
    )
    payload = protos.proposals.ChaincodeProposalPayload(input=spec.SerializeToString())
    raw = protos.proposals.Proposal(
        header=header.SerializeToString(), payload=payload.SerializeToString()
    ).SerializeToString()
    return Proposal(tx_id, protos.proposals.SignedProposal(proposal_bytes=raw, signature=sign(raw)))


def status_request(creator: bytes, sign: Sign, channel: str, tx_id: str) -> Any:
    """Return the signed question for the commit status of a transaction."""
    raw = protos.gateway.CommitStatusRequest(
        channel_id=channel, transaction_id=tx_id, identity=creator
    ).SerializeToString()
    return protos.gateway.SignedCommitStatusRequest(request=raw, signature=sign(raw))


def parsed(kind: Any, data: bytes, name: str) -> Any:
    """Return the message of a protobuf class in `data`; raises Malformed naming it."""
    try:
        return kind.FromString(data)
    except Exception as error:
        raise Malformed(f"not a {name} ({type(error).__name__})") from None


def exact(kind: Any, data: bytes, name: str) -> Any:
    """Return the message in `data`, whose only encoding it must be, so that no byte of it says nothing."""
    message = parsed(kind, data, name)
    if message.SerializeToString(deterministic=True) != data:
        raise Malformed(f"not the one encoding of a {name}")
    return message
