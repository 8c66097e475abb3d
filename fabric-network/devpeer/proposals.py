"""Signed proposals: taken apart and checked as a peer's endorser checks them, with its words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from devpeer import protos
from devpeer.identities import Denied, Member, Members


class BadProposal(Exception):
    """A proposal that no peer processes; the text is the peer's."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One call of a chaincode as its client signed it."""

    signed: Any
    channel: str
    tx_id: str
    kind: int
    epoch: int
    timestamp: Any
    """protobuf Timestamp by the client's clock."""
    creator: bytes
    nonce: bytes
    chaincode: str
    input: Any
    """ChaincodeInput."""
    payload: bytes
    """The ChaincodeProposalPayload without its transient map."""
    header: Any
    """common.Header."""

    @property
    def hash(self) -> bytes:
        """What the endorsers sign of it: both headers and the payload without transient data."""
        return proposal_hash(self.header.channel_header, self.header.signature_header, self.payload)

    @property
    def args(self) -> list[bytes]:
        """Function and arguments."""
        return list(self.input.args)


def proposal_hash(channel_header: bytes, signature_header: bytes, payload: bytes) -> bytes:
    """Return the SHA-256 over the parts of a proposal that go into its transaction."""
    return hashlib.sha256(channel_header + signature_header + payload).digest()


def transaction_id(nonce: bytes, creator: bytes) -> str:
    """Return the id that a transaction must have, 64 hex digits."""
    return hashlib.sha256(nonce + creator).hexdigest()


def unpack(signed: Any) -> Proposal:
    """Return a signed proposal's parts; raises BadProposal."""
    if not signed.proposal_bytes:
        raise BadProposal("a signed proposal is required")
    try:
        proposal = protos.proposals.Proposal.FromString(signed.proposal_bytes)
        header = protos.common.Header.FromString(proposal.header)
        channel = protos.common.ChannelHeader.FromString(header.channel_header)
        signer = protos.common.SignatureHeader.FromString(header.signature_header)
        extension = protos.proposals.ChaincodeHeaderExtension.FromString(channel.extension)
        payload = protos.proposals.ChaincodeProposalPayload.FromString(proposal.payload)
        spec = protos.chaincode.ChaincodeInvocationSpec.FromString(payload.input).chaincode_spec
    except protos.DecodeError as error:
        raise BadProposal(f"error unmarshalling: {type(error).__name__}") from None
    if not channel.channel_id:
        raise BadProposal("no channel id provided")
    if not extension.chaincode_id.name:
        raise BadProposal("ChaincodeHeaderExtension.ChaincodeId.Name is empty")
    if not spec.HasField("input"):
        raise BadProposal("chaincode input did not contain any input")
    return Proposal(
        signed=signed,
        channel=str(channel.channel_id),
        tx_id=str(channel.tx_id),
        kind=int(channel.type),
        epoch=int(channel.epoch),
        timestamp=channel.timestamp,
        creator=bytes(signer.creator),
        nonce=bytes(signer.nonce),
        chaincode=str(extension.chaincode_id.name),
        input=spec.input,
        payload=protos.encoded(protos.proposals.ChaincodeProposalPayload(input=payload.input)),
        header=header,
    )


def check(proposal: Proposal, members: Members) -> Member:
    """Return who made a proposal; raises BadProposal for one that is not in order or not theirs."""
    fault = _fault(proposal)
    if fault:
        raise BadProposal(f"error validating proposal: {fault}")
    where = f"access denied: channel [{proposal.channel}]"
    try:
        return members.signed(proposal.creator, proposal.signed.proposal_bytes, proposal.signed.signature)
    except Denied as denied:
        who = f"creator org [{denied.msp_id}]" if denied.msp_id else "creator org unknown, creator is malformed"
        raise BadProposal(f"error validating proposal: {where} {who}") from None


def _fault(proposal: Proposal) -> str:
    if proposal.kind not in (protos.common.ENDORSER_TRANSACTION, protos.common.CONFIG):
        return f"invalid header type {proposal.kind}"
    if proposal.epoch != 0:
        return "epoch is non-zero"
    if not proposal.nonce:
        return "nonce is empty"
    if not proposal.creator:
        return "creator is empty"
    expected = transaction_id(proposal.nonce, proposal.creator)
    if proposal.tx_id != expected:
        return f"incorrectly computed txid '{proposal.tx_id}' -- expected '{expected}'"
    if not proposal.signed.signature:
        return "empty signature bytes"
    return ""
