"""The network's life, on the development peer: up, again, broken, mended, down."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fabricnet import Network, NetworkError

from tests.unit.fabric_network import FOLDER

ON = "development peer (not Hyperledger Fabric)"
NAMES = ("devpeer", "chaincode-evaluator", "chaincode-auditor")


@pytest.fixture(autouse=True)
def _without_fabric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABRIC_BIN", raising=False)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """A network that runs; a test that breaks it mends it."""
    folder = tmp_path_factory.mktemp("network") / "state"
    found = Network.up(folder, "devpeer")
    try:
        yield found
    finally:
        Network.open(folder).down(wipe=True)


def command(network: Network, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tool as a user does."""
    line = [sys.executable, str(FOLDER / "network.py"), *arguments, "--state", str(network.layout.state)]
    return subprocess.run(line, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})


def pids(network: Network) -> list[int | None]:
    return [one.pid for one in network.status()]


def test_every_line_of_the_status_says_what_it_runs_on(network: Network) -> None:
    told = command(network, "status")
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert [line.split(" | ")[1] for line in lines[:3]] == list(NAMES)
    assert lines[3].split(" | ")[1] == "ready"
    assert all(line.startswith(ON + " | ") for line in lines)


def test_the_status_as_json_names_profiles_and_processes(network: Network) -> None:
    told = json.loads(command(network, "status", "--json").stdout)
    assert (told["runs_on"], told["hyperledger_fabric"], told["ready"], told["fault"]) == (ON, False, True, None)
    assert [one["name"] for one in told["processes"]] == list(NAMES)
    assert all(one["runs_on"] == ON and one["pid"] for one in told["processes"])
    assert told["profile"] == str(network.profile)


def test_up_again_changes_nothing(network: Network) -> None:
    before = pids(network)
    keys = network.profile.read_bytes()
    again = Network.up(network.layout.state)
    assert (pids(again), again.profile.read_bytes()) == (before, keys)
    told = command(network, "up")
    assert (told.returncode, pids(network)) == (0, before)
    assert "ready after" in told.stdout


def test_without_one_organisations_chaincode_nothing_is_endorsed_until_it_is_back(network: Network) -> None:
    network.kill("chaincode-auditor")
    fault = network.fault()
    assert fault is not None
    told = command(network, "status")
    assert told.returncode == 3
    assert f"{ON} | chaincode-auditor | not running" in told.stdout
    assert f"{ON} | not ready: " in told.stdout
    with pytest.raises(NetworkError, match="chaincode-auditor has ended by itself"):
        network.wait_ready(1)
    network.start("chaincode-auditor")
    network.wait_ready()


def test_down_ends_every_process_and_up_starts_them_with_the_same_keys(network: Network) -> None:
    keys = {path: path.read_bytes() for path in network.layout.crypto_root.rglob("*") if path.is_file()}
    told = command(network, "down")
    assert told.stdout.startswith(f"{ON} | down | its ledger is kept")
    assert pids(network) == [None] * 3
    told = command(network, "status")
    assert told.returncode == 3
    assert Network.up(network.layout.state).fault() is None
    assert {path: path.read_bytes() for path in keys} == keys
    assert all(pids(network))


def test_a_port_that_another_process_took_is_named_and_one_that_may_change_changes(network: Network) -> None:
    network.down()
    ports = json.loads(network.layout.file.read_text())["ports"]
    with (
        socket.create_server(("127.0.0.1", ports["chaincode-auditor"])),
        pytest.raises(NetworkError, match=f"has taken port {ports['chaincode-auditor']} of chaincode-auditor"),
    ):
        Network.up(network.layout.state)
    with socket.create_server(("127.0.0.1", ports["chaincode-auditor-health"])):
        Network.up(network.layout.state)
    changed = json.loads(network.layout.file.read_text())["ports"]
    assert {name for name in ports if ports[name] != changed[name]} == {"chaincode-auditor-health"}


def test_another_backend_is_refused_for_the_same_folder(network: Network, tmp_path: Path) -> None:
    for name in ("peer", "orderer", "configtxgen", "osnadmin"):
        (tmp_path / name).write_text("#!/bin/sh\necho Version: v9.9.9\n")
        (tmp_path / name).chmod(0o755)
    with pytest.raises(NetworkError, match="another backend: development peer"):
        Network.up(network.layout.state, fabric_bin=tmp_path)


def test_a_network_that_was_never_finished_is_made_anew(tmp_path: Path) -> None:
    network = Network.up(tmp_path, "devpeer")
    document = json.loads(network.layout.file.read_text())
    network.layout.file.write_text(json.dumps({**document, "complete": False}))
    before, keys = pids(network), network.profile.read_bytes()
    try:
        again = Network.up(tmp_path, "devpeer")
        assert not set(pids(again)) & set(before)
        assert again.profile.read_bytes() != keys
    finally:
        Network.open(tmp_path).down(wipe=True)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_network_that_can_not_be_made_leaves_no_process_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(network: Network) -> None:
        raise NetworkError("no disc", where="here", fix="Get one")

    monkeypatch.setattr("fabricnet.development.DevelopmentBackend.establish", broken)
    with pytest.raises(NetworkError, match="no disc"):
        Network.up(tmp_path, "devpeer")
    assert Network.open(tmp_path).processes.names() == []


def test_without_a_network_status_says_so_and_down_is_content(network: Network, tmp_path: Path) -> None:
    line = [sys.executable, str(FOLDER / "network.py")]
    told = subprocess.run([*line, "status", "--state", tmp_path], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.startswith("network.py: There is no network")
    told = subprocess.run([*line, "down", "--state", tmp_path], capture_output=True, text=True, check=False)
    assert (told.returncode, list(tmp_path.iterdir())) == (0, [])
