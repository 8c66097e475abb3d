"""The same calls give the same bytes in every process, whatever its hash seed, locale, time zone or Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = Path(__file__).parent / "determinism_probe.py"
SETTINGS = [
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
    {"PYTHONHASHSEED": "4294967295", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Kiritimati", "PYTHONOPTIMIZE": "2"},
    {"PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "UTC", "PYTHONINTMAXSTRDIGITS": "640", "PYTHONUTF8": "0"},
]


def output(interpreter: str, settings: dict[str, str], path: str = "") -> bytes:
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": path, **settings}
    return subprocess.run([interpreter, str(PROBE)], env=environment, capture_output=True, check=True).stdout


def installed(version: str) -> str | None:
    """Return a Python of this version, on the path or among those that pyenv keeps, None where there is none."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for candidate in (shutil.which(f"python{version}"), *map(str, kept)):
        if candidate and not subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode:
            return candidate
    return None


def test_hash_seed_locale_and_time_zone_change_no_byte() -> None:
    outputs = [output(sys.executable, settings) for settings in SETTINGS]
    assert len(outputs[0].splitlines()) > 50
    assert all(found == outputs[0] for found in outputs)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_supported_python_gives_the_same_bytes(version: str) -> None:
    interpreter = installed(version)
    if interpreter is None:
        pytest.skip(f"python{version} is not installed")
    import rfc8785

    packages = str(Path(rfc8785.__file__).parents[1])
    assert output(interpreter, SETTINGS[1], packages) == output(sys.executable, SETTINGS[0])
