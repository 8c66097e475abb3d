"""The line at the end of a test run that says what the Fabric suite ran on."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

PROPERTY = "fabric_runs_on"


def write_summary(reporter: Any) -> None:
    """Write the line, where a test of the suite was run."""
    ran: Counter[str] = Counter()
    for reports in reporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                ran.update(value for name, value in report.user_properties if name == PROPERTY)
    if ran:
        what = "; ".join(f"{count} tests on {name}" for name, count in sorted(ran.items()))
        only = "" if os.environ.get("FABRIC_BIN") else ". Not on Fabric itself: FABRIC_BIN is not set"
        reporter.write_line(f"The Fabric suite: {what}{only}")
