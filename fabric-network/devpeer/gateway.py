"""The Gateway service of a peer: it asks endorsers, hands transactions to the orderer, tells what became of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import grpc

from devpeer import acl, protos, qscc
from devpeer.errors import Detail, Refused
from devpeer.events import matching_events
from devpeer.ledger import Ledger
from devpeer.orderer import ADDRESS, Orderer, OrdererAway
from devpeer.peers import Peer, PeerAway
from devpeer.proposals import BadProposal, Proposal, unpack

Code = grpc.StatusCode
_STREAM_ENDED: Final = "chaincode stream terminated"
_SYSTEM: Final = (qscc.NAME,)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endorser gave: a response, or why not and whether another peer may be asked instead."""

    response: Any = None
    code: grpc.StatusCode = Code.OK
    message: str = ""
    retry: bool = False


async def asked(peer: Peer, signed: Any) -> Answer:
    """Return what a peer gives to a proposal, with the code that Fabric's gateway makes of it."""
    try:
        response = await peer.reached(signed)
    except PeerAway as away:
        return Answer(code=Code.UNAVAILABLE, message=str(away), retry=True)
    except BadProposal as bad:
        return Answer(code=Code.FAILED_PRECONDITION, message=str(bad))
    status, text = response.response.status, response.response.message
    if 200 <= status < 400:
        return Answer(response)
    if not response.payload and status == 500:
        return Answer(code=Code.ABORTED, message=text, retry=True)
    return Answer(code=Code.UNKNOWN, message=f"chaincode response {status}, {text}")


class Gateway:
    """The service of one peer."""

    def __init__(self, local: Peer, peers: Mapping[str, Peer], orderer: Orderer, ledger: Ledger) -> None:
        self._local = local
        self._peers = {local.msp_id: local, **peers}
        self._orderer = orderer
        self._ledger = ledger
        self._rules = ledger.rules

    async def evaluate(self, request: Any) -> Any:
        """Return an EvaluateResponse; raises Refused."""
        proposal, transient = self._unpacked(request.proposed_transaction)
        self._demand_channel(proposal.channel)
        targets = list(request.target_organizations) or ([self._local.msp_id] if transient else list(self._peers))
        candidates = [peer for name, peer in self._peers.items() if name in targets]
        if not self._known(proposal.chaincode) or not candidates:
            raise Refused(
                Code.FAILED_PRECONDITION,
                f"no peers available to evaluate chaincode {proposal.chaincode} in channel {proposal.channel}",
            )
        details = []
        code = Code.UNAVAILABLE
        for peer in candidates:
            answer = await asked(peer, request.proposed_transaction)
            if answer.code == Code.OK:
                return protos.gateway.EvaluateResponse(result=answer.response.response)
            details.append(Detail(peer.address, peer.msp_id, answer.message))
            code = answer.code
            if not answer.retry:
                raise Refused(code, "evaluate call to endorser returned error: " + answer.message, details)
        raise Refused(code, "failed to evaluate transaction, see attached details for more info", details)

    async def endorse(self, request: Any) -> Any:
        """Return an EndorseResponse with the unsigned envelope; raises Refused."""
        signed = request.proposed_transaction
        proposal, _ = self._unpacked(signed)
        self._demand_channel(proposal.channel)
        named = list(request.endorsing_organizations)
        if named:
            missing = [name for name in named if name not in self._peers]
            if missing or not self._known(proposal.chaincode):
                names = ", ".join(missing or named)
                raise Refused(Code.UNAVAILABLE, f"failed to find any endorsing peers for org(s): {names}")
            responses, details = await self._collect([self._peers[name] for name in named], signed, None)
            enough = len(responses) == len(named)
        else:
            responses, details = await self._by_policy(proposal, signed)
            enough = self._rules.enough(set(responses))
        if not enough:
            raise Refused(
                Code.ABORTED,
                "failed to collect enough transaction endorsements, see attached details for more info",
                details,
            )
        return protos.gateway.EndorseResponse(
            prepared_transaction=prepared_envelope(proposal, list(responses.values()))
        )

    async def _by_policy(self, proposal: Proposal, signed: Any) -> tuple[dict[str, Any], list[Detail]]:
        """Ask this peer first, then as many others as the policy takes."""
        if not self._known(proposal.chaincode):
            raise Refused(
                Code.FAILED_PRECONDITION,
                "no combination of peers can be derived which satisfy the endorsement policy: "
                f"failed constructing descriptor for chaincode {proposal.chaincode}",
            )
        first = await asked(self._local, signed)
        if first.code != Code.OK:
            detail = Detail(self._local.address, self._local.msp_id, first.message)
            raise Refused(Code.ABORTED, "failed to endorse transaction, see attached details for more info", [detail])
        responses = {self._local.msp_id: first.response}
        details: list[Detail] = []
        others = [peer for name, peer in self._peers.items() if name != self._local.msp_id]
        while others and not self._rules.enough(set(responses)):
            now: list[Peer] = []
            while others and not self._rules.enough({*responses, *(peer.msp_id for peer in now)}):
                now.append(others.pop(0))
            more, failed = await self._collect(now, signed, first.response.payload)
            responses |= more
            details += failed
        return responses, details

    async def _collect(
        self, peers: Sequence[Peer], signed: Any, payload: bytes | None
    ) -> tuple[dict[str, Any], list[Detail]]:
        """Ask peers at once; return the responses by MSP id that equal `payload`, or the first, and the failures."""
        answers = await asyncio.gather(*(asked(peer, signed) for peer in peers))
        responses, details = {}, []
        for peer, answer in zip(peers, answers, strict=True):
            message = answer.message
            if answer.code == Code.OK:
                payload = answer.response.payload if payload is None else payload
                if answer.response.payload == payload:
                    responses[peer.msp_id] = answer.response
                    continue
                message = "ProposalResponsePayloads do not match"
            details.append(Detail(peer.address, peer.msp_id, message))
        return responses, details

    async def submit(self, request: Any) -> Any:
        """Return a SubmitResponse once the orderer took the envelope; raises Refused."""
        envelope = request.prepared_transaction
        if not request.HasField("prepared_transaction"):
            raise Refused(Code.INVALID_ARGUMENT, "a prepared transaction is required")
        if not envelope.signature:
            raise Refused(Code.INVALID_ARGUMENT, "prepared transaction must be signed")
        if request.channel_id != self._rules.channel:
            raise Refused(Code.FAILED_PRECONDITION, f"failed to get config for channel [{request.channel_id}]")
        unavailable = "no orderers could successfully process transaction"
        try:
            status, info = self._orderer.broadcast(envelope)
        except OrdererAway as away:
            raise Refused(Code.UNAVAILABLE, unavailable, [Detail(ADDRESS, "OrdererMSP", str(away))]) from None
        if status == protos.common.SUCCESS:
            return protos.gateway.SubmitResponse()
        name = protos.common.Status.Name(status)
        if 400 <= status < 500:
            raise Refused(Code.ABORTED, f"received unsuccessful response from orderer: status={name}, info={info}")
        raise Refused(Code.UNAVAILABLE, unavailable)

    async def commit_status(self, signed: Any) -> Any:
        """Return a CommitStatusResponse, as soon as the transaction stands in a block; raises Refused."""
        request = _parsed(protos.gateway.CommitStatusRequest, signed.request, "a commit status request is required")
        if not request.identity:
            raise Refused(Code.INVALID_ARGUMENT, "no identity provided")
        if not request.channel_id:
            raise Refused(Code.INVALID_ARGUMENT, "no channel ID provided")
        if not request.transaction_id:
            raise Refused(Code.INVALID_ARGUMENT, "transaction ID should not be empty")
        self._demand_reader(request, signed)
        place = await self._ledger.wait_for(request.transaction_id)
        return protos.gateway.CommitStatusResponse(result=place.code, block_number=place.block)

    async def chaincode_events(self, signed: Any) -> AsyncIterator[Any]:
        """Yield a ChaincodeEventsResponse for each block with events of the chaincode; raises Refused."""
        request = _parsed(
            protos.gateway.ChaincodeEventsRequest, signed.request, "a chaincode events request is required"
        )
        self._demand_reader(request, signed)
        async for response in matching_events(self._ledger, request):
            yield response

    def _demand_reader(self, request: Any, signed: Any) -> None:
        if request.channel_id != self._rules.channel:
            text = f"Failed to get policy manager for channel [{request.channel_id}]"
            raise Refused(Code.PERMISSION_DENIED, text)
        members = self._rules.members
        try:
            acl.check_signed(
                members, request.identity, signed.request, signed.signature, acl.READERS, request.channel_id
            )
        except acl.Forbidden as error:
            raise Refused(Code.PERMISSION_DENIED, str(error)) from None

    def _unpacked(self, signed: Any) -> tuple[Proposal, bool]:
        try:
            proposal = unpack(signed)
            body = protos.proposals.Proposal.FromString(signed.proposal_bytes)
            payload = protos.proposals.ChaincodeProposalPayload.FromString(body.payload)
        except BadProposal as bad:
            raise Refused(Code.INVALID_ARGUMENT, f"failed to unpack transaction proposal: {bad}") from None
        return proposal, bool(payload.TransientMap)

    def _demand_channel(self, name: str) -> None:
        if name != self._rules.channel:
            raise Refused(Code.UNAVAILABLE, f"failed to get config for channel [{name}]: channel not found")

    def _known(self, chaincode: str) -> bool:
        return chaincode == self._rules.chaincode or chaincode in _SYSTEM


def prepared_envelope(proposal: Proposal, responses: Sequence[Any]) -> Any:
    """Return the unsigned envelope of a transaction with these endorsements."""
    action = protos.transactions.ChaincodeEndorsedAction(
        proposal_response_payload=responses[0].payload, endorsements=[one.endorsement for one in responses]
    )
    payload = protos.transactions.ChaincodeActionPayload(chaincode_proposal_payload=proposal.payload, action=action)
    step = protos.transactions.TransactionAction(
        header=proposal.header.signature_header, payload=protos.encoded(payload)
    )
    data = protos.encoded(protos.transactions.Transaction(actions=[step]))
    return protos.common.Envelope(payload=protos.encoded(protos.common.Payload(header=proposal.header, data=data)))


def _parsed(kind: Any, data: bytes, missing: str) -> Any:
    if not data:
        raise Refused(Code.INVALID_ARGUMENT, missing)
    try:
        return kind.FromString(data)
    except protos.DecodeError as error:
        raise Refused(Code.INVALID_ARGUMENT, f"invalid request: {type(error).__name__}") from None
