"""What a network answers to calls that can't succeed: gRPC code, text and details, as the client decides from them."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from glassbox.errors import LedgerError
from glassbox.ledger.fabric import failures, protos
from glassbox.ledger.fabric.errors import CommitUnknown, FabricMisconfigured, FabricUnavailable
from glassbox.ledger.fabric.gateway import Endpoint, Gateway
from glassbox.ledger.fabric.messages import Proposal, proposal, status_request
from glassbox_contract import canonical_bytes
from tests.fabric.stage import CHAINCODE, CHANNEL, DEFAULT, Cards, Stage
from tests.unit.ledger_fabric.authorities import Authority, Member

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Raw:
    """Calls of a peer's services with messages that may be wrong."""

    def __init__(self, stage: Stage, via: str = "EvaluatorMSP") -> None:
        self.client = stage.evaluator.client
        self.creator = protos.identities.SerializedIdentity(
            mspid=self.client.msp_id, id_bytes=self.client.certificate
        ).SerializeToString()
        self.channel = stage.evaluator.peers[via].channel()
        self.gateway = protos.gateway_grpc.GatewayStub(self.channel)
        self.endorser = protos.peer_grpc.EndorserStub(self.channel)

    def sent(self, function: str, *args: bytes, sign: Any = None, **named: Any) -> Proposal:
        """Return a proposal of the client."""
        channel, chaincode = named.get("channel", CHANNEL), named.get("chaincode", CHAINCODE)
        creator = named.get("creator", self.creator)
        return proposal(creator, sign or self.client.sign, channel, chaincode, function, args)

    def evaluate(self, one: Proposal) -> failures.Failure:
        """Return how an evaluation fails."""
        request = protos.gateway.EvaluateRequest(
            transaction_id=one.tx_id, channel_id=CHANNEL, proposed_transaction=one.signed
        )
        return failed(lambda: self.gateway.Evaluate(request, timeout=20), "evaluate")

    def endorse(self, one: Proposal, organisations: tuple[str, ...] = ()) -> Any:
        """Return an EndorseResponse, or how it fails."""
        request = protos.gateway.EndorseRequest(
            transaction_id=one.tx_id,
            channel_id=CHANNEL,
            proposed_transaction=one.signed,
            endorsing_organizations=organisations,
        )
        return failed(lambda: self.gateway.Endorse(request, timeout=40), "endorse", or_answer=True)

    def submit(self, envelope: Any, channel: str = CHANNEL) -> failures.Failure:
        """Return how a submission fails."""
        request = protos.gateway.SubmitRequest(channel_id=channel, prepared_transaction=envelope)
        return failed(lambda: self.gateway.Submit(request, timeout=20), "submit")


def failed(call: Callable[[], Any], stage: str, *, or_answer: bool = False) -> Any:
    try:
        answer = call()
    except grpc.RpcError as error:
        return failures.failure(stage, "", error)
    assert or_answer, "it succeeded"
    return answer


@pytest.fixture
def raw(stage: Stage) -> Any:
    """Calls of the Evaluator's peer."""
    found = Raw(stage)
    yield found
    found.channel.close()


def high(member: Any) -> Callable[[bytes], bytes]:
    """Return a signer whose signatures have the S that Fabric refuses."""
    key = load_pem_private_key(member, None) if isinstance(member, bytes) else member
    assert isinstance(key, ec.EllipticCurvePrivateKey)

    def sign(message: bytes) -> bytes:
        r, s = decode_dss_signature(key.sign(message, ec.ECDSA(SHA256())))
        return encode_dss_signature(r, max(s, P256_ORDER - s))

    return sign


def test_a_refused_question_carries_the_contract_s_words(raw: Raw) -> None:
    found = raw.evaluate(raw.sent("GetScorecard", str(uuid.uuid4()).encode()))
    assert found.code == "UNKNOWN"
    assert found.text.startswith("evaluate call to endorser returned error: chaincode response 404, NOTFOUND: ")
    assert [msp for _, msp, _ in found.details] == ["EvaluatorMSP"]


def test_a_refused_transaction_is_aborted_with_the_words_in_its_details_only(raw: Raw) -> None:
    found = raw.endorse(raw.sent("CommitScorecard", b"{}"))
    assert (found.code, found.text) == (
        "ABORTED",
        "failed to endorse transaction, see attached details for more info",
    )
    [(address, msp, message)] = found.details
    assert (msp, message[:36]) == ("EvaluatorMSP", "chaincode response 400, INCOMPLETE: ")
    assert ":" in address


def test_unknown_chaincodes_and_channels_are_no_passing_faults(raw: Raw, stage: Stage) -> None:
    one = raw.sent("GetSchema", chaincode="nothing")
    assert (raw.evaluate(one).code, raw.endorse(one).code) == ("FAILED_PRECONDITION", "FAILED_PRECONDITION")
    assert raw.endorse(one).says("no combination of peers can be derived which satisfy the endorsement policy")
    elsewhere = raw.evaluate(raw.sent("GetSchema", channel="elsewhere"))
    assert elsewhere.code == "UNAVAILABLE"
    assert elsewhere.says("failed to get config for channel [elsewhere]")
    with pytest.raises(FabricMisconfigured):
        stage.gateway(channel="elsewhere").evaluate(CHAINCODE, "GetSchema")


def test_only_signatures_with_the_low_s_are_taken(raw: Raw, stage: Stage) -> None:
    key = stage.evaluator.client._key  # type: ignore[attr-defined]
    found = raw.evaluate(raw.sent("GetSchema", sign=high(key)))
    assert found.code == "FAILED_PRECONDITION"
    assert found.says("error validating proposal: access denied: channel [scorecards] creator org [EvaluatorMSP]")


def test_a_signature_of_something_else_is_refused(raw: Raw) -> None:
    found = raw.evaluate(raw.sent("GetSchema", sign=lambda message: raw.client.sign(message + b"x")))
    assert (found.code, found.says("access denied")) == ("FAILED_PRECONDITION", True)
    found = raw.endorse(raw.sent("GetSchema", sign=lambda message: raw.client.sign(message + b"x")))
    assert (found.code, found.says("access denied")) == ("ABORTED", True)
    assert not failures.typed(found, "").retryable


def stranger(msp_id: str, role: str = "client") -> Member:
    """Return a member of an organisation of that name which nobody knows."""
    return Authority(msp_id).member(role)


def test_identities_of_other_authorities_are_refused(raw: Raw) -> None:
    for who in (stranger("EvaluatorMSP"), stranger("OtherMSP")):
        found = raw.evaluate(raw.sent("GetSchema", sign=who.signer.sign, creator=who.creator))
        assert found.code == "FAILED_PRECONDITION"
        assert found.says("access denied: channel [scorecards] creator org unknown, creator is malformed")


def test_a_transaction_id_has_to_follow_from_its_nonce(raw: Raw) -> None:
    one = raw.sent("GetSchema")
    body = protos.proposals.Proposal.FromString(one.signed.proposal_bytes)
    header = protos.common.Header.FromString(body.header)
    channel = protos.common.ChannelHeader.FromString(header.channel_header)
    channel.tx_id = "0" * 64
    header.channel_header = channel.SerializeToString()
    body.header = header.SerializeToString()
    data = body.SerializeToString()
    signed = protos.proposals.SignedProposal(proposal_bytes=data, signature=raw.client.sign(data))
    found = raw.evaluate(Proposal("0" * 64, signed))
    assert (found.code, found.says("incorrectly computed txid")) == ("FAILED_PRECONDITION", True)


def test_proposals_that_can_t_be_read_are_invalid_arguments(raw: Raw) -> None:
    for data in (b"", b"\xff\xff\xff"):
        one = Proposal("", protos.proposals.SignedProposal(proposal_bytes=data, signature=b"x"))
        assert raw.evaluate(one).code == "INVALID_ARGUMENT"
        assert raw.endorse(one).code == "INVALID_ARGUMENT"


def committed(raw: Raw, envelope: Any, tx_id: str) -> str:
    request = protos.gateway.SubmitRequest(transaction_id=tx_id, channel_id=CHANNEL, prepared_transaction=envelope)
    for _ in range(100):
        try:
            raw.gateway.Submit(request, timeout=20)
            break
        except grpc.RpcError as error:
            # An orderer that was just started takes nothing until it leads.
            assert failures.failure("submit", tx_id, error).says("no orderers could successfully process")
            time.sleep(0.2)
    status = status_request(raw.creator, raw.client.sign, CHANNEL, tx_id)
    found = raw.gateway.CommitStatus(status, timeout=30)
    assert found.block_number > 0
    return str(protos.transactions.TxValidationCode.Name(found.result))


def test_an_endorsement_of_one_organisation_is_found_too_few_in_the_block(raw: Raw, cards: Cards) -> None:
    one = raw.sent("CommitScorecard", canonical_bytes(cards.one()))
    envelope = raw.endorse(one, ("EvaluatorMSP",)).prepared_transaction
    envelope.signature = raw.client.sign(envelope.payload)
    assert committed(raw, envelope, one.tx_id) == "ENDORSEMENT_POLICY_FAILURE"


def test_endorsements_of_both_organisations_are_enough_when_they_are_named(raw: Raw, cards: Cards) -> None:
    one = raw.sent("CommitScorecard", canonical_bytes(cards.one()))
    envelope = raw.endorse(one, ("AuditorMSP", "EvaluatorMSP")).prepared_transaction
    envelope.signature = raw.client.sign(envelope.payload)
    assert committed(raw, envelope, one.tx_id) == "VALID"
    nobody = raw.endorse(raw.sent("GetSchema"), ("NobodyMSP",))
    assert (nobody.code, nobody.says("failed to find any endorsing peers for org(s): NobodyMSP")) == (
        "UNAVAILABLE",
        True,
    )


def test_an_envelope_that_was_changed_after_its_signature_is_not_ordered(raw: Raw, cards: Cards) -> None:
    envelope = raw.endorse(raw.sent("CommitScorecard", canonical_bytes(cards.one()))).prepared_transaction
    assert raw.submit(envelope).code == "INVALID_ARGUMENT"
    envelope.signature = raw.client.sign(envelope.payload + b"x")
    found = raw.submit(envelope)
    assert found.code == "ABORTED"
    assert found.says("received unsuccessful response from orderer: status=FORBIDDEN")


def test_an_answer_that_is_not_the_endorsed_one_is_found_in_the_block(raw: Raw, cards: Cards) -> None:
    one = raw.sent("CommitScorecard", canonical_bytes(cards.one()))
    envelope = raw.endorse(one).prepared_transaction
    payload = protos.common.Payload.FromString(envelope.payload)
    transaction = protos.transactions.Transaction.FromString(payload.data)
    body = protos.transactions.ChaincodeActionPayload.FromString(transaction.actions[0].payload)
    answer = protos.responses.ProposalResponsePayload.FromString(body.action.proposal_response_payload)
    action = protos.proposals.ChaincodeAction.FromString(answer.extension)
    action.response.message = "changed"
    answer.extension = action.SerializeToString()
    body.action.proposal_response_payload = answer.SerializeToString()
    transaction.actions[0].payload = body.SerializeToString()
    payload.data = transaction.SerializeToString()
    envelope.payload = payload.SerializeToString()
    envelope.signature = raw.client.sign(envelope.payload)
    assert committed(raw, envelope, one.tx_id) == "ENDORSEMENT_POLICY_FAILURE"


def test_a_proposal_that_was_carried_through_is_not_processed_again(raw: Raw, cards: Cards) -> None:
    one = raw.sent("CommitScorecard", canonical_bytes(cards.one()))
    envelope = raw.endorse(one).prepared_transaction
    envelope.signature = raw.client.sign(envelope.payload)
    assert committed(raw, envelope, one.tx_id) == "VALID"
    found = raw.endorse(one)
    assert (found.code, found.says(f"duplicate transaction found [{one.tx_id}]")) == ("ABORTED", True)


def test_the_status_of_a_transaction_that_never_comes_is_waited_for(raw: Raw) -> None:
    request = status_request(raw.creator, raw.client.sign, CHANNEL, "00" * 32)
    found = failed(lambda: raw.gateway.CommitStatus(request, timeout=0.5), "commit-status")
    # Either side may notice the deadline first.
    assert found.code in ("DEADLINE_EXCEEDED", "CANCELLED")
    assert isinstance(failures.typed(found, ""), CommitUnknown)


def test_only_readers_of_the_channel_learn_what_became_of_a_transaction(raw: Raw) -> None:
    who = stranger("EvaluatorMSP")
    request = status_request(who.creator, who.signer.sign, CHANNEL, "00" * 32)
    found = failed(lambda: raw.gateway.CommitStatus(request, timeout=5), "commit-status")
    assert found.code == "PERMISSION_DENIED"
    unknown = status_request(raw.creator, raw.client.sign, "elsewhere", "00" * 32)
    found = failed(lambda: raw.gateway.CommitStatus(unknown, timeout=5), "commit-status")
    assert found.code == "PERMISSION_DENIED"


def test_the_query_chaincode_names_what_it_has_not(raw: Raw) -> None:
    tx_id = b"00" * 32
    found = raw.evaluate(raw.sent("GetTransactionByID", CHANNEL.encode(), tx_id, chaincode="qscc"))
    assert found.says(f"no such transaction ID [{tx_id.decode()}] in index")
    found = raw.evaluate(raw.sent("GetBlockByNumber", CHANNEL.encode(), b"123456", chaincode="qscc"))
    assert found.says("no such block number [123456] in index")


@pytest.mark.parametrize("via", ["EvaluatorMSP", "AuditorMSP"])
def test_each_peer_signs_its_own_answers(stage: Stage, via: str) -> None:
    raw = Raw(stage, via)
    one = raw.sent("GetChainInfo", CHANNEL.encode(), chaincode="qscc")
    answer = raw.endorser.ProcessProposal(one.signed, timeout=20)
    raw.channel.close()
    assert answer.response.status == 200
    assert protos.ledger.BlockchainInfo.FromString(answer.response.payload).height > 1
    identity, fault = stage.evaluator.trust.peer_fault(answer.endorsement.endorser, int(time.time() * 1000))
    assert (identity.msp_id, fault) == (via, None)
    assert identity.fault(answer.endorsement.signature, answer.payload + answer.endorsement.endorser) is None


def test_a_peer_refuses_a_direct_proposal_with_an_error_of_the_call(raw: Raw) -> None:
    one = raw.sent("GetSchema", sign=lambda message: raw.client.sign(message + b"x"))
    found = failed(lambda: raw.endorser.ProcessProposal(one.signed, timeout=20), "evaluate")
    assert found.code == "UNKNOWN"
    assert found.says("error validating proposal: access denied")


def test_messages_larger_than_grpc_s_own_limit_arrive(stage: Stage) -> None:
    with pytest.raises(LedgerError) as caught:
        stage.gateway().evaluate(CHAINCODE, "CommitScorecard", b"x" * (5 << 20))
    assert getattr(caught.value, "code", None) == "INVALID"


def test_a_peer_under_another_authority_is_not_talked_to(stage: Stage) -> None:
    endpoint = stage.evaluator.gateway
    other = Endpoint(endpoint.address, Authority("EvaluatorMSP").certificate, endpoint.host_name)
    with pytest.raises(FabricMisconfigured) as caught:
        Gateway(other, stage.evaluator.client, CHANNEL).evaluate(CHAINCODE, "GetSchema")
    assert "TLS" in caught.value.what


def test_without_an_orderer_the_outcome_is_open_and_the_same_envelope_counts_later(
    broken: Stage, raw: Raw, cards: Cards
) -> None:
    one = raw.sent("CommitScorecard", canonical_bytes(cards.one()))
    envelope = raw.endorse(one).prepared_transaction
    envelope.signature = raw.client.sign(envelope.payload)
    broken.kill("orderer")
    found = raw.submit(envelope)
    assert found.code == "UNAVAILABLE"
    assert found.says("no orderers could successfully process transaction")
    assert isinstance(failures.typed(found, ""), CommitUnknown)
    broken.restore()
    assert committed(raw, envelope, one.tx_id) == "VALID"


def test_without_the_other_organisation_s_peer_nothing_is_endorsed(broken: Stage, raw: Raw, cards: Cards) -> None:
    broken.kill("peer-auditor")
    found = raw.endorse(raw.sent("CommitScorecard", canonical_bytes(cards.one())))
    assert found.code in ("ABORTED", "FAILED_PRECONDITION")
    error = failures.typed(found, "")
    assert isinstance(error, FabricUnavailable)
    assert error.retryable


def test_without_a_chaincode_process_nothing_is_endorsed_and_the_other_still_answers(
    broken: Stage, raw: Raw, cards: Cards
) -> None:
    broken.kill("chaincode-evaluator")
    found = raw.endorse(raw.sent("CommitScorecard", canonical_bytes(cards.one())))
    assert found.code == "ABORTED"
    assert found.says("could not launch chaincode", "chaincode stream terminated")
    assert failures.typed(found, "").retryable
    # A question is passed on to the other organisation's peer.
    assert broken.gateway().evaluate(CHAINCODE, "GetSchema")
    broken.restore()
    broken.ledger().commit(cards.one(), DEFAULT)


def test_a_wrong_deadline_is_named_with_its_stage(stage: Stage, cards: Cards) -> None:
    hasty = replace(stage.evaluator, deadlines=replace(stage.evaluator.deadlines, endorse=0.0001))
    with pytest.raises(FabricUnavailable) as caught:
        stage.ledger(hasty).commit(cards.one(), DEFAULT)
    assert caught.value.stage == "endorse"
