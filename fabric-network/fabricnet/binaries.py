"""Fabric's own programs, in the folder that FABRIC_BIN names."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fabricnet.errors import NetworkError

NEEDED: Final = ("peer", "orderer", "configtxgen", "osnadmin")
_VERSION = re.compile(r"Version: (v?[0-9][0-9A-Za-z.+-]*)")
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder with Fabric's programs."""

    folder: Path

    def path(self, name: str) -> str:
        """Return the path of a program."""
        return str(self.folder / name)

    def has(self, name: str) -> bool:
        """Whether a program is there."""
        return os.access(self.folder / name, os.X_OK)

    def demand(self) -> None:
        """Raise NetworkError where a program that is needed is missing."""
        missing = [name for name in NEEDED if not self.has(name)]
        if missing:
            raise NetworkError(
                f"FABRIC_BIN holds no {', '.join(missing)}",
                where=str(self.folder),
                fix="Get Fabric's binaries with `install-fabric.sh binary`, and let FABRIC_BIN name their folder; "
                "without FABRIC_BIN the development peer is used",
            )

    def version(self) -> str:
        """Return the version that `peer version` prints, as vN.N.N."""
        found = _VERSION.search(self.run("peer", ["version"], {}))
        if found is None:
            raise NetworkError("`peer version` prints no version", where=str(self.folder), fix="Check FABRIC_BIN")
        return "v" + found[1].removeprefix("v")

    def run(self, name: str, arguments: Sequence[str], environment: Mapping[str, str], *, seconds: float = 90) -> str:
        """Return what a program prints; raises NetworkError with the end of its error output where it fails."""
        try:
            done = subprocess.run(  # noqa: S603 - a program of FABRIC_BIN with arguments of our own
                [self.path(name), *arguments],
                env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), **environment},
                capture_output=True,
                timeout=seconds,
                check=False,
                text=True,
                errors="replace",
            )
        except subprocess.TimeoutExpired:
            raise NetworkError(f"{name} did not end within {seconds:g} s", where=name, fix="Try again") from None
        if done.returncode:
            said = " | ".join((done.stderr or done.stdout).strip().splitlines()[-3:])[-_LONGEST:]
            raise NetworkError(
                f"`{name} {' '.join(arguments[:3])}` failed: {said}",
                where=self.path(name),
                fix="The logs in the state folder's `run` say more",
            )
        return done.stdout + done.stderr
