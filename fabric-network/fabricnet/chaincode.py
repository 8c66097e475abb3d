"""Each organisation's chaincode process: its certificates, its package, and how it is started."""

from __future__ import annotations

import json
import sys
from typing import Final

from fabricnet import certs
from fabricnet.configs import ROOT
from fabricnet.files import write
from fabricnet.package import connection, package, package_id
from fabricnet.processes import Command
from fabricnet.topology import CHAINCODE_LABEL, LOOPBACK, Layout, Organisation

CONNECTION: Final = "connection.json"
PACKAGE: Final = "package.tgz"
_SOURCES: Final = ROOT.parent / "chaincode"


def prepare(layout: Layout, organisation: Organisation, address: str, hosts: tuple[str, ...]) -> str:
    """Write an organisation's chaincode certificates, connection and package; return the package id.

    Each organisation has a package of its own, since its peer must run its own chaincode: one that both shared could
    answer both alike.
    """
    folder = layout.chaincode(organisation)
    paths = certs.chaincode_material(folder, organisation, hosts)
    text = json.dumps(connection(address, paths), sort_keys=True).encode()
    write(folder / CONNECTION, text, 0o600)
    data = package(CHAINCODE_LABEL, text)
    # The peer's key to the chaincode is inside.
    write(folder / PACKAGE, data, 0o600)
    identifier = package_id(CHAINCODE_LABEL, data)
    write(folder / "package-id", identifier)
    return identifier


def identifier(layout: Layout, organisation: Organisation) -> str:
    """Return the package id that `prepare` wrote."""
    return (layout.chaincode(organisation) / "package-id").read_text()


def command(layout: Layout, organisation: Organisation, port: int, health_port: int) -> Command:
    """Return how an organisation's chaincode server is started on loopback."""
    folder = layout.chaincode(organisation) / "server"
    return Command(
        f"chaincode-{organisation.name}",
        (sys.executable, "-m", "glassbox_chaincode"),
        {
            "PYTHONPATH": str(_SOURCES),
            "PYTHONUNBUFFERED": "1",
            "CHAINCODE_ID": identifier(layout, organisation),
            "CHAINCODE_SERVER_ADDRESS": f"{LOOPBACK}:{port}",
            "CHAINCODE_HEALTH_ADDRESS": f"{LOOPBACK}:{health_port}",
            "CHAINCODE_TLS_KEY": str(folder / "server.key"),
            "CHAINCODE_TLS_CERT": str(folder / "server.pem"),
            "CHAINCODE_CLIENT_CA_CERT": str(folder / "ca.pem"),
        },
    )
