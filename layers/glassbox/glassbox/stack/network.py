"""The Fabric network under the stack, started by the project's own `fabric-network/network.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from glassbox.errors import LedgerUnavailable

_SCRIPT: Final = "fabric-network/network.py"
_WAIT: Final = 180


def up(root: Path, folder: Path) -> dict[str, Any]:
    """Return what `network.py up` says: {profile, runs_on, ...}; raises LedgerUnavailable where it doesn't come up."""
    return _run(root, folder, "up")


def down(root: Path, folder: Path) -> None:
    """End the network's processes; what it committed stays in the folder."""
    _run(root, folder, "down")


def _run(root: Path, folder: Path, command: str) -> dict[str, Any]:
    line = [sys.executable, str(root / _SCRIPT), command, "--state", str(folder)]
    if command == "up":
        line.append("--json")
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and script, no shell
            line, capture_output=True, text=True, timeout=_WAIT, cwd=root, check=False
        )
    except subprocess.TimeoutExpired:
        raise LedgerUnavailable("The Fabric network did not come up in time", where=str(folder)) from None
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        told = {}
    if done.returncode != 0:
        raise LedgerUnavailable(
            f"The Fabric network did not {command}: {done.stderr.strip().splitlines()[-1:] or told}",
            where=str(folder),
            fix=f"Try it alone: {sys.executable} {_SCRIPT} {command} --state {folder}",
        )
    return told


def portable(profile: Path) -> str:
    """Return a connection profile with every certificate and key in it, as a secret has to hold it."""
    value = json.loads(profile.read_text("utf-8"))
    return json.dumps(_inlined(value, profile.parent))


def _inlined(value: Any, folder: Path) -> Any:
    if isinstance(value, dict):
        return {name: _inlined(child, folder) for name, child in value.items()}
    if isinstance(value, list):
        return [_inlined(child, folder) for child in value]
    if isinstance(value, str) and "/" in value and (folder / value).is_file():
        return (folder / value).read_text("utf-8")
    return value
