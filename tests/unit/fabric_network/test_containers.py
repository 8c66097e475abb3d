"""docker-compose.yaml against everything that it names; no container is started here."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from fabricnet import compose
from fabricnet.topology import AUDITOR, CHAINCODE, CHAINCODE_VERSION, CHANNEL, EVALUATOR, ORDERER, PEERS, Layout

from glassbox.ledger.fabric.profile import read_profile
from tests.unit.fabric_network import FOLDER

ROOT = FOLDER.parent
TEXT = (FOLDER / "docker-compose.yaml").read_text()
SETUP = (FOLDER / "compose" / "setup.sh").read_text()
VARIABLE = re.compile(r"\$\{([A-Z_]+)(?:(:-|:\?)([^}]*))?\}")


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A prepared state folder."""
    return Layout(compose.prepare(tmp_path_factory.mktemp("containers") / "state").parent)


@pytest.fixture(scope="module")
def values(layout: Layout) -> dict[str, str]:
    """The env file."""
    lines = (layout.state / compose.FILE).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


@pytest.fixture(scope="module")
def services(values: dict[str, str]) -> dict[str, Any]:
    """The services with every variable in its place, as docker compose sees them."""

    def value(match: re.Match[str]) -> str:
        return values[match[1]] if match[1] in values else match[3] if match[2] == ":-" else pytest.fail(match[1])

    found: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, TEXT))["services"]
    return found


def test_preparing_twice_changes_nothing(layout: Layout) -> None:
    before = {path: path.read_bytes() for path in layout.state.rglob("*") if path.is_file()}
    compose.prepare(layout.state)
    assert {path: path.read_bytes() for path in layout.state.rglob("*") if path.is_file()} == before


def test_a_variable_without_a_default_is_one_that_is_prepared(values: dict[str, str]) -> None:
    assert {match[1] for match in VARIABLE.finditer(TEXT) if match[2] != ":-"} == set(values)


def mounts(service: dict[str, Any]) -> dict[str, str]:
    """Return what is mounted where, volumes by their name."""
    pairs = (one.removesuffix(":ro").split(":") for one in service.get("volumes", []))
    return {inside: outside for outside, inside in pairs}


def inside(service: dict[str, Any], path: str) -> Path | None:
    """Return the file here that a container sees at a path; None below a volume of its own."""
    for target, source in sorted(mounts(service).items(), reverse=True):
        if path == target or path.startswith(target + "/"):
            if not source.startswith((".", "/")):
                return None
            base = FOLDER / source if source.startswith(".") else Path(source)
            return Path(str(base) + path.removeprefix(target))
    raise AssertionError(f"nothing is mounted at {path}")


def test_everything_that_is_mounted_is_there(services: dict[str, Any]) -> None:
    volumes = yaml.safe_load(TEXT)["volumes"]
    for service in services.values():
        for target, source in mounts(service).items():
            if source.startswith((".", "/")):
                found = inside(service, target)
                assert found is not None and found.exists(), source
            else:
                assert source in volumes


def test_every_path_in_the_environment_is_a_file_that_is_mounted(services: dict[str, Any]) -> None:
    seen = 0
    for service in services.values():
        for name, text in service["environment"].items():
            for path in re.findall(r"/(?:node|run|state|var)[^\]]*", str(text)):
                found = inside(service, path) if not path.startswith("/state") else Path("/")
                seen += 1
                assert found is None or found.exists(), (name, path)
    assert seen > 25


def test_hosts_ports_and_organisations_agree_everywhere(services: dict[str, Any]) -> None:
    channel = (FOLDER / "configtx.yaml").read_text()
    for organisation, port in ((EVALUATOR, 7051), (AUDITOR, 9051)):
        environment = services[organisation.host]["environment"]
        assert environment["CORE_PEER_LOCALMSPID"] == organisation.msp_id
        assert environment["CORE_PEER_ADDRESS"] == f"{organisation.host}:{port}"
        assert environment["CORE_PEER_GOSSIP_EXTERNALENDPOINT"] == f"{organisation.host}:{port}"
        assert environment["CORE_PEER_LISTENADDRESS"] == f"0.0.0.0:{port}"
        assert services[organisation.host]["ports"] == [f"127.0.0.1:{port}:{port}"]
        assert f"{{Host: {organisation.host}, Port: {port}}}" in channel
        assert f"CORE_PEER_LOCALMSPID={organisation.msp_id} port={port}" in SETUP
        assert f"--peerAddresses {organisation.host}:{port}" in SETUP
    orderer = services[ORDERER.host]["environment"]
    assert f'["{ORDERER.host}:{orderer["ORDERER_GENERAL_LISTENPORT"]}"]' in channel
    assert f"ORDERER={ORDERER.host}" in SETUP
    assert orderer["ORDERER_ADMIN_LISTENADDRESS"].endswith(":7053")
    assert '"$ORDERER:7053"' in SETUP


def test_a_node_is_mounted_from_its_own_organisation(services: dict[str, Any], layout: Layout) -> None:
    for organisation in (ORDERER, *PEERS):
        assert mounts(services[organisation.host])["/node"] == str(layout.crypto(organisation).node)


def test_the_peers_find_the_builder_where_core_yaml_says(services: dict[str, Any]) -> None:
    core = yaml.safe_load((FOLDER / "config" / "core.yaml").read_text())
    for organisation in PEERS:
        path = core["chaincode"]["externalBuilders"][0]["path"] + "/bin/detect"
        assert inside(services[organisation.host], path) == FOLDER / "builder" / "bin" / "detect"


def test_each_peer_dials_its_own_chaincode_by_a_name_in_its_certificate(
    services: dict[str, Any], layout: Layout, values: dict[str, str]
) -> None:
    for organisation in PEERS:
        host = compose.chaincode_host(organisation)
        service = services[host]
        environment = service["environment"]
        connection = json.loads((layout.chaincode(organisation) / "connection.json").read_text())
        assert connection["address"] == f"{host}:9999"
        assert environment["CHAINCODE_SERVER_ADDRESS"] == "0.0.0.0:9999"
        assert environment["CHAINCODE_ID"] == values[f"CHAINCODE_ID_{organisation.name.upper()}"]
        pem = inside(service, environment["CHAINCODE_TLS_CERT"])
        assert pem is not None
        names = x509.load_pem_x509_certificate(pem.read_bytes()).extensions.get_extension_for_class(
            x509.SubjectAlternativeName
        )
        assert names.value.get_values_for_type(x509.DNSName) == [host]
        assert not any("peer.key" in str(path) for path in Path(mounts(service)["/run/secrets"]).iterdir())


def test_the_set_up_commits_what_the_tool_would() -> None:
    for name, value in (("CHANNEL", CHANNEL), ("CHAINCODE", CHAINCODE), ("VERSION", CHAINCODE_VERSION)):
        assert f"\n{name}={value}\n" in SETUP
    subprocess.run(["sh", "-n", FOLDER / "compose" / "setup.sh"], check=True)


def test_the_set_up_waits_for_everybody(services: dict[str, Any]) -> None:
    assert sorted(services["setup"]["depends_on"]) == sorted(set(services) - {"setup"})


def test_the_profile_names_the_published_ports(layout: Layout, services: dict[str, Any]) -> None:
    found = read_profile(str(layout.profile))
    for organisation in PEERS:
        port = services[organisation.host]["ports"][0].rsplit(":", 1)[0]
        assert found.peers[organisation.msp_id].address == port


def test_the_image_is_built_from_what_is_not_left_out() -> None:
    dockerfile = (ROOT / "chaincode" / "Dockerfile").read_text()
    kept = [line[1:] for line in (ROOT / "chaincode" / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"]  # fmt: skip  # noqa: E501
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    assert sorted(" ".join(copied).split()) == sorted(kept)
    assert all((ROOT / name).exists() for name in kept)
    contract = (ROOT / "chaincode" / "pyproject.toml").read_text()
    assert '"glassbox_contract", "glassbox_chaincode"' in contract
    assert "fabric = [" in contract
