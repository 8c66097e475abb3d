"""Where things are and how much may be used: read once from the environment, never part of a policy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glassbox.errors import UsageError

HOME = "GLASSBOX_HOME"
MODELS = "GLASSBOX_MODELS"
THREADS = "GLASSBOX_THREADS"
CHANNEL = "GLASSBOX_CHANNEL"
CHAINCODE = "GLASSBOX_CHAINCODE"
LEDGER = "GLASSBOX_LEDGER"
FABRIC_PROFILE = "GLASSBOX_FABRIC_PROFILE"

LedgerName = Literal["embedded", "fabric"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of this process; paths are not checked to exist."""

    home: Path
    """Where the embedded ledger, its key and the scorecards are kept."""
    models: Path | None
    """The folder with manifest.json; None for the bundled models."""
    threads: int
    """Threads of one model session; scores do not depend on it."""
    ledger: LedgerName = "embedded"
    """The ledger that scorecards are committed to."""
    fabric_profile: str | None = None
    """The connection profile of the Fabric network: a path or `secretsmanager:NAME`."""
    channel: str | None = None
    """The channel on Fabric, where it is not the profile's."""
    chaincode: str | None = None
    """The chaincode that checks scorecards there, where it is not the profile's."""

    @classmethod
    def from_env(
        cls,
        env: Mapping[str, str] | None = None,
        *,
        home: Path | None = None,
        ledger: LedgerName | None = None,
        profile: str | None = None,
    ) -> Settings:
        """Return the settings in the environment, below those that are given; raises UsageError for one of no use."""
        env = os.environ if env is None else env
        return cls(
            home=home or Path(env.get(HOME) or ".glassbox"),
            models=Path(env[MODELS]) if env.get(MODELS) else None,
            threads=_threads(env.get(THREADS, "1")),
            ledger=ledger or _ledger(env.get(LEDGER) or "embedded"),
            fabric_profile=profile or env.get(FABRIC_PROFILE) or None,
            channel=env.get(CHANNEL) or None,
            chaincode=env.get(CHAINCODE) or None,
        )


def _threads(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 64:
        raise UsageError(f"{THREADS} is not a whole number from 1 to 64", where="environment", fix=f"Set {THREADS}=1")
    return int(text)


def _ledger(name: str) -> LedgerName:
    if name == "fabric":
        return "fabric"
    if name == "embedded":
        return "embedded"
    raise UsageError(f"{LEDGER} names no ledger", where="environment", fix="Set it to embedded or fabric")
