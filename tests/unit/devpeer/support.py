"""A development peer with two chaincode processes of a plain contract, for the tests of the peer itself."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from glassbox.ledger.fabric.gateway import Deadlines, Endpoint, Gateway, Prepared
from glassbox.ledger.fabric.signing import KeySigner
from glassbox_chaincode.server import ChaincodeServer
from glassbox_chaincode.settings import Settings
from glassbox_chaincode.stub import FabricStub
from glassbox_contract.contract import Response
from tests.unit.ledger_fabric.authorities import Authority, Member

ROOT = Path(__file__).resolve().parents[3]
ORGANISATIONS = ("AuditorMSP", "EvaluatorMSP")
CHANNEL = "scorecards"
CHAINCODE = "plain"


def plain(stub: FabricStub, function: str, args: Sequence[bytes]) -> Response:
    """A contract with one function for each thing that a peer does; any other is a status to refuse with."""
    handler = _FUNCTIONS.get(function)
    if handler is None:
        return Response(int(function), b"", f"refused: {args[0].decode()}")
    return handler(stub, [one.decode() for one in args])


def _put(stub: FabricStub, args: list[str]) -> Response:
    for key, value in zip(args[::2], args[1::2], strict=True):
        stub.put_state(key, value.encode())
    return _answer([_shown(stub.get_state(key)) for key in args[::2]])


def _get(stub: FabricStub, args: list[str]) -> Response:
    return _answer([_shown(stub.get_state(key)) for key in args])


def _copy(stub: FabricStub, args: list[str]) -> Response:
    """Read one key and write another, so that it conflicts with whoever writes the first."""
    held = stub.get_state(args[0])
    stub.put_state(args[1], held or b"nothing")
    return _answer(_shown(held))


def _count(stub: FabricStub, args: list[str]) -> Response:
    """Read a range, and write how many keys it holds under a third argument."""
    found = stub.get_range(args[0], args[1], 10_000)
    if len(args) > 2:
        stub.put_state(args[2], str(len(found)).encode())
    return _answer([key for key, _ in found])


def _page(stub: FabricStub, args: list[str]) -> Response:
    page = stub.get_range_page(args[0], args[1], int(args[2]), args[3])
    if len(args) > 4:
        stub.put_state(args[4], b"written after a page was read")
    return _answer({"items": [key for key, _ in page.items], "bookmark": page.bookmark})


def _history(stub: FabricStub, args: list[str]) -> Response:
    return _answer([[one.tx_id, _shown(one.value), one.timestamp] for one in stub.get_history(args[0])])


def _event(stub: FabricStub, args: list[str]) -> Response:
    stub.put_state(args[0], b"1")
    stub.set_event(args[1], args[2].encode())
    return _answer(None)


def _who(stub: FabricStub, args: list[str]) -> Response:
    transient = {name: value.decode() for name, value in stub.transient.items()}
    return _answer([stub.tx_id, stub.creator.msp, stub.creator.role, transient])


def _slow(stub: FabricStub, args: list[str]) -> Response:
    time.sleep(float(args[0]))
    return _answer(None)


_FUNCTIONS: dict[str, Callable[[FabricStub, list[str]], Response]] = {
    "put": _put,
    "get": _get,
    "copy": _copy,
    "count": _count,
    "page": _page,
    "history": _history,
    "event": _event,
    "who": _who,
    "slow": _slow,
}


def _shown(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _answer(value: Any) -> Response:
    return Response(200, json.dumps(value).encode(), "")


def add_to_path() -> None:
    """Let the development peer's modules be imported."""
    folder = str(ROOT / "fabric-network")
    if folder not in sys.path:
        sys.path.insert(0, folder)


class Network:
    """Everything that one test needs; `start` and `kill` the peer as often as wanted."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.folder = folder
        self.authorities = {name: Authority(name) for name in (*ORGANISATIONS, "OrdererMSP", "StrangerMSP")}
        self.client = self.authorities["EvaluatorMSP"].member("client")
        self.servers: dict[str, ChaincodeServer] = {}
        self.addresses: dict[str, str] = {}
        self.control = ""
        self.log = folder / "devpeer.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._gateways: list[Gateway] = []
        self._write(more)

    def __enter__(self) -> Network:
        for name in ORGANISATIONS:
            self.start_chaincode(name)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self.stop()
        for server in self.servers.values():
            server.stop()

    def release(self) -> None:
        """Close every client."""
        while self._gateways:
            self._gateways.pop().close()

    def start_chaincode(self, name: str) -> None:
        """Start an organisation's chaincode at its address, or at a free one the first time."""
        path = self.folder / f"{name}-connection.json"
        told = json.loads(path.read_text()) if path.exists() else {"address": f"127.0.0.1:{free_port()}"}
        self.servers[name] = ChaincodeServer(Settings(f"{CHAINCODE}:{name}", told["address"], None), plain).start()
        path.write_text(json.dumps({**told, "dial_timeout": "1s", "tls_required": False}))

    def stop_chaincode(self, name: str) -> None:
        """End an organisation's chaincode."""
        self.servers.pop(name).stop()

    def start(self) -> None:
        """Start the development peer and return once it listens."""
        ready = self.folder / "ready.json"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "fabric-network")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "devpeer", "--config", str(self.folder / "config.json")],
                env=environment,
                stderr=log,
            )
        while not ready.exists():
            if self._process.poll() is not None:
                raise AssertionError(self.log.read_text())
            time.sleep(0.01)
        told = json.loads(ready.read_text())
        self.addresses, self.control = told["addresses"], told["control"]

    def kill(self) -> None:
        """End it as a lost machine does."""
        self._end(signal.SIGKILL)
        (self.folder / "ready.json").unlink(missing_ok=True)

    def stop(self) -> None:
        """End it as it should."""
        self._end(signal.SIGTERM)

    def wait_dead(self) -> int:
        """Return the exit code of a peer that ends by itself."""
        assert self._process is not None
        code = self._process.wait(30)
        self._process = None
        (self.folder / "ready.json").unlink(missing_ok=True)
        return code

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def faults(self, **faults: Any) -> dict[str, Any]:
        """Let these things be out of order, and nothing else."""
        request = urllib.request.Request(f"http://{self.control}/faults", json.dumps(faults).encode(), method="PUT")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read().decode()) from None

    def status(self) -> dict[str, Any]:
        """Return what the control address says."""
        with urllib.request.urlopen(f"http://{self.control}/", timeout=10) as answer:
            return dict(json.load(answer))

    def gateway(self, member: Member | None = None, via: str = "EvaluatorMSP", channel: str = CHANNEL) -> Gateway:
        """Return a client of a peer, by default the Evaluator's."""
        who = member or self.client
        signer = KeySigner(who.msp_id, who.certificate, who.key_pem)
        deadlines = Deadlines(evaluate=10, endorse=10, submit=10, commit_status=10)
        gateway = Gateway(Endpoint(self.addresses[via]), signer, channel, deadlines=deadlines)
        self._gateways.append(gateway)
        return gateway

    def prepare(self, function: str, *args: str) -> Prepared:
        """Return an endorsed transaction."""
        return self.gateway().endorse(CHAINCODE, function, *(arg.encode() for arg in args))

    def finish(self, *prepared: Prepared) -> list[str]:
        """Return the validation codes of transactions that are submitted one after the other."""
        gateway = self.gateway()
        for one in prepared:
            gateway.submit(one.tx_id, one.envelope)
        return [gateway.commit_status(one.tx_id).code for one in prepared]

    def commit(self, function: str, *args: str) -> str:
        """Return the id of a transaction that was carried through, and must be valid."""
        prepared = self.prepare(function, *args)
        assert self.finish(prepared) == ["VALID"]
        return prepared.tx_id

    def ask(self, function: str, *args: str) -> Any:
        """Return the answer to a question."""
        return json.loads(self.gateway().evaluate(CHAINCODE, function, *(arg.encode() for arg in args)))

    def _write(self, more: dict[str, Any]) -> None:
        for name, authority in self.authorities.items():
            (self.folder / f"{name}-ca.pem").write_bytes(authority.certificate)
        peers = {}
        for name in (*ORGANISATIONS, "OrdererMSP"):
            member = self.authorities[name].member("orderer" if name == "OrdererMSP" else "peer")
            (self.folder / f"{name}.pem").write_bytes(member.certificate)
            (self.folder / f"{name}.key").write_bytes(member.key_pem)
            peers[name] = {
                "address": f"127.0.0.1:{free_port()}",
                "certificate": f"{name}.pem",
                "private_key": f"{name}.key",
                "chaincode": {"package_id": f"{CHAINCODE}:{name}", "connection": f"{name}-connection.json"},
            }
        del peers["OrdererMSP"]
        config = {
            "format": "glassbox-devpeer/1",
            "channel": CHANNEL,
            "chaincode": CHAINCODE,
            "data": "data",
            "ready_file": "ready.json",
            "control": "127.0.0.1:0",
            "batch": {"timeout_ms": 20, "max_messages": 20},
            "peers": peers,
            "organisations": {name: {"roots": [f"{name}-ca.pem"]} for name in ORGANISATIONS},
            "orderers": {"OrdererMSP": {"roots": ["OrdererMSP-ca.pem"]}},
            "orderer": {"msp_id": "OrdererMSP", "certificate": "OrdererMSP.pem", "private_key": "OrdererMSP.key"},
            **more,
        }
        (self.folder / "config.json").write_text(json.dumps(config))


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
