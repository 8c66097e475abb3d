"""What a run of the tables depends on: versions, processor features, digests of models and data, the date."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from glassbox import __version__
from glassbox.models.registry import Registry
from glassbox.models.runtime import runtime_fingerprint

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("sacrebleu", "rapidfuzz", "rouge-score", "regex", "pydantic", "gliner", "torch")


def provenance(registry: Registry, data: Path, seed: int) -> dict[str, Any]:
    """Return everything that a reader needs to run the tables again and to judge a difference."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "seed": seed,
        "glassbox": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "runtime": runtime_fingerprint(),
        "cores": os.cpu_count(),
        "memory_gib": _memory(),
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "libraries": {name: found for name in LIBRARIES if (found := _version(name))},
        "models": {entry.name: entry.identity for entry in registry.manifest.models},
        "data": {path.name: digest([path]) for path in sorted(data.glob("*.jsonl"))},
    }


def digest(paths: Iterable[Path]) -> str:
    """Return the SHA-256 over the contents of the files, in their order."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return f"sha256:{found.hexdigest()}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    run = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip() or None


def _memory() -> float | None:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
    return round(pages * size / 2**30, 1)
