"""Where things are and how much may be used: read once from the environment, never part of a policy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from glassbox.errors import UsageError

HOME = "GLASSBOX_HOME"
MODELS = "GLASSBOX_MODELS"
THREADS = "GLASSBOX_THREADS"
CHANNEL = "GLASSBOX_CHANNEL"
CHAINCODE = "GLASSBOX_CHAINCODE"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of this process; paths are not checked to exist."""

    home: Path
    """Where the embedded ledger, its key and the scorecards are kept."""
    models: Path | None
    """The folder with manifest.json; None for the bundled models."""
    threads: int
    """Threads of one model session; scores do not depend on it."""
    channel: str
    """The channel that scorecards are committed to on Fabric (G31)."""
    chaincode: str
    """The chaincode that checks them there (G31)."""

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None, *, home: Path | None = None) -> Settings:
        """Return the settings in the environment; raises UsageError for a value that can't be used."""
        env = os.environ if env is None else env
        return cls(
            home=home or Path(env.get(HOME) or ".glassbox"),
            models=Path(env[MODELS]) if env.get(MODELS) else None,
            threads=_threads(env.get(THREADS, "1")),
            channel=env.get(CHANNEL) or "scorecards",
            chaincode=env.get(CHAINCODE) or "glassbox",
        )


def _threads(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 64:
        raise UsageError(f"{THREADS} is not a whole number from 1 to 64", where="environment", fix=f"Set {THREADS}=1")
    return int(text)
