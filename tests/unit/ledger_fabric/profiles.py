"""Connection profiles of the network of these tests."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from tests.unit.ledger_fabric.authorities import Member
from tests.unit.ledger_fabric.network import Channel


def profile_of(channel: Channel, addresses: dict[str, str]) -> dict[str, Any]:
    """Return a profile with every certificate and key in it."""
    trust = channel.trust.to_json()
    return {
        "format": "glassbox-fabric-profile/1",
        "channel": trust["channel"],
        "chaincode": trust["chaincode"],
        "gateway": "EvaluatorMSP",
        "peers": {msp_id: {"address": address, "tls_roots": None} for msp_id, address in addresses.items()},
        "client": _identity(channel.client),
        "admin": _identity(channel.admin),
        "organisations": trust["organisations"],
        "orderers": trust["orderers"],
        "endorsement": "majority",
        "block_validation": "any",
    }


def _identity(member: Member) -> dict[str, str]:
    return {
        "msp_id": member.msp_id,
        "certificate": member.certificate.decode(),
        "private_key": member.key_pem.decode(),
    }


def write_profile(profile: dict[str, Any], folder: Path) -> Path:
    """Write a profile whose certificates and keys lie beside it; return its path."""
    value = copy.deepcopy(profile)
    for who in ("client", "admin"):
        for member, suffix in (("certificate", "pem"), ("private_key", "key")):
            path = folder / f"{who}.{suffix}"
            path.write_text(value[who][member])
            path.chmod(0o600)
            value[who][member] = path.name
    for group in ("organisations", "orderers"):
        for msp_id, organisation in value[group].items():
            (folder / f"{msp_id}.pem").write_text(organisation["roots"][0])
            organisation["roots"] = [f"{msp_id}.pem"]
    path = folder / "profile.json"
    path.write_text(json.dumps(value))
    return path
