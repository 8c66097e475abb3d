"""The state folder: what a new network is made of, who may work on it, and how it is removed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from fabricnet import development, fabric
from fabricnet.binaries import Binaries
from fabricnet.errors import NetworkError
from fabricnet.files import private_folder
from fabricnet.ports import free_ports
from fabricnet.topology import PEERS, Layout

LOCK: Final = ".lock"
FILE: Final = "network.json"
FORMAT: Final = "glassbox-network/1"
BACKENDS: Final = ("auto", "fabric", "devpeer")
DEVELOPMENT: Final = "development peer (not Hyperledger Fabric)"


def binaries_folder(fabric_bin: Path | str | None) -> str:
    """Return the folder of Fabric's programs, "" where none is named."""
    return str(fabric_bin or os.environ.get("FABRIC_BIN") or "")


def wanted(backend: str, fabric_bin: Path | str | None) -> dict[str, Any]:
    """Return the document of a new network; raises NetworkError where Fabric is wanted and not there."""
    folder = binaries_folder(fabric_bin)
    if backend not in BACKENDS:
        raise NetworkError(f"No such backend: {backend}", where="--backend", fix=f"Use {', '.join(BACKENDS)}")
    if backend == "fabric" and not folder:
        raise NetworkError("FABRIC_BIN is not set", where="--backend fabric", fix="Let it name Fabric's programs")
    is_fabric = backend == "fabric" or (backend == "auto" and bool(folder))
    names = [*(fabric.PORTS if is_fabric else development.PORTS)]
    names += [f"chaincode-{one.name}{suffix}" for one in PEERS for suffix in ("", "-health")]
    runs_on = DEVELOPMENT
    if is_fabric:
        binaries = Binaries(Path(folder).absolute())
        binaries.demand()
        runs_on = f"Hyperledger Fabric {binaries.version()}"
    return {
        "format": FORMAT,
        "backend": "fabric" if is_fabric else "devpeer",
        "fabric_bin": str(Path(folder).absolute()) if is_fabric else None,
        "runs_on": runs_on,
        "ports": free_ports(names),
    }


def claimed(folder: Path, marker: str = FILE) -> Path:
    """Return a folder that is, or becomes, a network's and its owner's only; raises NetworkError for another's."""
    if folder.exists() and not (folder / marker).exists():
        try:
            others = sorted(path.name for path in folder.iterdir() if path.name != LOCK)
        except OSError as error:
            raise NetworkError(
                f"The state folder can't be used ({error.strerror})", where=str(folder), fix="Name another with --state"
            ) from None
        if others:
            raise NetworkError(
                f"The folder is not empty and holds no network, but {others[0]}",
                where=str(folder),
                fix="Name an empty or a new folder with --state",
            )
    return private_folder(folder)


def read(folder: Path) -> dict[str, Any]:
    """Return what a network is made of; raises NetworkError where there is none, or where its file is damaged."""
    file = Layout(folder).file
    try:
        document = json.loads(file.read_text())
        if document["format"] != FORMAT:
            raise ValueError
    except FileNotFoundError:
        raise NetworkError("There is no network", where=str(folder), fix="Make one with `network.py up`") from None
    except (OSError, ValueError, TypeError, KeyError):
        raise NetworkError(
            "The network's file can't be read",
            where=str(file),
            fix="Nothing was changed. End its processes by the pids in `run`, and remove the folder to begin anew",
        ) from None
    return dict(document)


def wipe(layout: Layout) -> None:
    """Remove everything that a network wrote, and nothing else that may lie in the folder."""
    for path in (layout.crypto_root, layout.config, layout.data, layout.run, layout.state / "chaincode"):
        shutil.rmtree(path, ignore_errors=True)
    for file in (layout.profile, layout.auditor_profile, layout.file):
        file.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one process at a time make or start the network of a folder."""
    with (folder / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
