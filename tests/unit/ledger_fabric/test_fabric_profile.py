"""The connection profile says where, who and whom; what is wrong in it is named by its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from glassbox.errors import LedgerUnavailable, UsageError
from glassbox.ledger.fabric.errors import FabricMisconfigured
from glassbox.ledger.fabric.profile import read_profile
from glassbox.ledger.fabric.trust import read_trust, trust_from_json
from glassbox_contract.errors import ContractError
from tests.unit.ledger_fabric.network import Channel, Peers
from tests.unit.ledger_fabric.profiles import profile_of, write_profile


@pytest.fixture(scope="module")
def profile() -> dict[str, Any]:
    return profile_of(Channel(), {"EvaluatorMSP": "127.0.0.1:1", "AuditorMSP": "127.0.0.1:2"})


def read(tmp_path: Path, value: Any) -> Any:
    path = tmp_path / "profile.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return read_profile(str(path))


def test_a_profile_with_everything_in_it(profile: dict[str, Any], tmp_path: Path) -> None:
    network = read(tmp_path, profile)
    assert network.gateway.address == "127.0.0.1:1"
    assert network.client.msp_id == "EvaluatorMSP"
    assert network.admin is not None
    assert (network.trust.channel, network.deadlines.commit_status) == ("scorecards", 60.0)
    elsewhere = network.on("other", None)
    assert (elsewhere.trust.channel, elsewhere.trust.chaincode) == ("other", "glassbox")


def test_a_profile_with_files_beside_it(profile: dict[str, Any], tmp_path: Path) -> None:
    path = write_profile(profile, tmp_path)
    assert read_profile(str(path)).client.certificate == profile["client"]["certificate"].encode()
    (tmp_path / "client.key").chmod(0o644)
    with pytest.raises(FabricMisconfigured, match="chmod 600"):
        read_profile(str(path))
    (tmp_path / "client.key").unlink()
    with pytest.raises(FabricMisconfigured, match="can't be read"):
        read_profile(str(path))


WRONG = [
    ({"format": "x"}, "/format"),
    ({"gateway": "OtherMSP"}, "/gateway"),
    ({"channel": ""}, "/channel"),
    ({"endorsement": "most"}, "/endorsement"),
    ({"organisations": {}}, "/organisations"),
    ({"organisations": {"EvaluatorMSP": {"roots": []}}}, "/organisations/EvaluatorMSP/roots"),
    ({"orderers": {"OrdererMSP": {"roots": ["-----BEGIN CERTIFICATE-----\n"]}}}, "/orderers/OrdererMSP/roots/0"),
    ({"peers": {"EvaluatorMSP": {"address": "nowhere", "tls_roots": None}}}, "/peers/EvaluatorMSP/address"),
    ({"peers": []}, "/peers"),
    ({"client": {"msp_id": "EvaluatorMSP"}}, "/client"),
    ({"deadlines": {"evaluate": 0}}, "/deadlines/evaluate"),
    ({"deadlines": {"evaluate": True}}, "/deadlines/evaluate"),
    ({"deadlines": {"other": 1}}, "/deadlines"),
    ({"more": 1}, "/"),
]


@pytest.mark.parametrize(("change", "place"), WRONG)
def test_each_fault_of_a_profile_is_named_by_its_place(
    profile: dict[str, Any], tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    with pytest.raises(FabricMisconfigured) as caught:
        read(tmp_path, {**profile, **change})
    assert f"({place}:" in str(caught.value)


def test_a_broken_profile_shows_nothing_of_a_key_in_it(profile: dict[str, Any], tmp_path: Path) -> None:
    for text in (json.dumps(profile)[:-1], json.dumps(profile).replace("PRIVATE KEY", "PRIVATE THING")):
        with pytest.raises(FabricMisconfigured) as caught:
            read(tmp_path, text)
        assert "PRIVATE" not in str(caught.value)
        assert "MIG" not in str(caught.value)


def test_a_profile_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FabricMisconfigured, match="GLASSBOX_FABRIC_PROFILE"):
        read_profile(str(tmp_path / "none.json"))


def test_keys_may_come_from_secrets_manager(
    profile: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import boto3
    from moto import mock_aws

    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        manager = boto3.client("secretsmanager")
        manager.create_secret(Name="glassbox/keys", SecretString=json.dumps({"key": profile["client"]["private_key"]}))
        client = {**profile["client"], "private_key": "secretsmanager:glassbox/keys#key"}
        manager.create_secret(Name="glassbox/fabric", SecretString=json.dumps({**profile, "client": client}))
        assert read_profile("secretsmanager:glassbox/fabric").client.msp_id == "EvaluatorMSP"
        with pytest.raises(FabricMisconfigured, match="can't be fetched"):
            read_profile("secretsmanager:glassbox/none")


def test_roots_are_written_and_read_with_one_fingerprint(tmp_path: Path) -> None:
    trust = Channel().trust
    path = tmp_path / "trust.json"
    path.write_text(json.dumps(trust.to_json(), indent=2))
    assert read_trust(path) == trust_from_json(trust.to_json())
    assert read_trust(tmp_path).fingerprint == trust_from_json(trust.to_json()).fingerprint
    assert Channel().trust.fingerprint != trust.fingerprint
    for damaged in ("{}", "[", json.dumps({**trust.to_json(), "orderers": {}})):
        path.write_text(damaged)
        with pytest.raises(UsageError, match="ledger trust"):
            read_trust(path)


def test_roots_hold_certificates_and_no_key() -> None:
    channel = Channel()
    raw = channel.trust.to_json()
    raw["organisations"]["EvaluatorMSP"]["roots"] = [channel.client.key_pem.decode()]
    with pytest.raises(ContractError, match="certificate"):
        trust_from_json(raw)


def test_tls_is_checked_against_the_roots_and_the_name(tmp_path: Path) -> None:
    from glassbox.ledger.fabric.gateway import Endpoint, Gateway
    from tests.unit.ledger_fabric.authorities import Authority

    channel = Channel()
    peers = Peers(channel, tls=True)
    try:
        roots = channel.evaluator.certificate
        address = peers.addresses["EvaluatorMSP"]
        good = Gateway(Endpoint(address, roots, "localhost"), channel.client.signer, "scorecards")
        assert good.evaluate("glassbox", "GetSchema").startswith(b"{")
        good.close()
        stranger = Authority("EvaluatorMSP").certificate
        for endpoint in (Endpoint(address, stranger, "localhost"), Endpoint(address, roots, "elsewhere.example")):
            gateway = Gateway(endpoint, channel.client.signer, "scorecards")
            with pytest.raises(FabricMisconfigured, match="TLS"):
                gateway.evaluate("glassbox", "GetSchema")
            gateway.close()
    finally:
        peers.close()


@pytest.mark.parametrize("with_roots", [True, False], ids=["no client certificate", "no TLS"])
def test_a_peer_that_demands_more_than_the_profile_has_is_not_said_to_be_away(with_roots: bool) -> None:
    from glassbox.ledger.fabric.gateway import Endpoint, Gateway

    channel = Channel()
    roots = channel.evaluator.certificate
    peers = Peers(channel, tls=True, client_roots=roots)
    endpoint = Endpoint(peers.addresses["EvaluatorMSP"], roots if with_roots else None, "localhost")
    gateway = Gateway(endpoint, channel.client.signer, "scorecards")
    try:
        with pytest.raises(LedgerUnavailable, match="closes it") as caught:
            gateway.evaluate("glassbox", "GetSchema")
    finally:
        gateway.close()
        peers.close()
    assert "clientAuthRequired" in str(caught.value)
    assert "No peer answers" not in str(caught.value)
