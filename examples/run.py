"""The main job, as `make run` does it: evaluate the examples, commit, verify, and show where the reports are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLASSBOX = ROOT / ".venv" / "bin" / "glassbox"
REQUESTS = sorted((ROOT / "examples" / "requests").glob("*.json"))
HOME = ROOT / ".glassbox"


def call(*arguments: str) -> int:
    """Run the glassbox command as a user would and return its exit code."""
    command = [str(GLASSBOX), *arguments, "--home", str(HOME.relative_to(ROOT))]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    """Return 0 where every example was evaluated, committed and found intact, whatever its decision."""
    names = [str(path.relative_to(ROOT)) for path in REQUESTS]
    print(f"Evaluating {len(names)} example requests (examples/requests)\n", flush=True)
    if call("evaluate", *names, "--out", "build/run") == 1:
        return 1
    print("Verifying every bundle against the ledger\n", flush=True)
    bundles = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "build" / "run").glob("*.bundle.json"))
    if call("verify", *bundles) != 0:
        return 1
    print(
        "\nReports: build/run/index.html (open it in a browser)\n"
        "An answer that fails is no fault of this run: the examples hold faults on purpose.\n\n"
        "Next: .venv/bin/glassbox evaluate YOUR-REQUEST.json    .venv/bin/glassbox --help"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
