"""The development peer in place of Fabric: one process that stands for both peers and the orderer."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fabricnet import chaincode
from fabricnet.certs import organisation_material
from fabricnet.configs import ROOT, node_name
from fabricnet.files import write_json
from fabricnet.processes import Command, Processes
from fabricnet.topology import (
    CHAINCODE,
    CHAINCODE_VERSION,
    CHANNEL,
    LOOPBACK,
    ORDERER,
    PEERS,
    Layout,
    Organisation,
    certificate,
    private_key,
)
from fabricnet.waiting import until

NAME: Final = "devpeer"
PORTS: Final = tuple(node_name(one) for one in PEERS)


class DevelopmentBackend:
    """Makes and starts the development peer."""

    def __init__(
        self,
        layout: Layout,
        ports: Mapping[str, int],
        processes: Processes,
        batch_timeout_ms: int = 200,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """`more` holds further members of the development peer's configuration."""
        self.layout = layout
        self.ports = ports
        self.processes = processes
        self._batch = {"timeout_ms": batch_timeout_ms, "max_messages": 50}
        self._more = dict(more or {})
        self._ready = layout.run / f"{NAME}.ready"

    @property
    def names(self) -> Sequence[str]:
        """Names of the nodes' processes."""
        return (NAME,)

    def prepare(self) -> None:
        """Write certificates and the development peer's configuration; the chaincode's packages must be there."""
        for organisation in (ORDERER, *PEERS):
            organisation_material(self.layout.crypto(organisation))
        self._configure()

    def establish(self) -> None:
        """Do nothing: the development peer has its channel and its chaincode from its configuration."""

    def _configure(self) -> None:
        """Write the development peer's configuration; PROFILE.md describes it."""
        orderer = self.layout.crypto(ORDERER)
        node = orderer.node / "msp"
        value = {
            "format": "glassbox-devpeer/1",
            "channel": CHANNEL,
            "chaincode": CHAINCODE,
            "chaincode_version": CHAINCODE_VERSION,
            "data": str(self.layout.data / NAME),
            "ready_file": str(self._ready),
            "endorsement": "majority",
            "batch": self._batch,
            "peers": {one.msp_id: self._peer(one) for one in PEERS},
            "organisations": {one.msp_id: {"roots": [str(self.layout.crypto(one).authority)]} for one in PEERS},
            "orderers": {ORDERER.msp_id: {"roots": [str(orderer.authority)]}},
            "orderer": {
                "msp_id": ORDERER.msp_id,
                "certificate": str(certificate(node)),
                "private_key": str(private_key(node)),
            },
            **self._more,
        }
        write_json(self._config, value, 0o600)

    def command(self, name: str) -> Command:
        """Return how the development peer is started."""
        argv = (sys.executable, "-m", "devpeer", "--config", str(self._config))
        return Command(name, argv, {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"})

    def wait(self, name: str) -> None:
        """Return once the development peer listens."""

        def check() -> str | None:
            self.processes.demand(name)
            return None if self._ready_pid() == self.processes.pid(name) else "not ready"

        until(check, "The start of the development peer", seconds=60, where=str(self.processes.log(name)))

    @property
    def _config(self) -> Path:
        return self.layout.config / "devpeer.json"

    def _ready_pid(self) -> int:
        """Return whose file says that it listens: a process that was killed left its own behind."""
        try:
            return int(json.loads(self._ready.read_text())["pid"])
        except (OSError, ValueError, KeyError):
            return 0

    def _peer(self, organisation: Organisation) -> dict[str, Any]:
        node = self.layout.crypto(organisation).node
        folder = self.layout.chaincode(organisation)
        return {
            "address": f"{LOOPBACK}:{self.ports[node_name(organisation)]}",
            "tls_certificate": str(node / "tls" / "server.crt"),
            "tls_key": str(node / "tls" / "server.key"),
            "certificate": str(certificate(node / "msp")),
            "private_key": str(private_key(node / "msp")),
            "chaincode": {
                "package_id": chaincode.identifier(self.layout, organisation),
                "connection": str(folder / chaincode.CONNECTION),
            },
        }
