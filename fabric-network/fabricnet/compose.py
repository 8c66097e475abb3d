"""What the containers of docker-compose.yaml need beforehand: certificates, chaincode packages, and an env file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from fabricnet import chaincode, state
from fabricnet.certs import organisation_material
from fabricnet.configs import node_name, write_profiles
from fabricnet.files import write
from fabricnet.topology import AUDITOR, EVALUATOR, ORDERER, PEERS, Layout, Organisation

FILE: Final = "compose.env"
PORTS: Final = {node_name(EVALUATOR): 7051, node_name(AUDITOR): 9051}
CHAINCODE_PORT: Final = 9999


def chaincode_host(organisation: Organisation) -> str:
    """Return the name of an organisation's chaincode container."""
    return f"chaincode.{organisation.domain}"


def prepare(folder: Path) -> Path:
    """Write everything into a state folder unless it is there; return the env file, which is written last."""
    layout = Layout(state.claimed(folder.absolute(), FILE))
    with state.locked(layout.state):
        file = layout.state / FILE
        if file.exists():
            return file
        for organisation in (ORDERER, *PEERS):
            organisation_material(layout.crypto(organisation))
        values = {"GLASSBOX_STATE": str(layout.state), "GLASSBOX_USER": f"{os.getuid()}:{os.getgid()}"}
        for organisation in PEERS:
            host = chaincode_host(organisation)
            name = f"CHAINCODE_ID_{organisation.name.upper()}"
            values[name] = chaincode.prepare(layout, organisation, f"{host}:{CHAINCODE_PORT}", (host,))
        write_profiles(layout, PORTS)
        write(file, "".join(f"{name}={value}\n" for name, value in values.items()))
        return file
