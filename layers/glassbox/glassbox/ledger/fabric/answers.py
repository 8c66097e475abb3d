"""The peers' signed answers to the question what became of a transaction: codes stand in no orderer's signature."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.channel import QSCC
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.gateway import code_name
from glassbox.ledger.fabric.messages import exact, parsed
from glassbox.ledger.fabric.proof_parts import octets
from glassbox.ledger.fabric.trust import Trust
from glassbox_contract import checks

FIELDS: Final = ("channel_header", "signature_header", "question", "answer", "endorser", "signature")
_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """One peer's answer, with the question as it was put."""

    channel_header: bytes
    signature_header: bytes
    question: bytes
    answer: bytes
    endorser: bytes
    signature: bytes


def read_answers(value: Any, path: str) -> tuple[Answer, ...]:
    """Return the answers of a proof; raises ContractError naming the place."""
    found = []
    for at, item in enumerate(checks.listing(value, path, _MOST)):
        raw = checks.fields(item, FIELDS, f"{path}/{at}")
        found.append(Answer(**{name: octets(raw[name], f"{path}/{at}/{name}") for name in FIELDS}))
    return tuple(found)


def answer_faults(
    answers: tuple[Answer, ...], trust: Trust, tx_id: str, envelope: bytes, at: int
) -> Iterator[tuple[str, str, str]]:
    """Yield (code, path, detail) for what keeps the answers from saying that a transaction was found valid."""
    good: list[str] = []
    for number, one in enumerate(answers):
        path = f"/answers/{number}"
        try:
            identity, fault = trust.peer_fault(one.endorser, at)
            fault = fault or identity.fault(one.signature, one.answer + one.endorser)
        except Malformed as error:
            yield "answer", f"{path}/endorser", str(error)
            continue
        if fault:
            yield "answer", path, f"the answer of {identity.name}: {fault}"
            continue
        if good and identity.msp_id <= good[-1]:
            yield "answer", path, "answers must be sorted by organisation, each once"
        good.append(identity.msp_id)
        for where, detail in _content_faults(one, trust.channel, tx_id, envelope):
            yield "answer", f"{path}{where}", f"the answer of {identity.name}: {detail}"
    missing = sorted(trust.organisations.keys() - set(good))
    if missing:
        yield "answer", "/answers", f"there is no sound answer of a peer of {', '.join(missing)}"


def _content_faults(one: Answer, channel: str, tx_id: str, envelope: bytes) -> Iterator[tuple[str, str]]:
    try:
        asked = _asked(one)
        response = parsed(protos.responses.ProposalResponsePayload, one.answer, "proposal response")
        action = parsed(protos.proposals.ChaincodeAction, response.extension, "chaincode action")
        told = parsed(protos.transactions.ProcessedTransaction, action.response.payload, "processed transaction")
        standing = told.transactionEnvelope.SerializeToString(deterministic=True)
    except Malformed as error:
        yield "", str(error)
        return
    whole = one.channel_header + one.signature_header + one.question
    if bytes(response.proposal_hash) != hashlib.sha256(whole).digest():
        yield "/question", "it is not an answer to this question"
    if asked != (channel, QSCC, (b"GetTransactionByID", channel.encode(), tx_id.encode())):
        yield "/question", "the question is not what became of this transaction on this channel"
    if action.chaincode_id.name != QSCC or action.response.status != 200:
        yield "/answer", "it does not come from the peer's query chaincode"
    if told.validationCode != int(protos.transactions.VALID):
        yield "/answer", f"the peer found the transaction {code_name(told.validationCode)}"
    if standing != envelope:
        yield "/answer", "the peer holds another transaction under this id"


def _asked(one: Answer) -> tuple[str, str, tuple[bytes, ...]]:
    """Return (channel, chaincode, arguments) of the question; raises Malformed unless it has one reading only."""
    header = exact(protos.common.ChannelHeader, one.channel_header, "channel header")
    exact(protos.common.SignatureHeader, one.signature_header, "signature header")
    question = exact(protos.proposals.ChaincodeProposalPayload, one.question, "question")
    extension = exact(protos.proposals.ChaincodeHeaderExtension, header.extension, "header extension")
    spec = exact(protos.chaincode.ChaincodeInvocationSpec, question.input, "invocation").chaincode_spec
    if extension.chaincode_id.name != spec.chaincode_id.name:
        raise Malformed("the question names two chaincodes")
    return str(header.channel_id), str(spec.chaincode_id.name), tuple(bytes(arg) for arg in spec.input.args)
