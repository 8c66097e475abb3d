"""A network in this process: two peers' gateways and endorsers over real gRPC, one orderer, signed blocks.

It exists so that the client can be tested against every answer that a network may give; what a network does beyond
that is the business of the development peer and of Fabric itself.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import data_hash, header_bytes
from glassbox.ledger.fabric.gateway import Deadlines, Endpoint
from glassbox.ledger.fabric.identities import read_identity
from glassbox.ledger.fabric.messages import transaction_id
from glassbox.ledger.fabric.network import Network
from glassbox.ledger.fabric.trust import Trust
from glassbox_contract import Creator, Modification, invoke
from tests.unit.ledger_fabric.authorities import Authority, Member

CHANNEL, CHAINCODE = "scorecards", "glassbox"
VALID, MVCC, DUPLICATE = 0, 11, 9
IMPLICIT_META, ANY, MAJORITY = 3, 0, 2


class Refusal(Exception):
    """What a service answers instead: a gRPC code, its text, and the peers' details."""

    def __init__(self, code: grpc.StatusCode, text: str = "", details: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.code, self.text, self.details = code, text, details

    def metadata(self) -> tuple[tuple[str, bytes], ...]:
        """Return the trailing metadata of google.rpc.Status, written by hand as the peer's library writes it."""
        status = b""
        for message in self.details:
            detail = protos.gateway.ErrorDetail(address="peer:1", msp_id="EvaluatorMSP", message=message)
            raw = detail.SerializeToString()
            name = b"type.googleapis.com/gateway.ErrorDetail"
            whole = b"\x0a" + bytes([len(name)]) + name + b"\x12" + _size(len(raw)) + raw
            status += b"\x1a" + _size(len(whole)) + whole
        return (("grpc-status-details-bin", b"\x08\x0a" + status),)


def _size(length: int) -> bytes:
    return bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])


class TxStub:
    """One transaction's view of the channel's state."""

    def __init__(self, channel: Channel, tx_id: str, moment: int, creator: Creator) -> None:
        self.channel, self.tx_id, self.tx_timestamp, self.creator = channel, tx_id, moment, creator
        self.reads: dict[str, tuple[int, int] | None] = {}
        self.writes: dict[str, bytes] = {}
        self.event: tuple[str, bytes] | None = None

    def get_state(self, key: str) -> bytes | None:
        value, version = self.channel.state.get(key, (None, None))
        self.reads[key] = version
        return value

    def put_state(self, key: str, value: bytes) -> None:
        self.writes[key] = value

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        keys = sorted(key for key in self.channel.state if start <= key < end)
        return [(key, self.channel.state[key][0]) for key in keys[:limit]]

    def get_history(self, key: str) -> Sequence[Modification]:
        return self.channel.history.get(key, [])

    def set_event(self, name: str, payload: bytes) -> None:
        self.event = (name, payload)


class Channel:
    """State, blocks and the orderer of one channel."""

    def __init__(self) -> None:
        self.evaluator, self.auditor, self.ordering = (
            Authority(f"{n}MSP") for n in ("Evaluator", "Auditor", "Orderer")
        )
        self.peers = {"EvaluatorMSP": self.evaluator.member("peer"), "AuditorMSP": self.auditor.member("peer")}
        self.client, self.admin = self.evaluator.member("client"), self.evaluator.member("admin")
        self.orderer = self.ordering.member("orderer")
        self.state: dict[str, tuple[bytes, tuple[int, int]]] = {}
        self.history: dict[str, list[Modification]] = {}
        self.blocks: list[Any] = []
        self.places: dict[str, tuple[int, int]] = {}
        self.changed = threading.Condition(threading.RLock())
        self.endorsers = list(self.peers.values())
        self.append([self._configuration()])

    @property
    def trust(self) -> Trust:
        return Trust(
            CHANNEL,
            CHAINCODE,
            {"AuditorMSP": self.auditor.organisation(), "EvaluatorMSP": self.evaluator.organisation()},
            {"OrdererMSP": self.ordering.organisation()},
            "majority",
            "any",
        )

    def _configuration(self) -> bytes:
        """Return the channel's configuration, as it stands in block 0."""
        group = protos.configtx.ConfigGroup()
        _configure(group.groups["Application"], "Endorsement", MAJORITY, self.evaluator, self.auditor)
        _configure(group.groups["Orderer"], "BlockValidation", ANY, self.ordering)
        config = protos.configtx.ConfigEnvelope(config=protos.configtx.Config(channel_group=group))
        header = protos.common.ChannelHeader(type=protos.common.CONFIG, channel_id=CHANNEL)
        payload = protos.common.Payload(
            header=protos.common.Header(channel_header=header.SerializeToString()), data=config.SerializeToString()
        )
        raw: bytes = protos.common.Envelope(payload=payload.SerializeToString()).SerializeToString()
        return raw

    def append(self, envelopes: Sequence[bytes]) -> None:
        """Cut a block: judge each transaction, write what the valid ones write, sign the header."""
        with self.changed:
            number = len(self.blocks)
            codes = bytes(self._judge(number, place, data) for place, data in enumerate(envelopes))
            previous = hashlib.sha256(_header_of(self.blocks[-1])).digest() if self.blocks else b""
            self.blocks.append(self.sealed(number, previous, envelopes, codes))
            self.changed.notify_all()

    def sealed(self, number: int, previous: bytes, envelopes: Sequence[bytes], codes: bytes) -> Any:
        """Return a signed block."""
        header = protos.common.BlockHeader(number=number, previous_hash=previous, data_hash=data_hash(tuple(envelopes)))
        value = b"\x0a\x02\x08\x00"
        signer = protos.common.SignatureHeader(creator=self.orderer.creator, nonce=b"n" * 24).SerializeToString()
        signed = value + signer + header_bytes(number, previous, header.data_hash)
        signature = protos.common.MetadataSignature(signature_header=signer, signature=self.orderer.signer.sign(signed))
        metadata = protos.common.Metadata(value=value, signatures=[signature] if number else [])
        return protos.common.Block(
            header=header,
            data=protos.common.BlockData(data=envelopes),
            metadata=protos.common.BlockMetadata(metadata=[metadata.SerializeToString(), b"", codes, b"", b""]),
        )

    def _judge(self, number: int, place: int, data: bytes) -> int:
        payload = protos.common.Payload.FromString(protos.common.Envelope.FromString(data).payload)
        header = protos.common.ChannelHeader.FromString(payload.header.channel_header)
        if header.type != protos.common.ENDORSER_TRANSACTION:
            return VALID
        if header.tx_id in self.places:
            return DUPLICATE
        self.places[header.tx_id] = (number, place)
        transaction = protos.transactions.Transaction.FromString(payload.data)
        action = protos.transactions.ChaincodeActionPayload.FromString(transaction.actions[0].payload).action
        answer = protos.responses.ProposalResponsePayload.FromString(action.proposal_response_payload)
        results = protos.proposals.ChaincodeAction.FromString(answer.extension).results
        space = protos.rwset.TxReadWriteSet.FromString(results).ns_rwset[1]
        found = protos.kvrwset.KVRWSet.FromString(space.rwset)
        for read in found.reads:
            version = (read.version.block_num, read.version.tx_num) if read.HasField("version") else None
            if self.state.get(read.key, (b"", None))[1] != version:
                return MVCC
        moment = header.timestamp.seconds * 1000 + header.timestamp.nanos // 1_000_000
        for write in found.writes:
            self.state[write.key] = (write.value, (number, place))
            self.history.setdefault(write.key, []).append(Modification(header.tx_id, moment, write.value))
        return VALID

    def simulate(self, signed: Any) -> tuple[Any, Any, TxStub | None]:
        """Return (proposal, response, what it touched) of a signed proposal, as every peer computes it."""
        proposal = protos.proposals.Proposal.FromString(signed.proposal_bytes)
        header = protos.common.Header.FromString(proposal.header)
        channel = protos.common.ChannelHeader.FromString(header.channel_header)
        signer = protos.common.SignatureHeader.FromString(header.signature_header)
        identity = read_identity(signer.creator)
        if identity.fault(signed.signature, signed.proposal_bytes):
            raise Refusal(grpc.StatusCode.FAILED_PRECONDITION, "access denied: channel [] creator org []")
        assert channel.tx_id == transaction_id(signer.nonce, signer.creator)
        payload = protos.proposals.ChaincodeProposalPayload.FromString(proposal.payload)
        spec = protos.chaincode.ChaincodeInvocationSpec.FromString(payload.input).chaincode_spec
        function, *args = spec.input.args
        if spec.chaincode_id.name == "qscc":
            return proposal, self.query(function.decode(), args[1:]), None
        if spec.chaincode_id.name != CHAINCODE:
            raise Refusal(grpc.StatusCode.FAILED_PRECONDITION, "no peers available to evaluate chaincode")
        moment = channel.timestamp.seconds * 1000 + channel.timestamp.nanos // 1_000_000
        with self.changed:
            stub = TxStub(self, channel.tx_id, moment, Creator(identity.msp_id, identity.role))
            told = invoke(stub, function.decode(), list(args))
        response = protos.responses.Response(status=told.status, payload=told.payload, message=told.message)
        return proposal, response, stub

    def query(self, function: str, args: Sequence[bytes]) -> Any:
        """Return the answer of the peer's query chaincode."""
        with self.changed:
            if function == "GetChainInfo":
                payload = protos.ledger.BlockchainInfo(height=len(self.blocks)).SerializeToString()
            elif function == "GetBlockByNumber":
                number = int(args[0])
                if number >= len(self.blocks):
                    return _absent("no such block number")
                payload = self.blocks[number].SerializeToString()
            else:
                place = self.places.get(args[0].decode())
                if place is None:
                    return _absent("no such transaction ID")
                block = self.blocks[place[0]]
                payload = block.SerializeToString()
                if function == "GetTransactionByID":
                    envelope = protos.common.Envelope.FromString(block.data.data[place[1]])
                    code = block.metadata.metadata[2][place[1]]
                    told = protos.transactions.ProcessedTransaction(transactionEnvelope=envelope, validationCode=code)
                    payload = told.SerializeToString()
        return protos.responses.Response(status=200, payload=payload)


def _absent(words: str) -> Any:
    return protos.responses.Response(status=500, message=f"Failed to get it, error {words}")


def _configure(group: Any, policy: str, rule: int, *members: Authority) -> None:
    """Put organisations and the one policy that matters here into a group of a configuration."""
    for member in members:
        msp = protos.msp_config.FabricMSPConfig(name=member.msp_id, root_certs=[member.certificate])
        whole = protos.msp_config.MSPConfig(type=0, config=msp.SerializeToString())
        group.groups[member.msp_id].values["MSP"].value = whole.SerializeToString()
    found = group.policies[policy].policy
    found.type = IMPLICIT_META
    found.value = protos.policies.ImplicitMetaPolicy(sub_policy=policy, rule=rule).SerializeToString()


def _header_of(block: Any) -> bytes:
    return header_bytes(block.header.number, block.header.previous_hash, block.header.data_hash)


def endorsed(proposal: Any, response: Any, stub: TxStub | None, chaincode: str) -> bytes:
    """Return the proposal response payload that every peer signs."""
    header = protos.common.Header.FromString(proposal.header)
    spaces = []
    if stub is not None:
        written = protos.kvrwset.KVRWSet(
            reads=[_read(key, version) for key, version in sorted(stub.reads.items())],
            writes=[protos.kvrwset.KVWrite(key=key, value=value) for key, value in sorted(stub.writes.items())],
        )
        lifecycle = protos.kvrwset.KVRWSet(reads=[_read("namespaces/fields/glassbox/Sequence", (0, 0))])
        spaces = [
            protos.rwset.NsReadWriteSet(namespace="_lifecycle", rwset=lifecycle.SerializeToString()),
            protos.rwset.NsReadWriteSet(namespace=chaincode, rwset=written.SerializeToString()),
        ]
    event = b""
    if stub is not None and stub.event is not None:
        event = protos.events.ChaincodeEvent(
            chaincode_id=chaincode, tx_id=stub.tx_id, event_name=stub.event[0], payload=stub.event[1]
        ).SerializeToString()
    action = protos.proposals.ChaincodeAction(
        results=protos.rwset.TxReadWriteSet(ns_rwset=spaces).SerializeToString(),
        events=event,
        response=response,
        chaincode_id=protos.chaincode.ChaincodeID(name=chaincode),
    )
    hashed = hashlib.sha256(header.channel_header + header.signature_header + proposal.payload).digest()
    raw: bytes = protos.responses.ProposalResponsePayload(
        proposal_hash=hashed, extension=action.SerializeToString()
    ).SerializeToString()
    return raw


def _read(key: str, version: tuple[int, int] | None) -> Any:
    named = None if version is None else protos.kvrwset.Version(block_num=version[0], tx_num=version[1])
    return protos.kvrwset.KVRead(key=key, version=named)


def transaction(proposal: Any, payload: bytes, endorsers: Sequence[Member]) -> Any:
    """Return the unsigned envelope of an endorsed proposal."""
    header = protos.common.Header.FromString(proposal.header)
    endorsements = [
        protos.responses.Endorsement(endorser=one.creator, signature=one.signer.sign(payload + one.creator))
        for one in endorsers
    ]
    action = protos.transactions.ChaincodeActionPayload(
        chaincode_proposal_payload=proposal.payload,
        action=protos.transactions.ChaincodeEndorsedAction(
            proposal_response_payload=payload, endorsements=endorsements
        ),
    )
    whole = protos.transactions.Transaction(
        actions=[
            protos.transactions.TransactionAction(header=header.signature_header, payload=action.SerializeToString())
        ]
    )
    return protos.common.Envelope(
        payload=protos.common.Payload(header=header, data=whole.SerializeToString()).SerializeToString()
    )


class Peers:
    """The peers' services on ports of this machine. `before` and `after` hold what happens instead, call by call."""

    def __init__(self, channel: Channel, *, tls: bool = False, client_roots: bytes | None = None) -> None:
        """With `client_roots` a peer demands a certificate of its clients."""
        self.channel = channel
        self._tls = tls
        self._client_roots = client_roots
        self.before: dict[str, list[Exception | Callable[[], None] | None]] = {}
        self.after: dict[str, list[Exception | None]] = {}
        self.calls: list[str] = []
        self.submitted: list[bytes] = []
        self._lock = threading.Lock()
        self._servers: list[grpc.Server] = []
        self.addresses = {msp_id: self._serve(member) for msp_id, member in channel.peers.items()}

    def network(self, *, admin: bool = True, deadlines: Deadlines | None = None) -> Network:
        """Return the network as a client's profile has it."""
        endpoints = {msp_id: Endpoint(address) for msp_id, address in self.addresses.items()}
        return Network(
            endpoints["EvaluatorMSP"],
            endpoints,
            self.channel.client.signer,
            self.channel.trust,
            self.channel.admin.signer if admin else None,
            deadlines or Deadlines(),
        )

    def close(self) -> None:
        for server in self._servers:
            server.stop(None).wait()

    def _serve(self, member: Member) -> str:
        server = grpc.server(ThreadPoolExecutor(48))
        services = _Services(self, member)
        protos.gateway_grpc.add_GatewayServicer_to_server(services, server)
        protos.peer_grpc.add_EndorserServicer_to_server(services, server)
        pair = (member.key_pem, member.certificate)
        if self._tls:
            port = server.add_secure_port("127.0.0.1:0", self._credentials(pair))
        else:
            port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        self._servers.append(server)
        return f"127.0.0.1:{port}"

    def _credentials(self, pair: tuple[bytes, bytes]) -> grpc.ServerCredentials:
        roots = self._client_roots
        return grpc.ssl_server_credentials([pair], roots, require_client_auth=roots is not None)

    def during(self, name: str, context: grpc.ServicerContext, work: Callable[[], Any]) -> Any:
        """Run one call between what was put before and after it."""
        with self._lock:
            self.calls.append(name)
            before = self.before.get(name) or [None]
            first = before.pop(0)
            after = self.after.get(name) or [None]
            last = after.pop(0)
        try:
            if isinstance(first, Exception):
                raise first
            if first is not None:
                first()
            answer = work()
            if last is not None:
                raise last
        except Refusal as refusal:
            context.set_trailing_metadata(refusal.metadata())
            context.abort(refusal.code, refusal.text)
        return answer


class _Services:
    """Gateway and Endorser of one peer."""

    def __init__(self, peers: Peers, member: Member) -> None:
        self._peers, self._channel, self._member = peers, peers.channel, member

    def Evaluate(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        def work() -> Any:
            _, response, _ = self._channel.simulate(request.proposed_transaction)
            if response.status >= 400:
                words = f"chaincode response {response.status}, {response.message}"
                raise Refusal(grpc.StatusCode.UNKNOWN, f"evaluate call to endorser returned error: {words}", [words])
            return protos.gateway.EvaluateResponse(result=response)

        return self._peers.during("Evaluate", context, work)

    def Endorse(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        def work() -> Any:
            proposal, response, stub = self._channel.simulate(request.proposed_transaction)
            if response.status >= 400:
                words = f"chaincode response {response.status}, {response.message}"
                raise Refusal(grpc.StatusCode.ABORTED, "failed to endorse transaction, see attached details", [words])
            payload = endorsed(proposal, response, stub, CHAINCODE)
            return protos.gateway.EndorseResponse(
                prepared_transaction=transaction(proposal, payload, self._channel.endorsers)
            )

        return self._peers.during("Endorse", context, work)

    def Submit(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        def work() -> Any:
            raw = request.prepared_transaction.SerializeToString()
            self._peers.submitted.append(raw)
            self._channel.append([raw])
            return protos.gateway.SubmitResponse()

        return self._peers.during("Submit", context, work)

    def CommitStatus(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        def work() -> Any:
            asked = protos.gateway.CommitStatusRequest.FromString(request.request)
            channel = self._channel
            with channel.changed:
                left = context.time_remaining()
                channel.changed.wait_for(lambda: asked.transaction_id in channel.places, left)
                number, place = channel.places[asked.transaction_id]
                code = channel.blocks[number].metadata.metadata[2][place]
            return protos.gateway.CommitStatusResponse(result=code, block_number=number)

        return self._peers.during("CommitStatus", context, work)

    def ChaincodeEvents(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "no events here")

    def ProcessProposal(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        def work() -> Any:
            proposal, response, stub = self._channel.simulate(request)
            payload = endorsed(proposal, response, stub, "qscc")
            signature = self._member.signer.sign(payload + self._member.creator)
            return protos.responses.ProposalResponse(
                response=response,
                payload=payload,
                endorsement=protos.responses.Endorsement(endorser=self._member.creator, signature=signature),
            )

        return self._peers.during("ProcessProposal", context, work)
