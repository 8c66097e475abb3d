"""What the development peer is told: one JSON file, whose members PROFILE.md beside this package describes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from devpeer.errors import ConfigError

FORMAT: Final = "glassbox-devpeer/1"
RULES: Final = ("any", "majority", "all")
_FIELDS: Final = (
    "format",
    "channel",
    "chaincode",
    "data",
    "peers",
    "organisations",
    "orderers",
    "orderer",
)
_OPTIONAL: Final[dict[str, Any]] = {
    "chaincode_version": "1.0",
    "ready_file": None,
    "endorsement": "majority",
    "batch": {},
    "timeouts": {},
    "control": None,
}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m)")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its private key, PEM."""

    certificate: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class ChaincodeServer:
    """Where an organisation's chaincode process listens, as Fabric's `connection.json` says it."""

    address: str
    package_id: str
    dial_seconds: float
    root: bytes | None
    """The authority of its TLS certificate, PEM; None without TLS."""
    client: KeyPair | None
    """What the peer shows in turn, where the chaincode asks for it."""
    host_name: str | None


@dataclass(frozen=True, slots=True)
class PeerConfig:
    """One organisation's peer: where it listens and who it is."""

    msp_id: str
    address: str
    tls: KeyPair | None
    identity: KeyPair
    chaincode: ChaincodeServer


@dataclass(frozen=True, slots=True)
class Authorities:
    """The certificates that an organisation's members chain to, PEM."""

    roots: tuple[bytes, ...]
    intermediates: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """When a block is cut: so long after its first transaction, at so many, or at so many bytes."""

    timeout_ms: int = 200
    max_messages: int = 50
    max_bytes: int = 10 << 20


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that stands in the file."""

    channel: str
    chaincode: str
    chaincode_version: str
    data: Path
    ready_file: Path | None
    control: str | None
    endorsement: str
    batch: Batch
    execute_seconds: float
    peers: Mapping[str, PeerConfig]
    organisations: Mapping[str, Authorities]
    orderers: Mapping[str, Authorities]
    orderer_msp: str
    orderer: KeyPair


def read_config(path: Path) -> Config:
    """Return the configuration in a file; relative paths in it are taken from its folder. Raises ConfigError."""
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror or type(error).__name__})") from None
    except ValueError:
        raise ConfigError(f"{path}: no JSON") from None
    return _Reader(path).config(value)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path

    def config(self, value: Any) -> Config:
        raw = self._object(value, "", _FIELDS, _OPTIONAL)
        if raw["format"] != FORMAT:
            raise self._wrong("/format", f"must be {FORMAT}")
        if raw["endorsement"] not in RULES:
            raise self._wrong("/endorsement", f"must be one of {', '.join(RULES)}")
        names = ("msp_id", "certificate", "private_key")
        orderer = self._object(raw["orderer"], "/orderer", names, {})
        found = Config(
            channel=self._text(raw["channel"], "/channel"),
            chaincode=self._text(raw["chaincode"], "/chaincode"),
            chaincode_version=self._text(raw["chaincode_version"], "/chaincode_version"),
            data=self._path.parent / self._text(raw["data"], "/data"),
            ready_file=None if raw["ready_file"] is None else self._path.parent / raw["ready_file"],
            control=None if raw["control"] is None else self._text(raw["control"], "/control"),
            endorsement=raw["endorsement"],
            batch=self._batch(raw["batch"]),
            execute_seconds=self._execute(raw["timeouts"]),
            peers=self._each(raw["peers"], "/peers", self._peer),
            organisations=self._each(raw["organisations"], "/organisations", self._authorities),
            orderers=self._each(raw["orderers"], "/orderers", self._authorities),
            orderer_msp=self._text(orderer["msp_id"], "/orderer/msp_id"),
            orderer=self._pair(orderer, "/orderer", "certificate", "private_key"),
        )
        if not set(found.peers) <= set(found.organisations):
            raise self._wrong("/peers", "each must stand under /organisations too")
        if found.orderer_msp not in found.orderers:
            raise self._wrong("/orderer/msp_id", "must stand under /orderers")
        return found

    def _each(self, value: Any, where: str, read: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not value:
            raise self._wrong(where, "must name at least one organisation")
        return {name: read(name, one, f"{where}/{name}") for name, one in sorted(value.items())}

    def _peer(self, msp_id: str, value: Any, where: str) -> PeerConfig:
        names = ("address", "certificate", "private_key", "chaincode")
        raw = self._object(value, where, names, {"tls_certificate": None, "tls_key": None})
        tls = None if raw["tls_certificate"] is None else self._pair(raw, where, "tls_certificate", "tls_key")
        return PeerConfig(
            msp_id=msp_id,
            address=self._text(raw["address"], where + "/address"),
            tls=tls,
            identity=self._pair(raw, where, "certificate", "private_key"),
            chaincode=self._chaincode(raw["chaincode"], where + "/chaincode"),
        )

    def _chaincode(self, value: Any, where: str) -> ChaincodeServer:
        raw = self._object(value, where, ("package_id", "connection"), {})
        try:
            told = json.loads(self._file(raw["connection"], where + "/connection"))
        except ValueError:
            raise self._wrong(where + "/connection", "no JSON") from None
        if not isinstance(told, dict):
            raise self._wrong(where + "/connection", "must be an object")
        secure, both = bool(told.get("tls_required")), bool(told.get("client_auth_required"))
        client = KeyPair(_pem(told, "client_cert"), _pem(told, "client_key")) if secure and both else None
        return ChaincodeServer(
            address=self._text(told.get("address"), where + "/connection/address"),
            package_id=self._text(raw["package_id"], where + "/package_id"),
            dial_seconds=self._duration(told.get("dial_timeout", "3s"), where + "/connection/dial_timeout"),
            root=_pem(told, "root_cert") if secure else None,
            client=client,
            host_name=told.get("domain"),
        )

    def _authorities(self, _: str, value: Any, where: str) -> Authorities:
        raw = self._object(value, where, ("roots",), {"intermediates": []})
        return Authorities(
            self._files(raw["roots"], where + "/roots"), self._files(raw["intermediates"], where + "/intermediates")
        )

    def _batch(self, value: Any) -> Batch:
        raw = self._object(value, "/batch", (), {"timeout_ms": 200, "max_messages": 50, "max_bytes": 10 << 20})
        for name, number in raw.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise self._wrong(f"/batch/{name}", "must be a whole number above 0")
        return Batch(**raw)

    def _execute(self, value: Any) -> float:
        raw = self._object(value, "/timeouts", (), {"execute": "30s"})
        return self._duration(raw["execute"], "/timeouts/execute")

    def _duration(self, value: Any, where: str) -> float:
        match = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise self._wrong(where, "must be a duration as 200ms, 3s or 1m")
        return float(match[1]) * _SECONDS[match[2]]

    def _pair(self, raw: Mapping[str, Any], where: str, certificate: str, key: str) -> KeyPair:
        return KeyPair(
            self._file(raw[certificate], f"{where}/{certificate}"),
            self._file(raw[key], f"{where}/{key}"),
        )

    def _files(self, value: Any, where: str) -> tuple[bytes, ...]:
        if not isinstance(value, list):
            raise self._wrong(where, "must be a list of files")
        return tuple(self._file(one, f"{where}/{at}") for at, one in enumerate(value))

    def _file(self, value: Any, where: str) -> bytes:
        path = self._path.parent / self._text(value, where)
        try:
            return path.read_bytes()
        except OSError as error:
            raise self._wrong(where, f"{path} can't be read ({error.strerror or type(error).__name__})") from None

    def _object(self, value: Any, where: str, names: tuple[str, ...], optional: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(where, "must be an object")
        missing = [name for name in names if name not in value]
        unknown = sorted(set(value) - {*names, *optional})
        if missing or unknown:
            raise self._wrong(where, f"missing: {', '.join(missing) or '-'}; unknown: {', '.join(unknown) or '-'}")
        return {**optional, **value}

    def _text(self, value: Any, where: str) -> str:
        if not isinstance(value, str) or not value:
            raise self._wrong(where, "must be a text")
        return value

    def _wrong(self, where: str, what: str) -> ConfigError:
        return ConfigError(f"{self._path}: {where or '/'}: {what}")


def _pem(told: Mapping[str, Any], name: str) -> bytes:
    return str(told.get(name, "")).encode()
