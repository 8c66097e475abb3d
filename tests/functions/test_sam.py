"""What the SAM CLI makes of the template, where it is installed; nothing else here needs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.functions.deployed import ROOT

SAM = os.environ.get("SAM_CLI") or shutil.which("sam")
pytestmark = pytest.mark.skipif(SAM is None, reason="NOT RUN: there is no SAM CLI on the path (SAM_CLI names one)")


def sam(*arguments: str) -> subprocess.CompletedProcess[str]:
    managed = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [str(path.parent) for path in sorted(managed.glob("3.12.*/bin/python3.12"))]
    env = {**os.environ, "AWS_DEFAULT_REGION": "us-east-1", "SAM_CLI_TELEMETRY": "0"}
    env["PATH"] = os.pathsep.join([*places, env["PATH"]])
    return subprocess.run([str(SAM), *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_the_template_is_valid() -> None:
    done = sam("validate", "--lint")
    assert done.returncode == 0, done.stderr


def test_the_build_makes_every_function_and_every_layer(tmp_path: Path) -> None:
    done = sam("build", "--build-dir", str(tmp_path / "build"), "--cache-dir", str(tmp_path / "cache"))
    if "python3.12" in done.stderr and done.returncode != 0:
        pytest.skip("NOT RUN: there is no Python 3.12, which the template's functions run on")
    assert done.returncode == 0, done.stderr
    built = {path.name for path in (tmp_path / "build").iterdir()}
    assert {f"{name}Layer" for name in ("Library", "Inference", "Evaluators", "Ledger")} <= built
    assert (tmp_path / "build" / "LibraryLayer" / "python" / "glassbox_contract").is_dir()
