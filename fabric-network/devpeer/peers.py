"""One organisation's peer: it checks proposals, runs them on its chaincode process, and signs what came of them."""

from __future__ import annotations

from typing import Any, Final

from devpeer import acl, protos, qscc
from devpeer.config import Config, PeerConfig
from devpeer.faults import Faults
from devpeer.identities import Signer
from devpeer.ledger import Ledger
from devpeer.links import ChaincodeFailed, ChaincodeLink
from devpeer.proposals import BadProposal, Proposal, check, unpack
from devpeer.simulation import Simulation

_ERROR: Final = 500
_THRESHOLD: Final = 400
_DEFINED: Final = (0, 0)
"""The version of the chaincode's definition: it stands in the configuration, since nobody approved it in a block."""


class PeerAway(Exception):
    """A peer that does not answer; the text is that of another peer's connection to it."""


class Peer:
    """Endorser of one organisation."""

    def __init__(self, config: Config, peer: PeerConfig, ledger: Ledger) -> None:
        self.msp_id = peer.msp_id
        self.address = peer.address
        self.ledger = ledger
        self.faults = Faults()
        self.link = ChaincodeLink(peer.chaincode, config.execute_seconds)
        self._config = config
        self._signer = Signer(peer.msp_id, peer.identity)

    async def reached(self, signed: Any) -> Any:
        """Return the ProposalResponse as another peer gets it; raises PeerAway, BadProposal."""
        if self.msp_id in self.faults.peers_away:
            raise PeerAway(
                "rpc error: code = Unavailable desc = connection error: desc = "
                f'"transport: Error while dialing: dial tcp {self.address}: connect: connection refused"'
            )
        return await self.process(signed)

    async def process(self, signed: Any) -> Any:
        """Return the ProposalResponse to a signed proposal; raises BadProposal for one that no peer processes."""
        proposal = unpack(signed)
        if proposal.channel != self._config.channel:
            return _failed(f"channel '{proposal.channel}' not found")
        self._check(proposal)
        if proposal.chaincode == qscc.NAME:
            return self._queried(proposal)
        if proposal.chaincode != self._config.chaincode:
            return _failed(
                f"make sure the chaincode {proposal.chaincode} has been successfully defined on channel "
                f"{proposal.channel} and try again: chaincode {proposal.chaincode} not found"
            )
        return await self._simulated(proposal)

    def _check(self, proposal: Proposal) -> None:
        member = check(proposal, self.ledger.rules.members)
        if self.ledger.place(proposal.tx_id) is not None:
            raise BadProposal(f"duplicate transaction found [{proposal.tx_id}]. Creator [{proposal.creator.hex()}]")
        roles = acl.READERS if proposal.chaincode == qscc.NAME else acl.WRITERS
        try:
            acl.check_role(member, roles, proposal.channel)
        except acl.Forbidden as error:
            raise BadProposal(str(error)) from None

    def _queried(self, proposal: Proposal) -> Any:
        try:
            found = qscc.ask(self.ledger, proposal.channel, proposal.args)
            response = protos.responses.Response(status=200, payload=found)
        except qscc.Unanswered as error:
            response = protos.responses.Response(status=_ERROR, message=str(error))
        return self._endorsed(proposal, response, b"", None, qscc.VERSION)

    async def _simulated(self, proposal: Proposal) -> Any:
        simulation = Simulation(proposal, self.ledger.world)
        self.link.cut = self.msp_id in self.faults.chaincode_away
        if self.link.cut:
            await self.link.close()
        try:
            async with self.ledger.lock.reading():
                response, event = await self.link.run(simulation)
        except ChaincodeFailed as failed:
            return _failed(f"error in simulation: failed to execute transaction {proposal.tx_id}: {failed}")
        if event is not None:
            event.chaincode_id, event.tx_id = proposal.chaincode, proposal.tx_id
        if self.faults.differ(self.msp_id):
            response.message += "x"
        results = simulation.rwset.encoded(proposal.chaincode, _DEFINED)
        return self._endorsed(proposal, response, results, event, self._config.chaincode_version)

    def _endorsed(self, proposal: Proposal, response: Any, results: bytes, event: Any, version: str) -> Any:
        payload = response_payload(proposal, response, results, event, version)
        answer = protos.responses.ProposalResponse
        if response.status >= _ERROR:
            return answer(response=response, payload=payload)
        if response.status >= _THRESHOLD:
            return answer(response=response)
        creator = self._signer.creator
        endorsement = protos.responses.Endorsement(endorser=creator, signature=self._signer.sign(payload + creator))
        return answer(version=1, response=response, payload=payload, endorsement=endorsement)


def _failed(message: str) -> Any:
    """Return a peer's own failure: no payload, unlike a chaincode's answer with status 500."""
    return protos.responses.ProposalResponse(response=protos.responses.Response(status=_ERROR, message=message))


def response_payload(proposal: Proposal, response: Any, results: bytes, event: Any, version: str) -> bytes:
    """Return what the endorsers of a proposal sign, but for their own identity."""
    action = protos.proposals.ChaincodeAction(
        results=results,
        events=b"" if event is None else protos.encoded(event),
        response=response,
        chaincode_id=protos.chaincode.ChaincodeID(name=proposal.chaincode, version=version),
    )
    answer = protos.responses.ProposalResponsePayload(proposal_hash=proposal.hash, extension=protos.encoded(action))
    return protos.encoded(answer)
