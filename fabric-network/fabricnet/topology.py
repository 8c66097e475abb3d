"""Who is in the network and where its files lie; the folders are those that Fabric's cryptogen makes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

CHANNEL: Final = "scorecards"
CHAINCODE: Final = "glassbox"
CHAINCODE_VERSION: Final = "1.0"
CHAINCODE_LABEL: Final = "glassbox_1"
LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Organisation:
    """One organisation: `kind` is cryptogen's folder, `node` its peer's or orderer's name."""

    name: str
    msp_id: str
    domain: str
    kind: str
    node: str

    @property
    def host(self) -> str:
        """Full name of its node."""
        return f"{self.node}.{self.domain}"


EVALUATOR: Final = Organisation("evaluator", "EvaluatorMSP", "evaluator.glassbox.test", "peer", "peer0")
AUDITOR: Final = Organisation("auditor", "AuditorMSP", "auditor.glassbox.test", "peer", "peer0")
ORDERER: Final = Organisation("orderer", "OrdererMSP", "orderer.glassbox.test", "orderer", "orderer0")
PEERS: Final = (EVALUATOR, AUDITOR)


@dataclass(frozen=True, slots=True)
class Crypto:
    """Paths of an organisation's keys and certificates below the folder `root`."""

    root: Path
    organisation: Organisation

    @property
    def folder(self) -> Path:
        """The organisation's folder."""
        return self.root / f"{self.organisation.kind}Organizations" / self.organisation.domain

    @property
    def authority(self) -> Path:
        """Certificate of the authority that signs members."""
        return self.folder / "msp" / "cacerts" / f"ca.{self.organisation.domain}-cert.pem"

    @property
    def tls_authority(self) -> Path:
        """Certificate of the authority that signs TLS certificates."""
        return self.folder / "msp" / "tlscacerts" / f"tlsca.{self.organisation.domain}-cert.pem"

    @property
    def node(self) -> Path:
        """Folder of the peer or orderer, with `msp` and `tls` in it."""
        return self.folder / f"{self.organisation.kind}s" / self.organisation.host

    def user(self, name: str) -> Path:
        """Folder of a user's `msp`: `Admin`, and `User1` for a client."""
        return self.folder / "users" / f"{name}@{self.organisation.domain}" / "msp"


def certificate(msp: Path) -> Path:
    """Return the path of the certificate in an `msp` folder."""
    return next(iter(sorted((msp / "signcerts").glob("*.pem"))))


def private_key(msp: Path) -> Path:
    """Return the path of the private key in an `msp` folder."""
    return next(iter(sorted((msp / "keystore").iterdir())))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything lies below the state folder."""

    state: Path

    @property
    def file(self) -> Path:
        """What the network is made of: ports, backend, whether it is complete."""
        return self.state / "network.json"

    @property
    def crypto_root(self) -> Path:
        """Folder of all keys and certificates."""
        return self.state / "crypto"

    @property
    def config(self) -> Path:
        """Folder of the configuration files: FABRIC_CFG_PATH."""
        return self.state / "config"

    @property
    def data(self) -> Path:
        """Folder of the ledgers."""
        return self.state / "data"

    @property
    def run(self) -> Path:
        """Folder of process ids and logs."""
        return self.state / "run"

    @property
    def block(self) -> Path:
        """The channel's first block."""
        return self.config / f"{CHANNEL}.block"

    @property
    def profile(self) -> Path:
        """Connection profile of the Evaluator."""
        return self.state / "profile.json"

    @property
    def auditor_profile(self) -> Path:
        """Connection profile of the Auditor."""
        return self.state / "auditor-profile.json"

    def chaincode(self, organisation: Organisation) -> Path:
        """Folder of an organisation's chaincode: certificates, connection.json, package."""
        return self.state / "chaincode" / organisation.name

    def crypto(self, organisation: Organisation) -> Crypto:
        """Return the paths of an organisation's keys."""
        return Crypto(self.crypto_root, organisation)
