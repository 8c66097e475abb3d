"""Tests of the network's tool, whose folder is no package of the library."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "fabric-network"
sys.path.insert(0, str(FOLDER))
