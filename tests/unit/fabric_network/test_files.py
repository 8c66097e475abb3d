"""What the tool writes before anything runs: certificates, packages, configuration, profiles."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import stat
import subprocess
import tarfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID
from fabricnet import NetworkError, chaincode, configs
from fabricnet.certs import organisation_material
from fabricnet.package import package, package_id
from fabricnet.topology import AUDITOR, EVALUATOR, LOOPBACK, ORDERER, PEERS, Layout, certificate, private_key

from glassbox.ledger.fabric.profile import read_profile
from tests.unit.fabric_network import FOLDER

PORTS = {"orderer": 21001, "peer-evaluator": 21002, "peer-auditor": 21003}


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A state folder with the certificates of all three organisations."""
    found = Layout(tmp_path_factory.mktemp("state"))
    for organisation in (ORDERER, *PEERS):
        organisation_material(found.crypto(organisation))
    return found


def load(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_each_member_is_signed_by_its_organisation_and_carries_its_role(layout: Layout) -> None:
    roles = []
    for organisation in (ORDERER, *PEERS):
        crypto = layout.crypto(organisation)
        users = [crypto.user(name) for name in ("Admin", "User1") if crypto.user(name).exists()]
        for msp in (crypto.node / "msp", *users):
            found = load(certificate(msp))
            found.verify_directly_issued_by(load(crypto.authority))
            units = found.subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
            roles.append((organisation.name, *(unit.value for unit in units)))
            assert (msp / "config.yaml").read_text().count("OrganizationalUnitIdentifier") == 4
    assert roles == [
        ("orderer", "orderer"), ("orderer", "admin"),
        ("evaluator", "peer"), ("evaluator", "admin"), ("evaluator", "client"),
        ("auditor", "peer"), ("auditor", "admin"), ("auditor", "client"),
    ]  # fmt: skip


def test_tls_certificates_name_their_host_and_loopback_under_another_authority(layout: Layout) -> None:
    for organisation in (ORDERER, *PEERS):
        crypto = layout.crypto(organisation)
        found = load(crypto.node / "tls" / "server.crt")
        found.verify_directly_issued_by(load(crypto.tls_authority))
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        assert organisation.host in names.get_values_for_type(x509.DNSName)
        assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == [LOOPBACK]
        assert load(crypto.authority).public_key() != load(crypto.tls_authority).public_key()


def test_private_keys_are_their_owners_only(layout: Layout, tmp_path: Path) -> None:
    chaincode.prepare(Layout(tmp_path), EVALUATOR, "127.0.0.1:1", (LOOPBACK,))
    secret = [path for path in layout.crypto_root.rglob("*") if path.name.endswith((".key", "_sk"))]
    secret += [path for path in tmp_path.rglob("*") if path.suffix in (".key", ".json", ".tgz")]
    assert len(secret) == 8 + 8 + 4
    for path in secret:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_package_is_the_same_bytes_for_the_same_connection() -> None:
    data = package("glassbox_1", b'{"address":"127.0.0.1:1"}')
    assert hashlib.sha256(data).hexdigest() == "9b12aba42226b8df5a05262e3457981b80277a23d9179dc8fe2fead850bc8aff"
    assert data != package("glassbox_1", b'{"address":"127.0.0.1:2"}')
    assert package_id("glassbox_1", data) == f"glassbox_1:{hashlib.sha256(data).hexdigest()}"


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 200_000])
def test_a_package_holds_the_connection_and_says_that_it_is_a_service(size: int) -> None:
    connection = os.urandom(size)
    with tarfile.open(fileobj=io.BytesIO(package("some_label", connection)), mode="r:gz") as archive:
        entries = {name: archive.extractfile(name) for name in archive.getnames()}
        read = {name: file.read() for name, file in entries.items() if file is not None}
    assert json.loads(read["metadata.json"]) == {"type": "ccaas", "label": "some_label"}
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(read["code.tar.gz"]))) as archive:
        file = archive.extractfile("connection.json")
        assert file is not None
        assert file.read() == connection


@pytest.mark.skipif("FABRIC_BIN" not in os.environ, reason="FABRIC_BIN is not set")
def test_fabrics_own_tool_finds_the_same_package_id(tmp_path: Path) -> None:
    data = package("glassbox_1", b"{}")
    (tmp_path / "package.tgz").write_bytes(data)
    (tmp_path / "core.yaml").write_text("peer: {}\n")
    peer = Path(os.environ["FABRIC_BIN"]) / "peer"
    command = [str(peer), "lifecycle", "chaincode", "calculatepackageid", str(tmp_path / "package.tgz")]
    told = subprocess.run(command, env={"FABRIC_CFG_PATH": str(tmp_path)}, capture_output=True, check=True, text=True)
    assert told.stdout.strip() == package_id("glassbox_1", data)


def test_the_connection_demands_mutual_tls_and_each_organisation_has_its_own(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    ids = {chaincode.prepare(layout, one, "127.0.0.1:1", (LOOPBACK,)) for one in PEERS}
    assert len(ids) == 2
    for one in PEERS:
        folder = layout.chaincode(one)
        found = json.loads((folder / chaincode.CONNECTION).read_text())
        assert (found["tls_required"], found["client_auth_required"]) == (True, True)
        authority = x509.load_pem_x509_certificate(found["root_cert"].encode())
        for pem in (found["client_cert"].encode(), (folder / "server" / "server.pem").read_bytes()):
            x509.load_pem_x509_certificate(pem).verify_directly_issued_by(authority)
        assert (folder / "server" / "server.key").read_text() not in json.dumps(found)


def test_configuration_has_this_machines_addresses_and_none_of_the_containers(layout: Layout) -> None:
    configs.write_fabric_configs(layout, PORTS, 350)
    channel = (layout.config / "configtx.yaml").read_text()
    for text in ('["127.0.0.1:21001"]', "Host: 127.0.0.1, Port: 21002", "Host: 127.0.0.1, Port: 21003"):
        assert text in channel
    assert "BatchTimeout: 350ms" in channel
    rest = channel.replace(str(layout.crypto_root), "")
    assert "peer0." not in rest
    assert "7050" not in rest
    core = (layout.config / "core.yaml").read_text()
    assert f"path: {FOLDER / 'builder'}" in core


def test_a_changed_configuration_file_is_noticed(monkeypatch: pytest.MonkeyPatch, layout: Layout) -> None:
    monkeypatch.setattr(configs, "_PORTS_IN_FILES", {ORDERER: 7051})
    with pytest.raises(NetworkError, match="7051` 1 times"):
        configs.write_fabric_configs(layout, PORTS, 200)


def test_the_profiles_are_what_the_client_reads(layout: Layout) -> None:
    configs.write_profiles(layout, PORTS)
    evaluator, auditor = read_profile(str(layout.profile)), read_profile(str(layout.auditor_profile))
    assert (evaluator.gateway.address, auditor.gateway.address) == ("127.0.0.1:21002", "127.0.0.1:21003")
    assert (evaluator.client.msp_id, auditor.client.msp_id) == ("EvaluatorMSP", "AuditorMSP")
    assert evaluator.admin is not None
    assert auditor.admin is None
    assert evaluator.trust.fingerprint == auditor.trust.fingerprint
    key = private_key(layout.crypto(AUDITOR).user("User1"))
    assert str(key.relative_to(layout.state)) in layout.auditor_profile.read_text()


@pytest.mark.parametrize(
    ("metadata", "found"),
    [('{"type":"ccaas","label":"x"}', 0), ('{ "type" : "ccaas" }', 0), ('{"type":"golang"}', 1)],
)
def test_the_builder_takes_chaincode_services_only(tmp_path: Path, metadata: str, found: int) -> None:
    (tmp_path / "metadata.json").write_text(metadata)
    assert subprocess.run([FOLDER / "builder" / "bin" / "detect", "none", tmp_path], check=False).returncode == found


def test_the_builder_hands_the_connection_to_the_peer(tmp_path: Path) -> None:
    source, output, release = (tmp_path / name for name in ("source", "output", "release"))
    for folder in (source / "metadata" / "statedb", output, release):
        folder.mkdir(parents=True)
    build = [FOLDER / "builder" / "bin" / "build", source, tmp_path, output]
    assert subprocess.run(build, check=False, capture_output=True).returncode == 1
    (source / "connection.json").write_text("{}")
    subprocess.run(build, check=True)
    subprocess.run([FOLDER / "builder" / "bin" / "release", output, release], check=True)
    connection = release / "chaincode" / "server" / "connection.json"
    assert (connection.read_text(), stat.S_IMODE(connection.stat().st_mode)) == ("{}", 0o600)
    assert (release / "statedb").is_dir()
