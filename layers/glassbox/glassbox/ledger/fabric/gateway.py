"""The client of Fabric's Gateway service: one connection, each stage of a transaction with its own deadline."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from glassbox.ledger.fabric import failures, protos
from glassbox.ledger.fabric.identities import serialized
from glassbox.ledger.fabric.messages import parsed, proposal, status_request
from glassbox.ledger.fabric.signing import Signer

MAX_MESSAGE: Final = 100 << 20
"""Largest message in bytes, either way; gRPC's own limit is 4 MB and less than a block may have."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that each stage may take; the defaults are those of the official clients."""

    evaluate: float = 5.0
    endorse: float = 15.0
    submit: float = 5.0
    commit_status: float = 60.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a peer listens: host:port, the PEM of its TLS authorities, and the name in its certificate if another."""

    address: str
    tls_roots: bytes | None = field(default=None, repr=False)
    host_name: str | None = None

    def channel(self) -> grpc.Channel:
        """Return a new channel to the peer, with TLS unless the endpoint has no roots."""
        options: list[tuple[str, Any]] = [
            ("grpc.max_send_message_length", MAX_MESSAGE),
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.keepalive_time_ms", 120_000),
            # A peer that was restarted is found again soon.
            ("grpc.max_reconnect_backoff_ms", 2_000),
            ("grpc.initial_reconnect_backoff_ms", 100),
        ]
        if self.tls_roots is None:
            return grpc.insecure_channel(self.address, options)
        if self.host_name:
            options.append(("grpc.ssl_target_name_override", self.host_name))
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(self.tls_roots), options)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A transaction that was endorsed and signed, but not yet submitted."""

    tx_id: str
    envelope: bytes
    """Serialized common.Envelope; submitted twice it still has one effect."""
    result: bytes
    """What the chaincode answered."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What the network found: the validation code by its name, and the number of the block."""

    code: str
    block: int

    @property
    def valid(self) -> bool:
        """Whether the transaction changed the ledger."""
        return self.code == "VALID"


class Gateway:
    """Calls of one identity on one channel. Threads may share it; the connection is made at the first call."""

    def __init__(self, endpoint: Endpoint, signer: Signer, channel: str, *, deadlines: Deadlines | None = None) -> None:
        self.endpoint = endpoint
        self.signer = signer
        self.channel = channel
        self.deadlines = deadlines or Deadlines()
        self.creator = serialized(signer.msp_id, signer.certificate)
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None
        self._stubs: dict[str, Any] = {}

    def evaluate(self, chaincode: str, function: str, *args: bytes) -> bytes:
        """Return a chaincode's answer to a question; raises LedgerError."""
        sent = proposal(self.creator, self.signer.sign, self.channel, chaincode, function, args)
        request = protos.gateway.EvaluateRequest(
            transaction_id=sent.tx_id, channel_id=self.channel, proposed_transaction=sent.signed
        )
        answer = self._call("evaluate", sent.tx_id, "Evaluate", request, self.deadlines.evaluate)
        return bytes(answer.result.payload)

    def endorse(self, chaincode: str, function: str, *args: bytes) -> Prepared:
        """Return the endorsed and signed transaction of a call; raises LedgerError. Nothing is committed yet."""
        sent = proposal(self.creator, self.signer.sign, self.channel, chaincode, function, args)
        request = protos.gateway.EndorseRequest(
            transaction_id=sent.tx_id, channel_id=self.channel, proposed_transaction=sent.signed
        )
        answer = self._call("endorse", sent.tx_id, "Endorse", request, self.deadlines.endorse)
        envelope = answer.prepared_transaction
        envelope.signature = self.signer.sign(envelope.payload)
        return Prepared(sent.tx_id, envelope.SerializeToString(), chaincode_result(envelope.payload))

    def submit(self, tx_id: str, envelope: bytes) -> None:
        """Hand an envelope to the orderers; raises CommitUnknown where it may have arrived all the same."""
        request = protos.gateway.SubmitRequest(
            transaction_id=tx_id,
            channel_id=self.channel,
            prepared_transaction=parsed(protos.common.Envelope, envelope, "transaction"),
        )
        self._call("submit", tx_id, "Submit", request, self.deadlines.submit)

    def commit_status(self, tx_id: str) -> Committed:
        """Return what became of a transaction, waiting for its block; raises CommitUnknown at the deadline."""
        request = status_request(self.creator, self.signer.sign, self.channel, tx_id)
        answer = self._call("commit-status", tx_id, "CommitStatus", request, self.deadlines.commit_status)
        return Committed(code_name(answer.result), int(answer.block_number))

    def process(self, chaincode: str, function: str, *args: bytes) -> tuple[Any, Any]:
        """Return (signed proposal, proposal response) of this very peer's endorser, whose signature Evaluate drops."""
        sent = proposal(self.creator, self.signer.sign, self.channel, chaincode, function, args)
        answer = self._call("evaluate", sent.tx_id, "ProcessProposal", sent.signed, self.deadlines.evaluate)
        if answer.response.status >= 400:
            text = f"chaincode response {answer.response.status}, {answer.response.message}"
            raise failures.typed(failures.Failure("evaluate", sent.tx_id, "UNKNOWN", text), self.endpoint.address)
        return sent.signed, answer

    def close(self) -> None:
        """Close the connection; may be called more than once, and a later call opens another."""
        with self._lock:
            channel, self._channel, self._stubs = self._channel, None, {}
        if channel is not None:
            channel.close()

    def _call(self, stage: str, tx_id: str, method: str, request: Any, deadline: float) -> Any:
        try:
            return self._method(method)(request, timeout=deadline)
        except grpc.RpcError as error:
            failed = failures.failure(stage, tx_id, error)
        if failed.unconnected:
            # A connection that died unseen shows at the next call only. Sent twice, every message here has one effect.
            try:
                return self._method(method)(request, timeout=deadline)
            except grpc.RpcError as error:
                failed = failures.failure(stage, tx_id, error)
        raise failures.typed(failed, self.endpoint.address)

    def _method(self, name: str) -> Callable[..., Any]:
        with self._lock:
            if self._channel is None:
                self._channel = self.endpoint.channel()
                gateway = protos.gateway_grpc.GatewayStub(self._channel)
                endorser = protos.peer_grpc.EndorserStub(self._channel)
                names: Sequence[str] = ("Evaluate", "Endorse", "Submit", "CommitStatus")
                self._stubs = {name: getattr(gateway, name) for name in names}
                self._stubs["ProcessProposal"] = endorser.ProcessProposal
            found: Callable[..., Any] = self._stubs[name]
            return found


def code_name(code: int) -> str:
    """Return the name of a validation code, or CODE_ and its number where the protocol's package has none."""
    try:
        return str(protos.transactions.TxValidationCode.Name(code))
    except ValueError:
        return f"CODE_{code}"


def chaincode_result(payload: bytes) -> bytes:
    """Return what the chaincode answered, from the payload of an endorsed transaction; raises Malformed."""
    data = parsed(protos.common.Payload, payload, "payload").data
    transaction = parsed(protos.transactions.Transaction, data, "transaction")
    if len(transaction.actions) != 1:
        return b""
    action = parsed(protos.transactions.ChaincodeActionPayload, transaction.actions[0].payload, "action").action
    answer = parsed(protos.responses.ProposalResponsePayload, action.proposal_response_payload, "proposal response")
    return bytes(parsed(protos.proposals.ChaincodeAction, answer.extension, "chaincode action").response.payload)
