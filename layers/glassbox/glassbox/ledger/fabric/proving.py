"""Making a proof: the record's block as it is, and what a peer of each organisation signs about its transaction."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

from glassbox.errors import LedgerError
from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import Block
from glassbox.ledger.fabric.channel import QSCC, ChannelReader
from glassbox.ledger.fabric.errors import FabricMisconfigured, FabricUnavailable
from glassbox.ledger.fabric.export import b64, signatures_json
from glassbox.ledger.fabric.gateway import Gateway
from glassbox.ledger.fabric.messages import parsed
from glassbox.ledger.fabric.network import Network

PROOF_FORMAT: Final = "glassbox-fabric-proof/1"


class ProofMaker:
    """Makes proofs from a channel's blocks and the peers' own answers; threads may share it."""

    def __init__(self, network: Network, reader: ChannelReader) -> None:
        self._network = network
        self._reader = reader
        self._lock = threading.Lock()
        self._peers: dict[str, Gateway] = {}

    def proof(
        self, tx_id: str, record: Mapping[str, Any], policy: Mapping[str, Any], *, until: int | None = None
    ) -> dict[str, Any]:
        """Return the proof of a record; `until` names a later block to which its chain of headers is shown.

        Raises FabricUnavailable where a peer of an organisation that has to answer can't be reached.
        """
        place = self._reader.place(tx_id)
        trust = self._network.trust
        return {
            "format": PROOF_FORMAT,
            "channel": trust.channel,
            "chaincode": trust.chaincode,
            "policy": dict(policy),
            "record": dict(record),
            "block": _block_json(place.block),
            "index": place.index,
            "answers": [self._answer(msp_id, tx_id) for msp_id in sorted(trust.organisations)],
            "chain": None if until is None else self._chain(place.block.number, until),
        }

    def close(self) -> None:
        """Close the connections to the peers; may be called more than once."""
        with self._lock:
            peers, self._peers = list(self._peers.values()), {}
        for peer in peers:
            peer.close()

    def _answer(self, msp_id: str, tx_id: str) -> dict[str, Any]:
        """Return what a peer of one organisation signs about a transaction, with the question that it answers."""
        channel = self._network.trust.channel.encode()
        try:
            signed, answer = self._peer(msp_id).process(QSCC, "GetTransactionByID", channel, tx_id.encode())
        except LedgerError as error:
            raise FabricUnavailable(
                f"A proof needs the answer of a peer of {msp_id}: {error.what}",
                stage="evaluate",
                where=error.where,
                fix=error.fix,
            ) from None
        proposal = parsed(protos.proposals.Proposal, signed.proposal_bytes, "proposal")
        header = parsed(protos.common.Header, proposal.header, "header")
        return {
            "channel_header": b64(header.channel_header),
            "signature_header": b64(header.signature_header),
            "question": b64(proposal.payload),
            "answer": b64(answer.payload),
            "endorser": b64(answer.endorsement.endorser),
            "signature": b64(answer.endorsement.signature),
        }

    def _peer(self, msp_id: str) -> Gateway:
        network = self._network
        with self._lock:
            if msp_id not in self._peers:
                endpoint = network.peers.get(msp_id)
                if endpoint is None:
                    raise FabricMisconfigured(
                        f"The connection profile names no peer of {msp_id}, whose answer a proof needs",
                        where="the connection profile",
                        fix=f"Add a peer of {msp_id} to it",
                    )
                self._peers[msp_id] = Gateway(
                    endpoint, network.client, network.trust.channel, deadlines=network.deadlines
                )
            return self._peers[msp_id]

    def _chain(self, number: int, until: int) -> dict[str, Any] | None:
        if until <= number:
            return None
        headers, last = [], None
        for last in self._reader.blocks(number + 1, until):
            headers.append({"previous_hash": last.previous_hash.hex(), "data_hash": last.data_hash.hex()})
        if last is None:
            return None
        return {"headers": headers, "value": b64(last.value), "signatures": signatures_json(last.signatures)}


def _block_json(block: Block) -> dict[str, Any]:
    return {
        "number": block.number,
        "previous_hash": block.previous_hash.hex(),
        "transactions": [b64(one) for one in block.data],
        "value": b64(block.value),
        "signatures": signatures_json(block.signatures),
    }
