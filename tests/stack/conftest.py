"""The whole deployment as a user starts it: an AWS emulator and a network of two organisations, as real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.stack import emulator
from glassbox.stack.state import load
from glassbox.stack.target import Target, target

ROOT = Path(__file__).resolve().parents[2]


class Running:
    """A stack that runs, spoken to by its command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *arguments: str, check: bool = True) -> Any:
        """Return what a `glassbox stack` command prints with --json."""
        done = run(self.folder, *arguments, "--json")
        assert not check or done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @property
    def target(self) -> Target:
        return target(self.folder, None)

    def client(self, service: str) -> Any:
        return emulator.client(service, load(self.folder).endpoint)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GLASSBOX_", "AWS_", "FABRIC_"))}
    line = [Path(sys.executable).with_name("glassbox"), "stack", *arguments, "--folder", str(folder)]
    return subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("stack") / "stack"
    started = run(folder, "up", "--policy", "no-models", "--json")
    try:
        assert started.returncode == 0, started.stderr
        yield Running(folder)
    finally:
        ended = run(folder, "down", "--wipe")
        assert ended.returncode == 0, ended.stderr
        assert not folder.exists()
