"""Records what a real Fabric network says, as a fixture to replay against the development peer.

`FABRIC_BIN=... python tests/fabric/record.py FILE` starts a network on the programs of that folder, has a client make
one transaction of each kind, and keeps: every block, what the peer and the chaincode said to each other for each
transaction, what the peers answered to direct questions, and how calls failed, all of it as the bytes on the wire.
"""

from __future__ import annotations

import base64
import contextlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "chaincode"), str(ROOT / "layers" / "glassbox"), str(ROOT / "fabric-network")]

import grpc  # noqa: E402
from fabric_protos.peer.chaincode_shim_pb2 import ChaincodeMessage  # noqa: E402

from glassbox.ledger.fabric import protos  # noqa: E402
from glassbox.ledger.fabric.identities import serialized  # noqa: E402
from glassbox.ledger.fabric.messages import proposal, status_request  # noqa: E402
from glassbox_chaincode.server import ChaincodeServer  # noqa: E402
from glassbox_chaincode.settings import from_environment  # noqa: E402
from glassbox_contract import canonical_bytes  # noqa: E402
from glassbox_contract.policy import policy_bytes  # noqa: E402
from tests.contract.support import REQUEST, policy  # noqa: E402
from tests.fabric.stage import CHAINCODE, CHANNEL, DEFAULT, Cards, Stage  # noqa: E402

RECORDING = "GLASSBOX_RECORDING"


class RecordingServer(ChaincodeServer):
    """A chaincode process that writes down every message of its stream, one JSON line each."""

    def _connect(self, incoming: Iterator[bytes], context: Any) -> Iterator[bytes]:
        for data in super()._connect(self._noted("peer", incoming), context):
            yield from self._noted("chaincode", iter([data]))

    def _noted(self, who: str, messages: Iterator[bytes]) -> Iterator[bytes]:
        for data in messages:
            line = json.dumps({"from": who, "data": text(data)}) + "\n"
            with Path(os.environ[RECORDING]).open("a") as file:
                file.write(line)
            yield data


def text(data: bytes) -> str:
    """Return bytes as they stand in the fixture."""
    return base64.b64encode(data).decode()


class Recorder:
    """One client of a real network, whose calls are kept."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.calls: list[dict[str, Any]] = []
        self.answers: list[dict[str, str]] = []
        self._channels = {name: peer.channel() for name, peer in stage.evaluator.peers.items()}
        self._gateway = protos.gateway_grpc.GatewayStub(self._channels["EvaluatorMSP"])

    def made(self, function: str, *args: bytes, admin: bool = False, chaincode: str = CHAINCODE) -> Any:
        """Return (signer, proposal) of a call."""
        signer: Any = self.stage.evaluator.admin if admin else self.stage.evaluator.client
        creator = serialized(signer.msp_id, signer.certificate)
        return signer, proposal(creator, signer.sign, CHANNEL, chaincode, function, args)

    def height(self) -> int:
        """Return how many blocks there are now."""
        with self.stage.ledger() as ledger:
            return int(ledger.checkpoint()["number"]) + 1

    def evaluate(self, function: str, *args: bytes, chaincode: str = CHAINCODE) -> None:
        """Keep a question and its answer, or how it failed."""
        _, sent = self.made(function, *args, chaincode=chaincode)
        request = protos.gateway.EvaluateRequest(
            transaction_id=sent.tx_id, channel_id=CHANNEL, proposed_transaction=sent.signed
        )
        self._kept("Evaluate", sent, lambda: self._gateway.Evaluate(request, timeout=30))

    def endorse(self, function: str, *args: bytes, admin: bool = False, orgs: tuple[str, ...] = ()) -> Any:
        """Keep a proposal and what became of it; return the signed envelope, None where it was refused."""
        signer, sent = self.made(function, *args, admin=admin)
        request = protos.gateway.EndorseRequest(
            transaction_id=sent.tx_id,
            channel_id=CHANNEL,
            proposed_transaction=sent.signed,
            endorsing_organizations=orgs,
        )
        answer = self._kept("Endorse", sent, lambda: self._gateway.Endorse(request, timeout=30))
        if answer is None:
            return None
        envelope = answer.prepared_transaction
        envelope.signature = signer.sign(envelope.payload)
        return sent.tx_id, envelope

    def commit(self, *prepared: Any) -> None:
        """Submit envelopes one after the other and wait for their blocks."""
        client = self.stage.evaluator.client
        creator = serialized(client.msp_id, client.certificate)
        for tx_id, envelope in prepared:
            request = protos.gateway.SubmitRequest(
                transaction_id=tx_id, channel_id=CHANNEL, prepared_transaction=envelope
            )
            self._gateway.Submit(request, timeout=30)
        for tx_id, _ in prepared:
            self._gateway.CommitStatus(status_request(creator, client.sign, CHANNEL, tx_id), timeout=60)

    def ask(self, via: str, function: str, *args: bytes) -> None:
        """Keep a peer's own signed answer to a question of its query chaincode."""
        _, sent = self.made(function, CHANNEL.encode(), *args, chaincode="qscc")
        stub = protos.peer_grpc.EndorserStub(self._channels[via])
        answer = stub.ProcessProposal(sent.signed, timeout=30)
        request, response = text(sent.signed.SerializeToString()), text(answer.SerializeToString())
        self.answers.append({"peer": via, "proposal": request, "response": response})

    def close(self) -> None:
        """Close the connections."""
        for channel in self._channels.values():
            channel.close()

    def _kept(self, method: str, sent: Any, call: Any) -> Any:
        one = {
            "method": method,
            "height": self.height(),
            "tx_id": sent.tx_id,
            "proposal": text(sent.signed.SerializeToString()),
        }
        answer = None
        try:
            answer = call()
            one["answer"] = text(answer.SerializeToString())
        except grpc.RpcError as error:
            raw = next((value for key, value in error.trailing_metadata() if key.endswith("-details-bin")), b"")
            one["failure"] = {"code": error.code().value[0], "text": error.details(), "status": text(raw)}
        self.calls.append(one)
        return answer


def play(recorder: Recorder) -> None:
    """Make one call of each kind."""
    cards = Cards()
    first, second, third = (canonical_bytes(record) for record in cards.make(3))
    names = [name.encode() for name in cards.made]
    recorder.commit(recorder.endorse("RegisterPolicy", policy_bytes(policy(name="recorded")), admin=True))
    recorder.commit(recorder.endorse("OpenEvaluation", names[0], REQUEST.encode(), DEFAULT.digest.encode()))
    recorder.commit(recorder.endorse("CommitScorecard", first))
    same = [recorder.endorse("CommitScorecard", second) for _ in range(2)]
    recorder.commit(*same)
    recorder.commit(same[0])
    recorder.commit(recorder.endorse("CommitScorecard", third, orgs=("EvaluatorMSP",)))
    recorder.endorse("CommitScorecard", first)
    recorder.endorse("CommitScorecard", first.replace(b'"attempt":0', b'"attempt":1'))
    recorder.endorse("CommitScorecard", b"{}")
    recorder.commit(recorder.endorse("ListBySession", cards.session.encode(), b"1", b""))
    for function, args in (
        ("GetScorecard", (names[0],)),
        ("GetScorecard", (names[2],)),
        ("GetHistory", (names[1],)),
        ("ListBySession", (cards.session.encode(), b"1", b"")),
        ("ListByDay", (cards.day.encode(), b"10", b"")),
        ("ListOpen", (b"10", b"")),
        ("Nothing", ()),
    ):
        recorder.evaluate(function, *args)
    recorder.evaluate("GetTransactionByID", CHANNEL.encode(), b"00", chaincode="qscc")
    recorder.evaluate("GetSchema", chaincode="nothing")
    for via in ("EvaluatorMSP", "AuditorMSP"):
        recorder.ask(via, "GetTransactionByID", same[0][0].encode())
        recorder.ask(via, "GetChainInfo")


@contextlib.contextmanager
def recording_chaincode(stage: Stage, file: Path) -> Iterator[None]:
    """Put a chaincode process that keeps its messages in the place of the Evaluator's."""
    name = "chaincode-evaluator"
    environment = stage.network._chaincode_command(name).environment
    stage.network.kill(name)
    process = subprocess.Popen(
        [sys.executable, __file__, "--chaincode"],
        env={"PATH": os.environ["PATH"], **environment, RECORDING: str(file)},
    )
    try:
        while stage.network.fault() is not None:
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(30)
        stage.network.start(name)


def of_calls(lines: list[str], tx_ids: set[str]) -> Iterator[dict[str, str]]:
    """Yield the messages of the calls that were kept, without those of the network's own probes."""
    for line in lines:
        one: dict[str, str] = json.loads(line)
        if ChaincodeMessage.FromString(base64.b64decode(one["data"])).txid in tx_ids:
            yield one


def record(file: Path) -> None:
    """Write the fixture."""
    stage = Stage(os.environ["FABRIC_BIN"])
    recorder = Recorder(stage)
    try:
        with tempfile.TemporaryDirectory() as folder:
            lines = Path(folder) / "messages"
            with recording_chaincode(stage, lines):
                play(recorder)
            time.sleep(1)
            messages = list(of_calls(lines.read_text().splitlines(), {call["tx_id"] for call in recorder.calls}))
        with stage.ledger() as ledger:
            height = int(ledger.checkpoint()["number"]) + 1
        gateway = stage.gateway()
        blocks = [
            gateway.evaluate("qscc", "GetBlockByNumber", CHANNEL.encode(), str(n).encode()) for n in range(height)
        ]
        fixture = {
            "runs_on": stage.runs_on,
            "channel": CHANNEL,
            "chaincode": CHAINCODE,
            "trust": stage.evaluator.trust.to_json(),
            "blocks": [text(block) for block in blocks],
            "messages": messages,
            "calls": recorder.calls,
            "answers": recorder.answers,
        }
    finally:
        recorder.close()
        stage.close()
    file.write_bytes(lzma.compress(json.dumps(fixture).encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{file}: {len(blocks)} blocks, {len(recorder.calls)} calls, {file.stat().st_size} bytes")


def main() -> None:
    """Record, or be the chaincode process of a recording."""
    if sys.argv[1:] == ["--chaincode"]:
        with RecordingServer(from_environment()):
            threading.Event().wait()
    record(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
