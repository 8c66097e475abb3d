"""Files that are whole or not there, and secrets that only their owner reads."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write(path: Path, data: bytes | str, mode: int = 0o644) -> None:
    """Write a file so that a reader finds the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def write_json(path: Path, value: Any, mode: int = 0o644) -> None:
    """Write a JSON file."""
    write(path, json.dumps(value, indent=1, sort_keys=True) + "\n", mode)


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner can look into; return it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def protect_keys(folder: Path) -> None:
    """Let only the owner read every private key below a folder."""
    for path in folder.rglob("*"):
        if path.is_file() and (path.name.endswith((".key", "_sk"))):
            path.chmod(0o600)
