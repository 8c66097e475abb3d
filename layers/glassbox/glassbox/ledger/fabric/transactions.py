"""Transactions as they stand in blocks: read whole, and checked against the organisations that are trusted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.messages import parsed, transaction_id
from glassbox.ledger.fabric.trust import Trust

Version = tuple[int, int]
"""Number of a block and index in it: where a key was last written."""

LIFECYCLE: Final = "_lifecycle"
"""The namespace that every transaction reads to see which chaincode is committed."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What every entry of a block has: its kind, channel and id, who signed it and when."""

    kind: int
    channel: str
    tx_id: str
    timestamp: int
    """By the submitter's clock, milliseconds since 1970."""
    creator: bytes
    nonce: bytes
    payload: bytes = field(repr=False)
    signature: bytes = field(repr=False)
    channel_header: bytes = field(repr=False)
    signature_header: bytes = field(repr=False)
    data: bytes = field(repr=False)

    @property
    def is_transaction(self) -> bool:
        """Whether it calls a chaincode; the others configure the channel."""
        return self.kind == int(protos.common.ENDORSER_TRANSACTION)


@dataclass(frozen=True, slots=True)
class Call:
    """An endorsed call of a chaincode, with what the peers say it reads and writes."""

    chaincode: str
    args: tuple[bytes, ...]
    status: int
    result: bytes
    event: tuple[str, bytes] | None
    reads: Mapping[str, Version | None]
    """Version of each key that was read; None for a key that did not exist."""
    writes: Mapping[str, bytes]
    plain: bool
    """Whether it touches nothing but keys of its own chaincode, without deletes, ranges or private data."""
    written_spaces: frozenset[str]
    """Chaincodes whose keys it writes."""
    endorsements: tuple[tuple[bytes, bytes], ...]
    """(serialized identity, signature) of each endorser."""
    signed: bytes = field(repr=False)
    """The proposal response payload, which the endorsers sign with their identity."""
    faults: tuple[str, ...] = ()
    """Parts that do not belong together."""


def read_envelope(data: bytes) -> Envelope:
    """Return an entry of a block; raises Malformed."""
    envelope = parsed(protos.common.Envelope, data, "envelope")
    payload = parsed(protos.common.Payload, envelope.payload, "payload")
    header = parsed(protos.common.ChannelHeader, payload.header.channel_header, "channel header")
    signer = parsed(protos.common.SignatureHeader, payload.header.signature_header, "signature header")
    return Envelope(
        kind=int(header.type),
        channel=str(header.channel_id),
        tx_id=str(header.tx_id),
        timestamp=int(header.timestamp.seconds) * 1000 + int(header.timestamp.nanos) // 1_000_000,
        creator=bytes(signer.creator),
        nonce=bytes(signer.nonce),
        payload=bytes(envelope.payload),
        signature=bytes(envelope.signature),
        channel_header=bytes(payload.header.channel_header),
        signature_header=bytes(payload.header.signature_header),
        data=bytes(payload.data),
    )


def read_call(envelope: Envelope) -> Call:
    """Return the call in a transaction; raises Malformed."""
    actions = parsed(protos.transactions.Transaction, envelope.data, "transaction").actions
    if len(actions) != 1:
        raise Malformed(f"a transaction with {len(actions)} actions")
    payload = parsed(protos.transactions.ChaincodeActionPayload, actions[0].payload, "action")
    signed = bytes(payload.action.proposal_response_payload)
    answer = parsed(protos.responses.ProposalResponsePayload, signed, "proposal response")
    action = parsed(protos.proposals.ChaincodeAction, answer.extension, "chaincode action")
    proposed = parsed(protos.proposals.ChaincodeProposalPayload, payload.chaincode_proposal_payload, "proposal")
    spec = parsed(protos.chaincode.ChaincodeInvocationSpec, proposed.input, "invocation").chaincode_spec
    named = parsed(
        protos.proposals.ChaincodeHeaderExtension,
        parsed(protos.common.ChannelHeader, envelope.channel_header, "channel header").extension,
        "header extension",
    ).chaincode_id.name
    faults = []
    whole = envelope.channel_header + envelope.signature_header + payload.chaincode_proposal_payload
    if bytes(answer.proposal_hash) != hashlib.sha256(whole).digest():
        faults.append("the endorsed answer is not one to this proposal")
    if bytes(actions[0].header) != envelope.signature_header:
        faults.append("the action has another signature header than the transaction")
    if len({named, spec.chaincode_id.name, action.chaincode_id.name}) != 1:
        faults.append("proposal and answer name different chaincodes")
    reads, writes, plain, spaces = _effects(action.results, str(named))
    return Call(
        chaincode=str(named),
        args=tuple(bytes(argument) for argument in spec.input.args),
        status=int(action.response.status),
        result=bytes(action.response.payload),
        event=_event(action.events),
        reads=reads,
        writes=writes,
        plain=plain,
        written_spaces=spaces,
        endorsements=tuple((bytes(one.endorser), bytes(one.signature)) for one in payload.action.endorsements),
        signed=signed,
        faults=tuple(faults),
    )


def _event(data: bytes) -> tuple[str, bytes] | None:
    if not data:
        return None
    event = parsed(protos.events.ChaincodeEvent, data, "event")
    return str(event.event_name), bytes(event.payload)


def _effects(
    results: bytes, chaincode: str
) -> tuple[dict[str, Version | None], dict[str, bytes], bool, frozenset[str]]:
    reads: dict[str, Version | None] = {}
    writes: dict[str, bytes] = {}
    spaces, plain = set(), True
    for space in parsed(protos.rwset.TxReadWriteSet, results, "read-write set").ns_rwset:
        found = parsed(protos.kvrwset.KVRWSet, space.rwset, "read-write set")
        plain &= not (space.collection_hashed_rwset or found.range_queries_info or found.metadata_writes)
        if found.writes or space.collection_hashed_rwset:
            spaces.add(str(space.namespace))
        if space.namespace != chaincode:
            plain &= space.namespace == LIFECYCLE and not found.writes
            continue
        for read in found.reads:
            there = read.HasField("version")
            reads[str(read.key)] = (int(read.version.block_num), int(read.version.tx_num)) if there else None
        for write in found.writes:
            plain &= not write.is_delete
            writes[str(write.key)] = bytes(write.value)
    return reads, writes, plain, frozenset(spaces)


def envelope_faults(envelope: Envelope, trust: Trust) -> Iterator[tuple[str, str]]:
    """Yield (code, detail) for what is wrong with a transaction's channel, id and submitter."""
    if envelope.channel != trust.channel:
        yield "transaction", "it belongs to another channel"
    if envelope.tx_id != transaction_id(envelope.nonce, envelope.creator):
        yield "transaction", "its id does not follow from its nonce and its creator"
    try:
        identity, fault = trust.submitter_fault(envelope.creator, envelope.timestamp)
    except Malformed as error:
        yield "submitter", f"the submitter is {error}"
        return
    fault = fault or identity.fault(envelope.signature, envelope.payload)
    if fault:
        yield "submitter", f"{identity.name} as the submitter: {fault}"


def endorsement_faults(envelope: Envelope, call: Call, trust: Trust) -> Iterator[tuple[str, str]]:
    """Yield (code, detail) for what is wrong with a call's endorsements under the policy that is trusted."""
    for mismatch in call.faults:
        yield "transaction", mismatch
    good: set[str] = set()
    seen: set[bytes] = set()
    for number, (endorser, signature) in enumerate(call.endorsements):
        try:
            identity, fault = trust.peer_fault(endorser, envelope.timestamp)
        except Malformed as error:
            yield "endorsement", f"endorsement {number} is of {error}"
            continue
        if endorser in seen:
            fault = "it endorsed twice"
        fault = fault or identity.fault(signature, call.signed + endorser)
        seen.add(endorser)
        if fault:
            yield "endorsement", f"endorsement {number} by {identity.name}: {fault}"
        else:
            good.add(identity.msp_id)
    if not trust.endorsed(good):
        names = ", ".join(sorted(good)) or "nobody"
        yield (
            "endorsement",
            f"the policy ({trust.endorsement} of {len(trust.organisations)} organisations) is not met: "
            f"sound endorsements are of {names}",
        )
