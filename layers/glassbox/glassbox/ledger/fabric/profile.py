"""The connection profile: one JSON file that says where the network is, who this client is, and whom it trusts.

`fabric-network/PROFILE.md` describes the format. Certificates and keys stand in it as PEM texts, as paths beside it, or
as references to AWS Secrets Manager.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from glassbox.ledger.fabric.errors import FabricMisconfigured
from glassbox.ledger.fabric.gateway import Deadlines, Endpoint
from glassbox.ledger.fabric.network import Network
from glassbox.ledger.fabric.signing import KeySigner, read_key_file
from glassbox.ledger.fabric.trust import FORMAT as TRUST_FORMAT
from glassbox.ledger.fabric.trust import Trust, trust_from_json
from glassbox_contract import checks
from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError

FORMAT: Final = "glassbox-fabric-profile/1"
FIELDS: Final = (
    "format",
    "channel",
    "chaincode",
    "gateway",
    "peers",
    "client",
    "organisations",
    "orderers",
    "endorsement",
    "block_validation",
)
OPTIONAL: Final[dict[str, Any]] = {"admin": None, "deadlines": {}}
SECRET: Final = "secretsmanager:"  # noqa: S105 - the beginning of a reference, no secret

_PEM: Final = "-----BEGIN "
_MOST_PEERS: Final = 100


def read_profile(reference: str) -> Network:
    """Return the network in a profile: a file's path, or `secretsmanager:NAME[#member]`; raises FabricMisconfigured."""
    if reference.startswith(SECRET):
        return network_from_json(_parsed(_secret(reference).encode(), reference), None, reference)
    path = Path(reference)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FabricMisconfigured(
            f"The connection profile can't be read ({error.strerror or type(error).__name__})",
            where=str(path),
            fix="GLASSBOX_FABRIC_PROFILE names it; `fabric-network/network.py up` writes one for a network of your own",
        ) from None
    return network_from_json(_parsed(data, reference), path.parent, reference)


def network_from_json(value: Any, folder: Path | None, where: str) -> Network:
    """Return the network in a profile's JSON; paths in it are taken from `folder`. Raises FabricMisconfigured."""
    reader = _Reader(folder)
    try:
        if isinstance(value, dict):
            value = {**OPTIONAL, **value}
        raw = checks.fields(value, (*FIELDS, *OPTIONAL), "")
        if raw["format"] != FORMAT:
            raise ContractError("INVALID", f"must be {FORMAT}", "/format")
        trust = _trust(raw, reader)
        peers = _peers(raw["peers"], reader)
        if raw["gateway"] not in peers:
            raise ContractError("INVALID", "must name one of the peers", "/gateway")
        return Network(
            gateway=peers[raw["gateway"]],
            peers=peers,
            client=reader.signer(raw["client"], "/client"),
            trust=trust,
            admin=None if raw["admin"] is None else reader.signer(raw["admin"], "/admin"),
            deadlines=_deadlines(raw["deadlines"]),
        )
    except ContractError as error:
        raise FabricMisconfigured(
            f"The connection profile is not in order ({error.path or '/'}: {error.reason})",
            where=where,
            fix="fabric-network/PROFILE.md describes its format",
        ) from None


def _parsed(data: bytes, where: str) -> Any:
    try:
        return parse(data)
    except ContractError as error:
        # The reason names a place, never what stands there: a profile may hold a key.
        raise FabricMisconfigured(
            f"The connection profile is no JSON that can be read ({error.reason})", where=where, fix="Correct the file"
        ) from None


class _Reader:
    """Reads what a profile refers to."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def certificate(self, value: Any, path: str) -> bytes:
        """Return a certificate's PEM: the text itself, a file's, or a secret's."""
        if isinstance(value, str) and value.startswith(_PEM):
            return value.encode("utf-8", "replace")
        if isinstance(value, str) and value.startswith(SECRET):
            return _secret(value).encode()
        file = self._file(value, path)
        try:
            return file.read_bytes()
        except OSError as error:
            raise ContractError(
                "INVALID", f"the certificate's file can't be read ({error.strerror or type(error).__name__})", path
            ) from None

    def key(self, value: Any, path: str) -> bytes:
        """Return a private key's PEM; a file of it must be readable by its owner only."""
        if isinstance(value, str) and value.startswith(_PEM):
            return value.encode("utf-8", "replace")
        if isinstance(value, str) and value.startswith(SECRET):
            return _secret(value).encode()
        return read_key_file(self._file(value, path))

    def signer(self, value: Any, path: str) -> KeySigner:
        """Return the signer of {msp_id, certificate, private_key}."""
        raw = checks.fields(value, ("msp_id", "certificate", "private_key"), path)
        if not isinstance(raw["msp_id"], str):
            raise ContractError("INVALID", "must be an MSP id", path + "/msp_id")
        certificate = self.certificate(raw["certificate"], path + "/certificate")
        key = self.key(raw["private_key"], path + "/private_key")
        return KeySigner(raw["msp_id"], certificate, key, where=f"the profile's {path}")

    def _file(self, value: Any, path: str) -> Path:
        if not isinstance(value, str) or not value or "\x00" in value or "\n" in value:
            raise ContractError("INVALID", "must be a PEM text, a path, or secretsmanager:NAME", path)
        if self._folder is None and not Path(value).is_absolute():
            raise ContractError("INVALID", "a profile from a secret names no file beside it", path)
        return Path(value) if self._folder is None else self._folder / value


def _trust(raw: Mapping[str, Any], reader: _Reader) -> Trust:
    names = ("channel", "chaincode", "endorsement", "block_validation")
    document = {"format": TRUST_FORMAT, **{name: raw[name] for name in names}}
    for group in ("organisations", "orderers"):
        if not isinstance(raw[group], dict):
            raise ContractError("INVALID", "must be an object", f"/{group}")
        document[group] = {
            msp_id: _certificates(one, f"/{group}/{msp_id}", reader) for msp_id, one in raw[group].items()
        }
    return trust_from_json(document)


def _certificates(value: Any, path: str, reader: _Reader) -> dict[str, list[str]]:
    if isinstance(value, dict):
        value = {"intermediates": [], **value}
    raw = checks.fields(value, ("roots", "intermediates"), path)
    return {
        kind: [
            reader.certificate(item, f"{path}/{kind}/{at}").decode("utf-8", "replace")
            for at, item in enumerate(checks.listing(raw[kind], f"{path}/{kind}", 20))
        ]
        for kind in ("roots", "intermediates")
    }


def _peers(value: Any, reader: _Reader) -> dict[str, Endpoint]:
    if not isinstance(value, dict) or not 1 <= len(value) <= _MOST_PEERS:
        raise ContractError("INVALID", "must be an object with at least one peer", "/peers")
    peers = {}
    for msp_id, item in value.items():
        path = f"/peers/{msp_id}"
        raw = checks.fields({"host_name": None, **item} if isinstance(item, dict) else item, _PEER_FIELDS, path)
        address, host_name = raw["address"], raw["host_name"]
        if not isinstance(address, str) or ":" not in address:
            raise ContractError("INVALID", "must be host:port", path + "/address")
        if host_name is not None and not isinstance(host_name, str):
            raise ContractError("INVALID", "must be the name in the peer's certificate, or null", path + "/host_name")
        roots = None if raw["tls_roots"] is None else reader.certificate(raw["tls_roots"], path + "/tls_roots")
        peers[str(msp_id)] = Endpoint(address, roots, host_name)
    return peers


_PEER_FIELDS: Final = ("address", "tls_roots", "host_name")


def _deadlines(value: Any) -> Deadlines:
    names = [one.name for one in fields(Deadlines)]
    if not isinstance(value, dict) or not set(value) <= set(names):
        raise ContractError("INVALID", f"must be an object with some of {', '.join(names)}", "/deadlines")
    for name, seconds in value.items():
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 600:
            raise ContractError("INVALID", "must be seconds, more than 0 and at most 600", f"/deadlines/{name}")
    return Deadlines(**value)


def _secret(reference: str) -> str:
    """Return the text of a secret, or of one member of a secret that is a JSON object; raises FabricMisconfigured."""
    name, _, member = reference.removeprefix(SECRET).partition("#")
    try:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise FabricMisconfigured(
            "Secrets Manager needs boto3, which is not installed", where=reference, fix="Install glassbox[aws]"
        ) from None
    try:
        text = str(boto3.client("secretsmanager").get_secret_value(SecretId=name)["SecretString"])
        return str(json.loads(text)[member]) if member else text
    except (BotoCoreError, ClientError, ValueError, KeyError, TypeError) as error:
        raise FabricMisconfigured(
            f"The secret can't be fetched ({type(error).__name__})",
            where=reference,
            fix="Check its name, the region and the right to secretsmanager:GetSecretValue",
        ) from None
