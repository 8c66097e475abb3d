"""Both judges on a read-only machine without a network: they need nothing but the judge model, and try nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("isolated.py")
ROOT = SCRIPT.parents[3]


def run(mode: str, *before: str) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT), *(path for path in sys.path if path)]
    env = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        # The one folder that may be written to is empty at first: it must not be one that the project lies in.
        "TMPDIR": "/var/tmp" if ROOT.is_relative_to("/tmp") else "/tmp",
    }
    line = [*before, sys.executable, str(SCRIPT), mode]
    return subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=900)


def told(ran: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def check(found: dict[str, Any]) -> None:
    assert found["tried"] == []
    assert found["calls"] == 6
    assert found["scores"]["contextual_precision"] == 1_000_000
    assert found["scores"]["faithfulness"] > 0


def test_nothing_is_written_and_nobody_else_is_reached_on_a_sealed_machine() -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("NOT RUN: there is no unshare on this machine; the guarded run below stands alone")
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    if subprocess.run([unshare, *user, "--mount", "--net", "true"], check=False, capture_output=True).returncode:
        pytest.skip("NOT RUN: this machine allows no namespaces; the guarded run below stands alone")
    ran = run("namespaces", unshare, *user, "--mount", "--net")
    if ran.returncode == 3:
        pytest.skip("NOT RUN: this machine allows no mounts in a namespace; the guarded run below stands alone")
    found = told(ran)
    assert (found["writable"], found["reachable"]) == ([], False)
    check(found)


def test_nothing_is_written_and_nobody_else_is_reached_under_guard() -> None:
    check(told(run("guard")))
