"""The configuration files of the network on this machine: those beside this package with its own addresses in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabricnet.errors import NetworkError
from fabricnet.files import write, write_json
from fabricnet.topology import (
    AUDITOR,
    CHAINCODE,
    CHANNEL,
    EVALUATOR,
    LOOPBACK,
    ORDERER,
    PEERS,
    Layout,
    Organisation,
    certificate,
    private_key,
)

ROOT = Path(__file__).resolve().parents[1]
"""The folder `fabric-network`."""

_PORTS_IN_FILES = {ORDERER: 7050, EVALUATOR: 7051, AUDITOR: 9051}


def write_fabric_configs(layout: Layout, ports: Mapping[str, int], batch_timeout_ms: int) -> None:
    """Write configtx.yaml, core.yaml and orderer.yaml into the state folder."""
    channel = (ROOT / "configtx.yaml").read_text()
    for organisation, written in _PORTS_IN_FILES.items():
        host, port = organisation.host, ports[node_name(organisation)]
        if organisation is ORDERER:
            channel = _replaced(channel, f"{host}:{written}", f"{LOOPBACK}:{port}")
            channel = _replaced(
                channel, f"Host: {host}\n            Port: {written}", f"Host: {LOOPBACK}\n            Port: {port}"
            )
        else:
            channel = _replaced(channel, f"Host: {host}, Port: {written}", f"Host: {LOOPBACK}, Port: {port}")
    channel = _replaced(channel, "BatchTimeout: 200ms", f"BatchTimeout: {batch_timeout_ms}ms")
    channel = _replaced(channel, " crypto/", f" {layout.crypto_root}/", times=5)
    core = (ROOT / "config" / "core.yaml").read_text()
    write(layout.config / "configtx.yaml", channel)
    write(layout.config / "core.yaml", _replaced(core, "/opt/glassbox/builder", str(ROOT / "builder")))
    write(layout.config / "orderer.yaml", (ROOT / "config" / "orderer.yaml").read_text())


def write_profiles(layout: Layout, ports: Mapping[str, int]) -> None:
    """Write the connection profiles of both organisations; PROFILE.md describes the format."""
    evaluator = _profile(layout, ports, EVALUATOR)
    evaluator["admin"] = _identity(layout, EVALUATOR, "Admin")
    write_json(layout.profile, evaluator)
    write_json(layout.auditor_profile, _profile(layout, ports, AUDITOR))


def node_name(organisation: Organisation) -> str:
    """Return the name of an organisation's node among the processes and the ports."""
    return "orderer" if organisation is ORDERER else f"peer-{organisation.name}"


def _profile(layout: Layout, ports: Mapping[str, int], organisation: Organisation) -> dict[str, Any]:
    return {
        "format": "glassbox-fabric-profile/1",
        "channel": CHANNEL,
        "chaincode": CHAINCODE,
        "gateway": organisation.msp_id,
        "peers": {
            one.msp_id: {
                "address": f"{LOOPBACK}:{ports[node_name(one)]}",
                "tls_roots": _relative(layout, layout.crypto(one).tls_authority),
            }
            for one in PEERS
        },
        "client": _identity(layout, organisation, "User1"),
        "organisations": {
            one.msp_id: {"roots": [_relative(layout, layout.crypto(one).authority)], "intermediates": []}
            for one in PEERS
        },
        "orderers": {
            ORDERER.msp_id: {"roots": [_relative(layout, layout.crypto(ORDERER).authority)], "intermediates": []}
        },
        "endorsement": "majority",
        "block_validation": "any",
    }


def _identity(layout: Layout, organisation: Organisation, user: str) -> dict[str, str]:
    msp = layout.crypto(organisation).user(user)
    return {
        "msp_id": organisation.msp_id,
        "certificate": _relative(layout, certificate(msp)),
        "private_key": _relative(layout, private_key(msp)),
    }


def _relative(layout: Layout, path: Path) -> str:
    return path.relative_to(layout.state).as_posix()


def _replaced(text: str, old: str, new: str, *, times: int = 1) -> str:
    if text.count(old) != times:
        raise NetworkError(
            f"A configuration file does not hold `{old}` {times} times",
            where=str(ROOT),
            fix="Keep the addresses in configtx.yaml and config/core.yaml as they are; network.py replaces them",
        )
    return text.replace(old, new)
