"""The development peer says what it is wherever it speaks, and takes nothing from the product that it tests."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.devpeer.support import ROOT, Network

PACKAGE = ROOT / "fabric-network" / "devpeer"
NAME = "development peer: simulates two peers and an orderer; not Hyperledger Fabric"


def run(*args: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PYTHONPATH": str(PACKAGE.parent), "PATH": "", "COLUMNS": "200"}
    argv = [sys.executable, "-m", "devpeer", *args]
    return subprocess.run(argv, env=environment, capture_output=True, timeout=60, check=False)


def test_the_help_and_the_status_say_what_it_is(network: Network) -> None:
    assert NAME in run("--help").stdout.decode()
    assert network.status()["name"] == NAME


def test_every_line_that_it_prints_says_what_it_is(network: Network) -> None:
    lines = network.log.read_text().splitlines()
    assert lines
    assert all(line.startswith(f"[{NAME}] ") for line in lines)


def test_it_imports_nothing_of_the_product() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not [name for name in names if name.startswith("glassbox")], path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other/1"}, "/format: must be glassbox-devpeer/1"),
        ({"endorsement": "most"}, "/endorsement: must be one of any, majority, all"),
        ({"peers": {}}, "/peers: must name at least one organisation"),
        ({"batch": {"timeout_ms": 0}}, "/batch/timeout_ms: must be a whole number above 0"),
        ({"batch": {"seconds": 1}}, "/batch: missing: -; unknown: seconds"),
        ({"timeouts": {"execute": "soon"}}, "/timeouts/execute: must be a duration"),
        ({"orderers": {"X": {"roots": ["missing.pem"]}}}, "/orderers/X/roots/0"),
        ({"orderer": {"msp_id": "OrdererMSP"}}, "/orderer: missing: certificate, private_key"),
        ({"unknown": 1}, "/: missing: -; unknown: unknown"),
        ({"control": "0.0.0.0:0"}, "control: 0.0.0.0:0 must be 127.0.0.1 and a port"),
    ],
)
def test_a_configuration_that_is_not_in_order_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    network = Network(tmp_path)
    for name in ("AuditorMSP", "EvaluatorMSP"):
        (tmp_path / f"{name}-connection.json").write_text(json.dumps({"address": "127.0.0.1:1"}))
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    done = run("--config", str(path))
    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert done.stderr.decode().startswith(f"[{NAME}] ")
    assert network.authorities


def test_a_configuration_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = run("--config", str(tmp_path / "none.json"))
    assert (done.returncode, b"none.json: can't be read" in done.stderr) == (1, True)


def test_without_tls_it_listens_on_loopback_only(tmp_path: Path) -> None:
    Network(tmp_path)
    for name in ("AuditorMSP", "EvaluatorMSP"):
        (tmp_path / f"{name}-connection.json").write_text(json.dumps({"address": "127.0.0.1:1"}))
    path = tmp_path / "config.json"
    config = json.loads(path.read_text())
    config["peers"]["AuditorMSP"]["address"] = "0.0.0.0:0"
    path.write_text(json.dumps(config))
    done = run("--config", str(path))
    assert (done.returncode, b"without TLS it listens on 127.0.0.1 only" in done.stderr) == (1, True)
