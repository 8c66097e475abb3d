"""The real thing: one orderer and two peers of Hyperledger Fabric as plain processes, joined, with the chaincode on."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Final

from fabricnet import chaincode
from fabricnet.binaries import Binaries
from fabricnet.certs import organisation_material
from fabricnet.configs import ROOT, node_name, write_fabric_configs
from fabricnet.errors import NetworkError
from fabricnet.files import protect_keys
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
)
from fabricnet.waiting import until

SEQUENCE: Final = "1"
_LOG: Final = {
    "FABRIC_LOGGING_SPEC": "warn",
    "FABRIC_LOGGING_FORMAT": "%{time:2006-01-02T15:04:05.000Z07:00} %{level} [%{module}] %{message}",
}
PORTS: Final = tuple(
    name
    for one in (ORDERER, *PEERS)
    for name in ((node_name(one), f"{node_name(one)}-operations", f"{node_name(one)}-second"))
)
"""Ports of the nodes; the second one is the orderer's administration, and where a peer listens for chaincode."""


class FabricBackend:
    """Makes and starts the processes of a Fabric network."""

    def __init__(
        self,
        layout: Layout,
        ports: Mapping[str, int],
        processes: Processes,
        binaries: Binaries,
        batch_timeout_ms: int = 200,
    ) -> None:
        self.layout = layout
        self.ports = ports
        self.processes = processes
        self.binaries = binaries
        self._batch_timeout_ms = batch_timeout_ms

    @property
    def names(self) -> Sequence[str]:
        """Names of the nodes' processes, in the order in which they are started."""
        return tuple(node_name(one) for one in (ORDERER, *PEERS))

    def prepare(self) -> None:
        """Write certificates, configuration and the channel's first block."""
        write_fabric_configs(self.layout, self.ports, self._batch_timeout_ms)
        if self.binaries.has("cryptogen"):
            config = str(ROOT / "crypto-config.yaml")
            output = str(self.layout.crypto_root)
            self.binaries.run("cryptogen", ["generate", "--config", config, "--output", output], {})
        else:
            for organisation in (ORDERER, *PEERS):
                organisation_material(self.layout.crypto(organisation))
        protect_keys(self.layout.crypto_root)
        arguments = ["-profile", "GlassBox", "-outputBlock", str(self.layout.block), "-channelID", CHANNEL]
        self.binaries.run("configtxgen", arguments, {"FABRIC_CFG_PATH": str(self.layout.config)})

    def command(self, name: str) -> Command:
        """Return how a node is started."""
        organisation = next(one for one in (ORDERER, *PEERS) if node_name(one) == name)
        if organisation is ORDERER:
            return Command(name, (self.binaries.path("orderer"),), self._orderer_environment())
        return Command(name, (self.binaries.path("peer"), "node", "start"), self._peer_environment(organisation))

    def wait(self, name: str) -> None:
        """Return once a node says that it is healthy."""
        url = f"http://{LOOPBACK}:{self.ports[f'{name}-operations']}/healthz"

        def check() -> str | None:
            self.processes.demand(name)
            return unhealthy(url)

        until(check, f"The start of {name}", seconds=60, where=str(self.processes.log(name)))

    def establish(self) -> None:
        """Make the channel and commit the chaincode on it; the nodes must run."""
        self._join()
        self._commit_chaincode()

    def _join(self) -> None:
        """Have the orderer and the peers join the channel, and wait until the orderer leads."""
        self._osnadmin("join", "--config-block", str(self.layout.block))
        for organisation in PEERS:
            self.peer(organisation, "channel", "join", "-b", str(self.layout.block))
        newest = str(self.layout.run / "newest.block")

        def check() -> str | None:
            try:
                self.peer(PEERS[0], "channel", "fetch", "newest", newest, "-c", CHANNEL, *self._orderer())
            except NetworkError as error:
                self.processes.demand("orderer")
                return error.what
            return None

        # An "active" channel does not mean that its only orderer has been elected.
        until(check, "The election of the orderer", seconds=30, where=str(self.processes.log("orderer")), pause=0.1)

    def _commit_chaincode(self) -> None:
        """Install each organisation's package on its peer, approve the definition for each, and commit it once."""
        definition = ["--channelID", CHANNEL, "--name", CHAINCODE, "--version", CHAINCODE_VERSION]
        definition += ["--sequence", SEQUENCE, *self._orderer()]
        for organisation in PEERS:
            package = str(self.layout.chaincode(organisation) / chaincode.PACKAGE)
            identifier = chaincode.identifier(self.layout, organisation)
            self.peer(organisation, "lifecycle", "chaincode", "install", package)
            self.peer(
                organisation, "lifecycle", "chaincode", "approveformyorg", *definition, "--package-id", identifier
            )
        endorsers: list[str] = []
        for organisation in PEERS:
            endorsers += ["--peerAddresses", self._address(organisation), "--tlsRootCertFiles"]
            endorsers += [str(self.layout.crypto(organisation).node / "tls" / "ca.crt")]
        self.peer(PEERS[0], "lifecycle", "chaincode", "commit", *definition, *endorsers)

    def peer(self, organisation: Organisation, *arguments: str) -> str:
        """Return what the `peer` command prints when an organisation's administrator calls it."""
        crypto = self.layout.crypto(organisation)
        environment = {
            "FABRIC_CFG_PATH": str(self.layout.config),
            "FABRIC_LOGGING_SPEC": "error",
            "CORE_PEER_TLS_ENABLED": "true",
            "CORE_PEER_LOCALMSPID": organisation.msp_id,
            "CORE_PEER_ADDRESS": self._address(organisation),
            "CORE_PEER_TLS_ROOTCERT_FILE": str(crypto.node / "tls" / "ca.crt"),
            "CORE_PEER_MSPCONFIGPATH": str(crypto.user("Admin")),
        }
        return self.binaries.run("peer", arguments, environment)

    def _osnadmin(self, action: str, *arguments: str) -> str:
        tls = self.layout.crypto(ORDERER).node / "tls"
        return self.binaries.run(
            "osnadmin",
            [
                *("channel", action, "--channelID", CHANNEL, *arguments),
                *("-o", f"{LOOPBACK}:{self.ports['orderer-second']}", "--ca-file", str(tls / "ca.crt")),
                *("--client-cert", str(tls / "server.crt"), "--client-key", str(tls / "server.key")),
            ],
            {},
        )

    def _orderer(self) -> list[str]:
        authority = str(self.layout.crypto(ORDERER).node / "tls" / "ca.crt")
        return ["-o", f"{LOOPBACK}:{self.ports['orderer']}", "--tls", "--cafile", authority]

    def _address(self, organisation: Organisation) -> str:
        return f"{LOOPBACK}:{self.ports[node_name(organisation)]}"

    def _orderer_environment(self) -> dict[str, str]:
        node, data = self.layout.crypto(ORDERER).node, self.layout.data / "orderer"
        tls = node / "tls"
        general = {
            "LISTENADDRESS": LOOPBACK,
            "LISTENPORT": str(self.ports["orderer"]),
            "LOCALMSPID": ORDERER.msp_id,
            "LOCALMSPDIR": str(node / "msp"),
            "BOOTSTRAPMETHOD": "none",
            **_tls_variables("TLS_", tls),
        }
        admin = {
            "LISTENADDRESS": f"{LOOPBACK}:{self.ports['orderer-second']}",
            "TLS_CLIENTROOTCAS": f"[{tls / 'ca.crt'}]",
            "TLS_CLIENTAUTHREQUIRED": "true",
            **_tls_variables("TLS_", tls),
        }
        return {
            "FABRIC_CFG_PATH": str(self.layout.config),
            **_LOG,
            **{f"ORDERER_GENERAL_{name}": value for name, value in general.items()},
            **{f"ORDERER_ADMIN_{name}": value for name, value in admin.items()},
            "ORDERER_CHANNELPARTICIPATION_ENABLED": "true",
            "ORDERER_FILELEDGER_LOCATION": str(data),
            "ORDERER_CONSENSUS_WALDIR": str(data / "wal"),
            "ORDERER_CONSENSUS_SNAPDIR": str(data / "snap"),
            "ORDERER_OPERATIONS_LISTENADDRESS": f"{LOOPBACK}:{self.ports['orderer-operations']}",
        }

    def _peer_environment(self, organisation: Organisation) -> dict[str, str]:
        name, node = node_name(organisation), self.layout.crypto(organisation).node
        address, data = self._address(organisation), self.layout.data / organisation.name
        chaincode_address = f"{LOOPBACK}:{self.ports[f'{name}-second']}"
        core = {
            "PEER_ID": organisation.host,
            "PEER_ADDRESS": address,
            "PEER_LISTENADDRESS": address,
            "PEER_CHAINCODEADDRESS": chaincode_address,
            "PEER_CHAINCODELISTENADDRESS": chaincode_address,
            "PEER_GOSSIP_BOOTSTRAP": address,
            "PEER_GOSSIP_EXTERNALENDPOINT": address,
            "PEER_LOCALMSPID": organisation.msp_id,
            "PEER_MSPCONFIGPATH": str(node / "msp"),
            "PEER_TLS_ENABLED": "true",
            "PEER_TLS_CERT_FILE": str(node / "tls" / "server.crt"),
            "PEER_TLS_KEY_FILE": str(node / "tls" / "server.key"),
            "PEER_TLS_ROOTCERT_FILE": str(node / "tls" / "ca.crt"),
            "PEER_FILESYSTEMPATH": str(data),
            "LEDGER_SNAPSHOTS_ROOTDIR": str(data / "snapshots"),
            "OPERATIONS_LISTENADDRESS": f"{LOOPBACK}:{self.ports[f'{name}-operations']}",
        }
        return {
            "FABRIC_CFG_PATH": str(self.layout.config),
            **_LOG,
            **{f"CORE_{name}": value for name, value in core.items()},
        }


def _tls_variables(prefix: str, folder: object) -> dict[str, str]:
    return {
        f"{prefix}ENABLED": "true",
        f"{prefix}PRIVATEKEY": f"{folder}/server.key",
        f"{prefix}CERTIFICATE": f"{folder}/server.crt",
        f"{prefix}ROOTCAS": f"[{folder}/ca.crt]",
    }


def unhealthy(url: str) -> str | None:
    """Return why a page does not answer 200, None where it does."""
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - on loopback
            return None
    except urllib.error.HTTPError as error:
        with error:
            return error.read(500).decode("utf-8", "replace") or f"HTTP {error.code}"
    except OSError as error:
        return type(error).__name__
