"""The server as a process is told, protected, watched and stopped."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest

import glassbox_chaincode
from glassbox_chaincode import ChaincodeServer, Limits, Misconfigured, Settings, Tls
from glassbox_chaincode.health import HealthServer
from glassbox_chaincode.identity import creator_of
from glassbox_chaincode.protos import Message
from glassbox_chaincode.settings import from_environment, is_loopback
from glassbox_contract.contract import Response
from glassbox_contract.stub import Creator
from tests.unit.chaincode_fabric.authority import Authority
from tests.unit.chaincode_fabric.scripted import (
    CHAINCODE_ID,
    WAIT,
    Peer,
    certificate,
    eventually,
    identity,
    reply,
    response,
    server,
    transaction,
)

BASE = {"CHAINCODE_ID": CHAINCODE_ID, "CHAINCODE_SERVER_ADDRESS": "127.0.0.1:9999"}


def fine(stub: Any, function: str, args: Any) -> Response:
    return Response(200, b"", "")


def read(stub: Any, function: str, args: Any) -> Response:
    return Response(200, stub.get_state("key") or b"", "")


@pytest.mark.parametrize(
    ("units", "role"),
    [
        (("client",), "client"),
        (("admin",), "admin"),
        (("peer",), "peer"),
        (("orderer",), "orderer"),
        ((), ""),
        (("sales",), ""),
        (("sales", "client"), "client"),
        (("client", "admin"), ""),
        (("Client",), ""),
    ],
)
def test_the_role_is_the_one_organisational_unit_that_names_one(units: tuple[str, ...], role: str) -> None:
    assert creator_of(identity("SomeMSP", certificate(*units))) == Creator("SomeMSP", role)


@pytest.mark.parametrize("pem", [b"", b"idemix", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_an_identity_without_a_certificate_has_no_role(pem: bytes) -> None:
    assert creator_of(identity("SomeMSP", pem)) == Creator("SomeMSP", "")


def test_settings_come_from_the_environment() -> None:
    found = from_environment({**BASE, "CHAINCODE_CONCURRENCY": "7", "CHAINCODE_STOP_SECONDS": "3"})
    assert (found.chaincode_id, found.address, found.tls) == (CHAINCODE_ID, "127.0.0.1:9999", None)
    assert found.limits == Limits(concurrent=7, stop_seconds=3)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"CHAINCODE_ID": ""}, "CHAINCODE_ID"),
        ({"CHAINCODE_SERVER_ADDRESS": " "}, "CHAINCODE_SERVER_ADDRESS"),
        ({"CHAINCODE_SERVER_ADDRESS": "0.0.0.0:9999"}, "mutual TLS"),
        ({"CHAINCODE_SERVER_ADDRESS": "chaincode:9999", "CHAINCODE_TLS_DISABLED": "true"}, "mutual TLS"),
        ({"CHAINCODE_TLS_KEY": "/nowhere"}, "CHAINCODE_TLS_CERT is missing"),
        ({"CHAINCODE_TLS_KEY": "/nowhere", "CHAINCODE_TLS_CERT": "/nowhere"}, "CHAINCODE_TLS_KEY names can't be read"),
        ({"CHAINCODE_TLS_DISABLED": "true", "CHAINCODE_TLS_KEY": "x"}, "contradicts CHAINCODE_TLS_KEY"),
        ({"CHAINCODE_CLIENT_CA_CERT": "x"}, "CHAINCODE_TLS_KEY is missing"),
        ({"CHAINCODE_CONCURRENCY": "0"}, "CHAINCODE_CONCURRENCY must be a whole number in 1..512"),
        ({"CHAINCODE_CONCURRENCY": "9" * 5000}, "CHAINCODE_CONCURRENCY"),
        ({"CHAINCODE_WAITING": "many"}, "CHAINCODE_WAITING"),
        ({"CHAINCODE_LOG_LEVEL": "loud"}, "CHAINCODE_LOG_LEVEL"),
    ],
)
def test_a_wrong_setting_is_named(changes: dict[str, str], names: str) -> None:
    with pytest.raises(Misconfigured, match=names):
        from_environment({**BASE, **changes})


def test_tls_without_a_client_authority_is_refused_outside_loopback(authority: Authority, tmp_path: Path) -> None:
    pair = authority.server(tmp_path)
    environment = {**BASE, "CHAINCODE_TLS_KEY": str(pair.key), "CHAINCODE_TLS_CERT": pair.certificate.read_text()}
    assert from_environment(environment).tls == Tls(pair.key.read_bytes(), pair.certificate.read_bytes(), None)
    with pytest.raises(Misconfigured, match="mutual TLS"):
        from_environment({**environment, "CHAINCODE_SERVER_ADDRESS": "0.0.0.0:9999"})


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1:1", True),
        ("127.8.8.8:1", True),
        ("[::1]:1", True),
        ("localhost:1", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("10.0.0.1:1", False),
        ("chaincode:1", False),
        (":1", False),
    ],
)
def test_loopback_is_told_from_the_network(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_a_secret_stands_in_no_representation() -> None:
    assert "KEY" not in repr(Settings(CHAINCODE_ID, "127.0.0.1:0", Tls(b"KEY", b"certificate", None)))


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


def test_with_mutual_tls_only_peers_of_the_authority_are_served(authority: Authority, tmp_path: Path) -> None:
    pair, client = authority.server(tmp_path), authority.client(tmp_path)
    tls = Tls(pair.key.read_bytes(), pair.certificate.read_bytes(), authority.pem)
    stranger = Authority().client(tmp_path / "stranger")
    with ChaincodeServer(Settings(CHAINCODE_ID, "127.0.0.1:0", tls), fine) as running:
        known = grpc.ssl_channel_credentials(authority.pem, client.key.read_bytes(), client.certificate.read_bytes())
        with Peer(running.port, credentials=known) as peer:
            assert peer.registered().run("t1", "Fine").status == 200
        other = grpc.ssl_channel_credentials(
            authority.pem, stranger.key.read_bytes(), stranger.certificate.read_bytes()
        )
        for credentials in (None, grpc.ssl_channel_credentials(authority.pem), other):
            with Peer(running.port, credentials=credentials) as peer:
                assert peer.ended.wait(WAIT)
                assert peer.code == grpc.StatusCode.UNAVAILABLE
        assert running.status()["peers"] == 0


def test_an_address_that_is_taken_is_said_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(Misconfigured, match="can't listen"):
            ChaincodeServer(Settings(CHAINCODE_ID, address, None), fine).start()
        with pytest.raises(Misconfigured, match="CHAINCODE_HEALTH_ADDRESS"):
            HealthServer(address, dict)


def test_a_stop_lets_transactions_end_and_refuses_new_ones() -> None:
    running = server(read, stop_seconds=WAIT).start()
    with Peer(running.port) as peer:
        peer.registered().send(transaction("t1", "Read"))
        request = peer.expect(Message.GET_STATE)
        stopped: list[bool] = []
        stopper = threading.Thread(target=lambda: stopped.append(running.stop()))
        stopper.start()
        assert eventually(lambda: running.status()["status"] == "stopping")
        late = peer.run("t2", "Read")
        assert (late.status, late.message) == (503, "UNAVAILABLE: the chaincode is stopping")
        peer.send(reply(request, b"value"))
        assert response(peer.next()).payload == b"value"
        stopper.join(WAIT)
        assert stopped == [True]
        assert peer.ended.wait(WAIT)
        assert peer.code == grpc.StatusCode.OK


def test_a_stop_cuts_off_what_does_not_end_in_time() -> None:
    running = server(read, stop_seconds=0.05).start()
    with Peer(running.port) as peer:
        peer.registered().send(transaction("t1", "Read"))
        peer.expect(Message.GET_STATE)
        assert running.stop() is False
        assert peer.ended.wait(WAIT)
    assert running.status() == {"status": "stopped", "peers": 0, "in_flight": 0, "done": 1}


def test_health_is_told_over_http() -> None:
    status: dict[str, Any] = {"status": "serving", "peers": 2}
    health = HealthServer("127.0.0.1:0", lambda: status)
    try:
        base = f"http://127.0.0.1:{health.port}"
        with urllib.request.urlopen(base + "/healthz") as answer:
            assert json.load(answer) == status
        status["status"] = "stopping"
        for path, code in (("/healthz", 503), ("/other", 404)):
            with pytest.raises(urllib.error.HTTPError) as found:
                urllib.request.urlopen(base + path)
            with found.value:
                assert found.value.code == code
    finally:
        health.close()


def start(tmp_path: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start the server as users do."""
    source = str(Path(glassbox_chaincode.__file__).parents[1])
    with (tmp_path / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "glassbox_chaincode"],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": source, **environment},
            stderr=log,
        )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def test_the_process_serves_until_sigterm_and_answers_what_runs(tmp_path: Path) -> None:
    port = free_port()
    process = start(tmp_path, CHAINCODE_ID=CHAINCODE_ID, CHAINCODE_SERVER_ADDRESS=f"127.0.0.1:{port}")
    try:
        peer = connect(port, process)
        with peer:
            peer.registered().send(transaction("t1", "GetScorecard", "6f1d3c2a-0b1c-5d2e-8f3a-4b5c6d7e8f90"))
            request = peer.expect(Message.GET_STATE)
            process.send_signal(signal.SIGTERM)
            peer.send(reply(request))
            assert response(peer.expect(Message.COMPLETED)).status == 404
            assert process.wait(WAIT) == 0
    finally:
        process.kill()
        process.wait()
    log = (tmp_path / "log").read_text()
    assert "function=GetScorecard bytes=48 status=404" in log
    assert "6f1d3c2a" not in log


def test_the_process_says_what_is_missing(tmp_path: Path) -> None:
    process = start(tmp_path, CHAINCODE_ID=CHAINCODE_ID)
    assert process.wait(WAIT) == 1
    assert (tmp_path / "log").read_text().startswith("glassbox_chaincode: CHAINCODE_SERVER_ADDRESS is not set")


def connect(port: int, process: subprocess.Popen[bytes]) -> Peer:
    """Return a connection to a server that is starting."""
    pause = threading.Event()
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            pause.wait(0.02)
        else:
            return Peer(port)
    raise AssertionError("the server has ended")
