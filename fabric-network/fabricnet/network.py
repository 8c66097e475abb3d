"""The network as a whole: up, status, down; each may be called at any time and again."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fabricnet import chaincode, fabric, probe
from fabricnet import state as state_folder
from fabricnet.binaries import Binaries
from fabricnet.configs import node_name, write_profiles
from fabricnet.development import DevelopmentBackend
from fabricnet.errors import NetworkError
from fabricnet.fabric import FabricBackend
from fabricnet.files import write_json
from fabricnet.ports import free_ports, is_free
from fabricnet.processes import Processes
from fabricnet.topology import LOOPBACK, PEERS, Layout
from fabricnet.waiting import until

READY_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Status:
    """One process of the network."""

    name: str
    runs_on: str
    pid: int | None
    port: int

    def line(self) -> str:
        """Return it as a line that says what it runs on."""
        state = f"running, pid {self.pid}" if self.pid else "not running"
        return f"{self.runs_on} | {self.name} | {state} | {LOOPBACK}:{self.port}"


class Network:
    """A network in a state folder. `Network.up` makes or starts one; `Network.open` looks at one."""

    def __init__(self, state: Path, document: Mapping[str, Any], development: Mapping[str, Any] | None = None) -> None:
        self.layout = Layout(state)
        self.processes = Processes(self.layout.run)
        self._document = dict(document)
        self._ports: dict[str, int] = self._document["ports"]
        self._backend = self._make_backend(development)

    @classmethod
    def up(
        cls,
        state: Path | str,
        backend: str = "auto",
        *,
        fabric_bin: Path | str | None = None,
        batch_timeout_ms: int = 200,
        development: Mapping[str, Any] | None = None,
    ) -> Network:
        """Return the network in `state`, made where there is none, started where it is down, once it can endorse.

        `backend` is one of BACKENDS; `auto` takes Fabric where `fabric_bin` or FABRIC_BIN names its programs, and
        elsewhere what the folder holds, or the development peer. Raises NetworkError.
        """
        folder = state_folder.claimed(Path(state).absolute())
        with state_folder.locked(folder):
            network = cls._finished(folder)
            if network is None:
                document = {**state_folder.wanted(backend, fabric_bin), "batch_timeout_ms": batch_timeout_ms}
                network = cls(folder, document, development)
                network._make()
            else:
                if backend != "auto" or state_folder.binaries_folder(fabric_bin):
                    network = network._as_wanted(state_folder.wanted(backend, fabric_bin))
                network._start_all()
            network.wait_ready()
            return network

    @classmethod
    def open(cls, state: Path | str) -> Network:
        """Return the network in a state folder as it is; raises NetworkError where there is none."""
        folder = Path(state).absolute()
        return cls(folder, state_folder.read(folder))

    @property
    def runs_on(self) -> str:
        """What the network runs on, with its version."""
        return str(self._document["runs_on"])

    @property
    def is_fabric(self) -> bool:
        """Whether it is Hyperledger Fabric."""
        return bool(self._document["backend"] == "fabric")

    @property
    def profile(self) -> Path:
        """Connection profile of the Evaluator's client and administrator."""
        return self.layout.profile

    @property
    def auditor_profile(self) -> Path:
        """Connection profile of the Auditor's reader."""
        return self.layout.auditor_profile

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all processes, in the order in which they are started."""
        return (*self._backend.names, *(f"chaincode-{one.name}" for one in PEERS))

    def log(self, name: str) -> Path:
        """Return the path of a process's log."""
        return self.processes.log(name)

    def status(self) -> list[Status]:
        """Return every process of the network."""
        return [Status(name, self.runs_on, self.processes.pid(name), self._port(name)) for name in self.names]

    def fault(self) -> str | None:
        """Return why a transaction can't be endorsed now, None where it can: each organisation's peer is asked."""
        for one in PEERS:
            reason = probe.fault(self.layout, one, f"{LOOPBACK}:{self._ports[node_name(one)]}")
            if reason is not None:
                return f"{node_name(one)}: {reason}"
        return None

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Return once both organisations endorse; raises NetworkError after `seconds`."""

        def check() -> str | None:
            for name in self.names:
                self.processes.demand(name)
            return self.fault()

        until(check, "The start of the network", seconds=seconds, where=str(self.layout.run), pause=0.1)

    def start(self, name: str) -> None:
        """Start one process again with the data that it had, and wait until it answers; nothing where it runs."""
        if name.startswith("chaincode-"):
            self._start_chaincode(name)
            return
        self.processes.start(self._backend.command(name))
        self._backend.wait(name)

    def kill(self, name: str) -> None:
        """End one process as a power cut would."""
        self.processes.stop([name], number=signal.SIGKILL)

    def stop(self, name: str) -> None:
        """End one process as an operator would."""
        self.processes.stop([name])

    def down(self, *, wipe: bool = False) -> None:
        """End every process by its pid; `wipe` also removes the ledgers, keys and everything else of the network."""
        with state_folder.locked(self.layout.state):
            self._end(wipe=wipe)

    def _end(self, *, wipe: bool = False) -> None:
        # The clients of the chaincode end first, so that it is not asked while it stops.
        for names in (
            self._backend.names,
            [name for name in self.processes.names() if name not in self._backend.names],
        ):
            self.processes.stop(names)
        if wipe:
            state_folder.wipe(self.layout)

    @classmethod
    def _finished(cls, folder: Path) -> Network | None:
        """Return the network that is there; None where there is none, or only one that was never finished."""
        if not Layout(folder).file.exists():
            return None
        network = cls.open(folder)
        if not network._document["complete"]:
            network._end(wipe=True)
            return None
        return network

    def _as_wanted(self, wanted: Mapping[str, Any]) -> Network:
        """Return this network on the version of Fabric that is wanted; raises NetworkError for another backend."""
        if self._document["backend"] != wanted["backend"]:
            raise NetworkError(
                f"The folder holds a network on another backend: {self.runs_on}",
                where=str(self.layout.state),
                fix="End it with `network.py down --wipe`, or name another folder with --state",
            )
        if any(self.processes.pid(name) for name in self._backend.names):
            return self
        # Another version takes the ledger over where the one before has ended.
        self._document.update({key: wanted[key] for key in ("runs_on", "fabric_bin")})
        self._save()
        return Network(self.layout.state, self._document)

    def _make(self) -> None:
        self._document["complete"] = False
        self._save()
        try:
            for one in PEERS:
                chaincode.prepare(
                    self.layout, one, f"{LOOPBACK}:{self._ports[f'chaincode-{one.name}']}", (LOOPBACK, "localhost")
                )
            self._backend.prepare()
            write_profiles(self.layout, self._ports)
            self._start_all()
            self._backend.establish()
        except BaseException:
            self._end()
            raise
        self._document["complete"] = True
        self._save()

    def _start_all(self) -> None:
        self._settle_ports()
        for name in self.names:
            command = self._chaincode_command(name) if name.startswith("chaincode-") else self._backend.command(name)
            self.processes.start(command)
        for name in self.names:
            self.start(name)

    def _settle_ports(self) -> None:
        """See that the ports of what is down are still free; one that nobody else knows is chosen anew."""
        for name in self.names:
            if self.processes.pid(name) is not None:
                continue
            for port_name in [one for one in self._ports if one == name or one.startswith(f"{name}-")]:
                if is_free(self._ports[port_name]):
                    continue
                if port_name == name:
                    raise NetworkError(
                        f"Another process has taken port {self._ports[name]} of {name}",
                        where=f"{LOOPBACK}:{self._ports[name]}",
                        fix="End that process; the port stands in the channel and can't be changed",
                    )
                self._ports.update(free_ports([port_name]))
        self._save()

    def _start_chaincode(self, name: str) -> None:
        self.processes.start(self._chaincode_command(name))
        url = f"http://{LOOPBACK}:{self._ports[f'{name}-health']}/healthz"

        def check() -> str | None:
            self.processes.demand(name)
            return fabric.unhealthy(url)

        until(check, f"The start of {name}", seconds=60, where=str(self.log(name)))

    def _chaincode_command(self, name: str) -> Any:
        organisation = next(one for one in PEERS if f"chaincode-{one.name}" == name)
        return chaincode.command(self.layout, organisation, self._ports[name], self._ports[f"{name}-health"])

    def _make_backend(self, more: Mapping[str, Any] | None) -> FabricBackend | DevelopmentBackend:
        batch = int(self._document["batch_timeout_ms"])
        if self.is_fabric:
            binaries = Binaries(Path(self._document["fabric_bin"]))
            return FabricBackend(self.layout, self._ports, self.processes, binaries, batch)
        return DevelopmentBackend(self.layout, self._ports, self.processes, batch, more)

    def _port(self, name: str) -> int:
        return self._ports[name] if name in self._ports else self._ports[node_name(PEERS[0])]

    def _save(self) -> None:
        write_json(self.layout.file, self._document)
