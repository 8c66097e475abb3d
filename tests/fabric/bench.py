"""How many scorecards a network commits a second, and how long one takes, by 1, 8 and 32 writers.

`python tests/fabric/bench.py` measures the development peer; with FABRIC_BIN also Fabric itself, one network after the
other. A commit is everything that a caller waits for: endorsements, the envelope kept on disk, ordering, the status,
and the block that the receipt names. Each line says what it was measured on.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "chaincode"), str(ROOT / "layers" / "glassbox")]

from tests.fabric.stage import DEFAULT, Cards, Stage, backends, insisted  # noqa: E402

COLUMNS = ("writers", "commits", "commits/s", "median ms", "p95 ms", "endorse ms", "ran on")


def measured(stage: Stage, writers: int, commits: int) -> dict[str, Any]:
    """Return one line of the table."""
    records = Cards().make(commits)
    ledger = stage.ledger()
    times: list[float] = []
    endorsing: list[float] = []
    endorse = ledger._gateway.endorse

    def timed_endorse(*args: Any) -> Any:
        begun = time.perf_counter()
        prepared = endorse(*args)
        endorsing.append(time.perf_counter() - begun)
        return prepared

    def timed(record: dict[str, Any]) -> None:
        begun = time.perf_counter()
        insisted(ledger, record)
        times.append(time.perf_counter() - begun)

    ledger._gateway.endorse = timed_endorse  # type: ignore[method-assign]
    ledger.commit(Cards().one(), DEFAULT)
    endorsing.clear()
    begun = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(timed, records))
    spent = time.perf_counter() - begun
    times.sort()
    return {
        "writers": writers,
        "commits": commits,
        "commits/s": round(commits / spent, 1),
        "median ms": round(1000 * statistics.median(times)),
        "p95 ms": round(1000 * times[int(len(times) * 0.95)]),
        "endorse ms": round(1000 * statistics.median(endorsing)),
        "ran on": f"{stage.runs_on}, blocks every {stage.batch_ms} ms",
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Commits per second and latency of the ledger on Fabric.")
    parser.add_argument("--commits", type=int, default=320, help="commits for each line but that of one writer")
    parser.add_argument("--batch-ms", type=int, default=200, help="after how long a block is cut")
    parser.add_argument("--json", type=Path, help="also write the lines to this file")
    options = parser.parse_args()
    lines = []
    print("  ".join(f"{name:>10}" for name in COLUMNS))
    for backend in backends():
        stage = Stage(backend, batch_ms=options.batch_ms)
        try:
            for writers in (1, 8, 32):
                line = measured(stage, writers, options.commits if writers > 1 else max(10, options.commits // 10))
                lines.append(line)
                print("  ".join(f"{line[name]:>10}" for name in COLUMNS), flush=True)
                stage.release()
        finally:
            stage.close()
    print(f"load average at the end: {', '.join(f'{one:.1f}' for one in os.getloadavg())}")
    if options.json:
        options.json.write_text(json.dumps(lines, indent=1) + "\n")


if __name__ == "__main__":
    main()
