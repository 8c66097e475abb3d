"""The peer's side of a chaincode stream, scripted by a test: what it says, in which order, and when it hangs up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from queue import Queue
from types import TracebackType
from typing import Any

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from glassbox_chaincode import ChaincodeServer, Limits, Settings, protos
from glassbox_chaincode.protos import Message

CHAINCODE_ID = "glassbox_1:0a1b"
CHANNEL = "scorecards"
MOST = 100 << 20
WAIT = 60.0
"""Seconds after which a test gives up: far beyond what anything here takes."""

_KEY = ec.generate_private_key(ec.SECP256R1())


def certificate(*units: str) -> bytes:
    """Return a certificate whose subject names these organisational units."""
    names = [x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit) for unit in units]
    subject = x509.Name([*names, x509.NameAttribute(NameOID.COMMON_NAME, "somebody")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(_KEY.public_key())
    builder = builder.serial_number(7).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    return builder.sign(_KEY, hashes.SHA256()).public_bytes(Encoding.PEM)


CLIENT = certificate("client")
ADMIN = certificate("admin")


def identity(msp: str = "EvaluatorMSP", pem: bytes = CLIENT) -> bytes:
    """Return a serialized identity."""
    data: bytes = protos.identities.SerializedIdentity(mspid=msp, id_bytes=pem).SerializeToString()
    return data


def transaction(
    tx_id: str,
    *args: bytes | str,
    creator: bytes | None = None,
    milliseconds: int = 1_767_355_200_000,
    transient: dict[str, bytes] | None = None,
    kind: int = Message.TRANSACTION,
    channel: str = CHANNEL,
) -> Any:
    """Return the message with which a peer has a transaction run."""
    header = protos.common.ChannelHeader(channel_id=channel, tx_id=tx_id)
    header.timestamp.seconds, rest = divmod(milliseconds, 1000)
    header.timestamp.nanos = rest * 1_000_000 + 999
    signature = protos.common.SignatureHeader(creator=identity() if creator is None else creator, nonce=b"n")
    headers = protos.common.Header(
        channel_header=header.SerializeToString(), signature_header=signature.SerializeToString()
    )
    payload = protos.proposals.ChaincodeProposalPayload(TransientMap=transient or {})
    proposal = protos.proposals.Proposal(header=headers.SerializeToString(), payload=payload.SerializeToString())
    message = Message(type=kind, txid=tx_id, channel_id=channel)
    message.proposal.proposal_bytes = proposal.SerializeToString()
    encoded = [arg.encode() if isinstance(arg, str) else arg for arg in args]
    message.payload = protos.chaincode.ChaincodeInput(args=encoded).SerializeToString()
    return message


def reply(request: Any, payload: bytes = b"", kind: int = Message.RESPONSE) -> Any:
    """Return a peer's answer to a request of a transaction."""
    return Message(type=kind, payload=payload, txid=request.txid, channel_id=request.channel_id)


def response(completed: Any) -> Any:
    """Return the contract's response in a COMPLETED message."""
    assert completed.type == Message.COMPLETED, protos.kind_name(completed.type)
    return protos.responses.Response.FromString(completed.payload)


class Peer:
    """A connection to a chaincode server. `answer`, if given, is called with every message but REGISTER."""

    def __init__(
        self,
        port: int,
        answer: Callable[[Peer, Any], None] | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        address = f"127.0.0.1:{port}"
        self.channel = (
            grpc.insecure_channel(address, options)
            if credentials is None
            else grpc.secure_channel(address, credentials, options)
        )
        self.inbox: Queue[Any] = Queue()
        self.ended = threading.Event()
        self.code: grpc.StatusCode | None = None
        self._outbox: Queue[bytes | None] = Queue()
        self._answer = answer
        self._call = self.channel.stream_stream("/protos.Chaincode/Connect")(self._outgoing())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def registered(self) -> Peer:
        """Go through the handshake and return self."""
        message = self.next()
        assert message.type == Message.REGISTER
        assert protos.chaincode.ChaincodeID.FromString(message.payload).name == CHAINCODE_ID
        self.send(Message(type=Message.REGISTERED))
        self.send(Message(type=Message.READY))
        return self

    def send(self, message: Any) -> None:
        """Send a message, or bytes that are none."""
        self._outbox.put(message if isinstance(message, bytes) else message.SerializeToString())

    def next(self) -> Any:
        """Return the next message from the chaincode."""
        return self.inbox.get(timeout=WAIT)

    def expect(self, kind: int) -> Any:
        """Return the next message, which must be of this kind."""
        message = self.next()
        assert message.type == kind, f"{protos.kind_name(message.type)} instead of {protos.kind_name(kind)}"
        return message

    def run(self, *args: Any, **more: Any) -> Any:
        """Have a transaction run that asks for nothing, and return the contract's response."""
        self.send(transaction(*args, **more))
        return response(self.expect(Message.COMPLETED))

    def hang_up(self) -> None:
        """End the stream as a peer does that is killed."""
        self._call.cancel()
        assert self.ended.wait(WAIT)

    def close(self) -> None:
        """End the stream and the connection."""
        self._outbox.put(None)
        self._call.cancel()
        self._reader.join(WAIT)
        self.channel.close()

    def _outgoing(self) -> Iterator[bytes]:
        while (data := self._outbox.get()) is not None:
            yield data

    def _read(self) -> None:
        try:
            for data in self._call:
                message = Message.FromString(data)
                if self._answer is not None and message.type != Message.REGISTER:
                    self._answer(self, message)
                else:
                    self.inbox.put(message)
            self.code = grpc.StatusCode.OK
        except grpc.RpcError as error:
            self.code = error.code()
        finally:
            self.ended.set()


def server(contract: Any, **limits: Any) -> ChaincodeServer:
    """Return a chaincode server on a free port of loopback, not started."""
    return ChaincodeServer(Settings(CHAINCODE_ID, "127.0.0.1:0", None, limits=Limits(**limits)), contract)


def eventually(check: Callable[[], bool]) -> bool:
    """Return whether something comes true while this waits."""
    pause = threading.Event()
    for _ in range(int(WAIT * 100)):
        if check():
            return True
        pause.wait(0.01)
    return False
