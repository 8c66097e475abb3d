"""What peers of Fabric said on the wire, byte for byte, and what the development peer says in their place.

The recordings were made by `tests/fabric/record.py`; no byte of them is made up.
"""

from __future__ import annotations

import asyncio
import base64
import json
import lzma
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.unit.devpeer.support import ROOT, add_to_path

add_to_path()

from devpeer import blocks, protos, qscc  # noqa: E402
from devpeer.config import Authorities  # noqa: E402
from devpeer.errors import Detail, status_bytes  # noqa: E402
from devpeer.gateway import prepared_envelope  # noqa: E402
from devpeer.identities import Members  # noqa: E402
from devpeer.ledger import Ledger  # noqa: E402
from devpeer.links import transaction_message  # noqa: E402
from devpeer.peers import response_payload  # noqa: E402
from devpeer.proposals import Proposal, check, unpack  # noqa: E402
from devpeer.rwset import LIFECYCLE  # noqa: E402
from devpeer.simulation import Simulation  # noqa: E402
from devpeer.store import BlockStore  # noqa: E402
from devpeer.validation import Rules  # noqa: E402

RECORDINGS = sorted((ROOT / "tests" / "fixtures" / "fabric").glob("*.json.xz"))
M = protos.shim.ChaincodeMessage


def octets(text: str) -> bytes:
    return base64.b64decode(text)


@dataclass
class Exchange:
    """What peer and chaincode said to each other for one transaction, after its beginning."""

    begun: Any
    said: list[tuple[Any, Any]] = field(default_factory=list)
    """(the chaincode's request, the peer's answer)."""
    completed: Any = None


class Recording:
    """One network's recording."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.raw: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))
        self.calls: list[dict[str, Any]] = self.raw["calls"]
        self._folder = folder
        self.members = Members(self._authorities("organisations"))
        self.orderers = Members(self._authorities("orderers"))
        self.rules = Rules(self.raw["channel"], self.raw["chaincode"], "majority", self.members)

    def _authorities(self, group: str) -> dict[str, Authorities]:
        return {
            name: Authorities(tuple(pem.encode() for pem in one["roots"]))
            for name, one in self.raw["trust"][group].items()
        }

    @cached_property
    def blocks(self) -> list[Any]:
        return [protos.common.Block.FromString(octets(one)) for one in self.raw["blocks"]]

    def ledger(self, height: int) -> Ledger:
        """Return a ledger of the development peer with the first blocks of the recording."""
        folder = self._folder / f"{height}-{time.monotonic_ns()}"
        store = BlockStore(folder)
        for one in self.raw["blocks"][:height]:
            store.append(octets(one))
        return Ledger(store, self.rules, self.blocks[0])

    @cached_property
    def exchanges(self) -> dict[str, Exchange]:
        found: dict[str, Exchange] = {}
        asked: dict[str, Any] = {}
        for line in self.raw["messages"]:
            message = M.FromString(octets(line["data"]))
            if message.type == M.TRANSACTION:
                found[message.txid] = Exchange(message)
            elif message.type == M.COMPLETED:
                found[message.txid].completed = message
            elif line["from"] == "chaincode" and message.txid:
                asked[message.txid] = message
            elif message.txid:
                found[message.txid].said.append((asked.pop(message.txid), message))
        return found

    def proposal(self, call: dict[str, Any]) -> Proposal:
        return unpack(protos.proposals.SignedProposal.FromString(octets(call["proposal"])))


@pytest.fixture(scope="module", params=RECORDINGS, ids=lambda path: path.name.removesuffix(".json.xz"))
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A recording of one version of Fabric."""
    return Recording(request.param, tmp_path_factory.mktemp("recorded"))


@pytest.fixture
def closing() -> Iterator[list[Ledger]]:
    """Ledgers to close after a test."""
    found: list[Ledger] = []
    yield found
    for one in found:
        asyncio.run(one.close())


def test_there_are_recordings_of_both_supported_versions() -> None:
    versions = [json.loads(lzma.decompress(path.read_bytes()))["runs_on"] for path in RECORDINGS]
    assert [one[:22] for one in versions] == ["Hyperledger Fabric v2.", "Hyperledger Fabric v3."]


def test_headers_and_data_hash_as_in_fabric(recorded: Recording) -> None:
    before = b""
    for block in recorded.blocks:
        assert block.header.previous_hash == before
        assert block.header.data_hash == blocks.data_hash(block.data.data)
        before = blocks.header_hash(block.header)


def test_fabric_s_orderer_signs_what_ours_signs(recorded: Recording) -> None:
    for block in recorded.blocks[1:]:
        signed = protos.common.Metadata.FromString(block.metadata.metadata[blocks.SIGNATURES])
        [one] = signed.signatures
        creator = protos.common.SignatureHeader.FromString(one.signature_header).creator
        header = blocks.header_bytes(block.header.number, block.header.previous_hash, block.header.data_hash)
        member = recorded.orderers.signed(creator, signed.value + one.signature_header + header, one.signature)
        assert member.role == "orderer"


def test_fabric_s_transactions_get_fabric_s_codes(recorded: Recording, closing: list[Ledger]) -> None:
    seen: set[str] = set()
    for number, block in enumerate(recorded.blocks):
        names = [_chaincode_of(data) for data in block.data.data]
        if set(names) != {recorded.raw["chaincode"]}:
            continue
        ledger = recorded.ledger(number)
        closing.append(ledger)
        ours = protos.common.Block.FromString(block.SerializeToString())
        ledger.judged(ours)
        assert ours.metadata.metadata[blocks.CODES] == block.metadata.metadata[blocks.CODES]
        seen.update(protos.code_name(code) for code in block.metadata.metadata[blocks.CODES])
    assert seen == {"VALID", "MVCC_READ_CONFLICT", "DUPLICATE_TXID", "ENDORSEMENT_POLICY_FAILURE"}


def _chaincode_of(data: bytes) -> str:
    payload = protos.common.Payload.FromString(protos.common.Envelope.FromString(data).payload)
    channel = protos.common.ChannelHeader.FromString(payload.header.channel_header)
    return str(protos.proposals.ChaincodeHeaderExtension.FromString(channel.extension).chaincode_id.name)


def test_every_recorded_proposal_is_in_order(recorded: Recording) -> None:
    for call in [*recorded.calls, *recorded.raw["answers"]]:
        assert check(recorded.proposal(call), recorded.members).msp_id == "EvaluatorMSP"


def test_a_transaction_begins_with_the_same_message(recorded: Recording) -> None:
    begun = 0
    for call in recorded.calls:
        exchange = recorded.exchanges.get(call["tx_id"])
        if exchange is not None:
            assert transaction_message(recorded.proposal(call)) == exchange.begun
            begun += 1
    assert begun > 10


def test_the_chaincode_gets_the_same_answers_and_the_transaction_the_same_bytes(
    recorded: Recording, closing: list[Ledger]
) -> None:
    answered: set[str] = set()
    for call in recorded.calls:
        exchange = recorded.exchanges.get(call["tx_id"])
        if exchange is None:
            continue
        ledger = recorded.ledger(call["height"])
        closing.append(ledger)
        proposal = recorded.proposal(call)
        simulation = Simulation(proposal, ledger.world)
        named: dict[str, str] = {}
        for request, answer in exchange.said:
            ours = simulation.answer(_renamed_request(request, named))
            assert _renamed(ours, answer, named) == answer
            answered.add(M.Type.Name(request.type))
        if call["method"] == "Endorse" and "answer" in call:
            _check_endorsed(call, proposal, simulation, exchange)
    assert answered == {"GET_STATE", "PUT_STATE", "GET_STATE_BY_RANGE", "GET_HISTORY_FOR_KEY"}


def _check_endorsed(call: dict[str, Any], proposal: Proposal, simulation: Simulation, exchange: Exchange) -> None:
    """Assert that the endorsed bytes and the envelope are those that the development peer makes."""
    theirs = protos.gateway.EndorseResponse.FromString(octets(call["answer"])).prepared_transaction
    payload = protos.common.Payload.FromString(theirs.payload)
    actions = protos.transactions.Transaction.FromString(payload.data).actions
    body = protos.transactions.ChaincodeActionPayload.FromString(actions[0].payload)
    signed = body.action.proposal_response_payload
    answer = protos.responses.ProposalResponsePayload.FromString(signed)
    action = protos.proposals.ChaincodeAction.FromString(answer.extension)
    response = protos.responses.Response.FromString(exchange.completed.payload)
    event = exchange.completed.chaincode_event if exchange.completed.HasField("chaincode_event") else None
    if event is not None:
        event.chaincode_id, event.tx_id = proposal.chaincode, proposal.tx_id
    results = simulation.rwset.encoded(proposal.chaincode, _definition(action.results))
    assert results == action.results
    assert response_payload(proposal, response, results, event, "1.0") == signed
    responses = [protos.responses.ProposalResponse(payload=signed, endorsement=one) for one in body.action.endorsements]
    assert prepared_envelope(proposal, responses) == theirs


def _definition(results: bytes) -> tuple[int, int]:
    """Return the version under which the chaincode's definition was read."""
    spaces = protos.rwset.TxReadWriteSet.FromString(results).ns_rwset
    [space] = [one for one in spaces if one.namespace == LIFECYCLE]
    [read] = protos.kvrwset.KVRWSet.FromString(space.rwset).reads
    return int(read.version.block_num), int(read.version.tx_num)


def _renamed(ours: Any, theirs: Any, named: dict[str, str]) -> Any:
    """Return our answer with the name of their iterator, which each peer makes up."""
    if not theirs.payload or ours.payload == theirs.payload:
        return ours
    try:
        mine = protos.shim.QueryResponse.FromString(ours.payload)
        other = protos.shim.QueryResponse.FromString(theirs.payload)
    except protos.DecodeError:
        return ours
    named[other.id] = mine.id
    mine.id = other.id
    ours.payload = protos.encoded(mine)
    return ours


def _renamed_request(request: Any, named: dict[str, str]) -> Any:
    if request.type not in (M.QUERY_STATE_NEXT, M.QUERY_STATE_CLOSE):
        return request
    kind = protos.shim.QueryStateNext if request.type == M.QUERY_STATE_NEXT else protos.shim.QueryStateClose
    body = kind(id=named[kind.FromString(request.payload).id])
    return M(type=request.type, payload=protos.encoded(body), txid=request.txid, channel_id=request.channel_id)


def test_failures_are_encoded_as_fabric_encodes_them(recorded: Recording) -> None:
    with_details = 0
    for call in recorded.calls:
        failure = call.get("failure")
        if failure is None or not failure["status"]:
            continue
        raw = octets(failure["status"])
        details = _details(raw)
        assert status_bytes(failure["code"], failure["text"], details) == raw
        with_details += bool(details)
    assert with_details >= 5


def _details(raw: bytes) -> list[Detail]:
    from glassbox.ledger.fabric.failures import status_details

    return [Detail(*one) for one in status_details(raw)]


def test_the_query_chaincode_answers_with_the_same_bytes(recorded: Recording, closing: list[Ledger]) -> None:
    ledger = recorded.ledger(len(recorded.blocks))
    closing.append(ledger)
    for one in recorded.raw["answers"]:
        proposal = unpack(protos.proposals.SignedProposal.FromString(octets(one["proposal"])))
        theirs = protos.responses.ProposalResponse.FromString(octets(one["response"]))
        found = qscc.ask(ledger, recorded.raw["channel"], proposal.args)
        assert found == theirs.response.payload
        response = protos.responses.Response(status=200, payload=found)
        assert response_payload(proposal, response, b"", None, qscc.VERSION) == theirs.payload
        member = recorded.members.signed(
            theirs.endorsement.endorser, theirs.payload + theirs.endorsement.endorser, theirs.endorsement.signature
        )
        assert (member.msp_id, member.role) == (one["peer"], "peer")
