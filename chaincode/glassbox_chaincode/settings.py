"""What the server is told by its environment, in the variables that Fabric's own chaincode servers use."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from glassbox_chaincode.errors import Misconfigured

MAX_MESSAGE: Final = 100 << 20
"""Largest message in bytes, as on Fabric's peers; gRPC's own limit of 4 MB would end the stream of all transactions."""
_PEM: Final = "-----BEGIN "


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server takes on."""

    concurrent: int = 32
    """Transactions that run at once."""
    waiting: int = 1000
    """Transactions that may wait for their turn; one more is answered with status 503."""
    streams: int = 8
    """Peers that may be connected at once."""
    reply_seconds: float = 30.0
    """How long a transaction waits for the peer; a peer itself gives up on a transaction after 30 s."""
    stop_seconds: float = 20.0
    """How long a stop waits for the transactions that run."""
    message: int = MAX_MESSAGE
    """Largest message in bytes, either way."""


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM texts of the server's key and certificate, and of the authority that peers' certificates must come from."""

    key: bytes = field(repr=False)
    certificate: bytes
    client_authority: bytes | None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the server needs to know."""

    chaincode_id: str
    address: str
    tls: Tls | None
    health_address: str | None = None
    limits: Limits = field(default_factory=Limits)
    log_level: str = "INFO"


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings; raises Misconfigured, which names the variable and what to set it to."""
    limits = Limits()
    address = _required(environment, "CHAINCODE_SERVER_ADDRESS", "host:port where the peer reaches this server")
    settings = Settings(
        chaincode_id=_required(
            environment, "CHAINCODE_ID", "the package id that `peer lifecycle chaincode install` prints"
        ),
        address=address,
        tls=_tls(environment),
        health_address=environment.get("CHAINCODE_HEALTH_ADDRESS") or None,
        limits=Limits(
            concurrent=_number(environment, "CHAINCODE_CONCURRENCY", limits.concurrent, 1, 512),
            waiting=_number(environment, "CHAINCODE_WAITING", limits.waiting, 0, 100_000),
            stop_seconds=_number(environment, "CHAINCODE_STOP_SECONDS", int(limits.stop_seconds), 0, 3600),
        ),
        log_level=_level(environment.get("CHAINCODE_LOG_LEVEL") or "INFO"),
    )
    _demand_protection(settings)
    return settings


def _demand_protection(settings: Settings) -> None:
    """Refuse a server that others than this machine could reach without showing who they are."""
    if is_loopback(settings.address) or (settings.tls is not None and settings.tls.client_authority is not None):
        return
    raise Misconfigured(
        "Outside loopback a chaincode server needs mutual TLS: set CHAINCODE_TLS_KEY, CHAINCODE_TLS_CERT and "
        "CHAINCODE_CLIENT_CA_CERT, or let CHAINCODE_SERVER_ADDRESS be on 127.0.0.1"
    )


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach host:port."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _tls(environment: Mapping[str, str]) -> Tls | None:
    names = ("CHAINCODE_TLS_KEY", "CHAINCODE_TLS_CERT", "CHAINCODE_CLIENT_CA_CERT")
    off = environment.get("CHAINCODE_TLS_DISABLED", "").lower() in ("1", "true", "yes")
    given = [name for name in names if environment.get(name)]
    if off and given:
        raise Misconfigured(f"CHAINCODE_TLS_DISABLED contradicts {given[0]}: set one of them only")
    if not given:
        return None
    for name in names[:2]:
        if name not in given:
            raise Misconfigured(f"{name} is missing beside {given[0]}: set it to a PEM text or the path of a PEM file")
    authority = _pem(environment, names[2]) if names[2] in given else None
    return Tls(_pem(environment, names[0]), _pem(environment, names[1]), authority)


def _pem(environment: Mapping[str, str], name: str) -> bytes:
    value = environment[name]
    if value.lstrip().startswith(_PEM):
        return value.encode()
    try:
        data = Path(value).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise Misconfigured(f"The file that {name} names can't be read ({reason})") from None
    if _PEM.encode() not in data:
        raise Misconfigured(f"The file that {name} names holds no PEM text")
    return data


def _required(environment: Mapping[str, str], name: str, what: str) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise Misconfigured(f"{name} is not set: it must be {what}")
    return value


def _number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = environment.get(name) or str(default)
    if not value.isascii() or not value.isdigit() or not least <= int(value[:9]) <= most:
        raise Misconfigured(f"{name} must be a whole number in {least}..{most}")
    return int(value)


def _level(value: str) -> str:
    if value.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise Misconfigured("CHAINCODE_LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR")
    return value.upper()
