"""No marker in an evaluated text makes the library read a file or ask an address."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.attacks.marker_audit import ROOT


def test_no_file_is_read_and_no_address_asked_whatever_the_markers_name(tmp_path: Path) -> None:
    bait = tmp_path / "bait.png"
    bait.write_bytes(b"not for the judge")
    told = subprocess.run(
        [sys.executable, "-m", "tests.attacks.marker_audit", str(bait)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(told.stdout)
    assert found["full"] == []
    # The same attacks without the defences: the watch sees what there is to see.
    assert f"open {bait}" in found["none"]
    assert "open /proc/self/environ" in found["none"] or not sys.platform.startswith("linux")
