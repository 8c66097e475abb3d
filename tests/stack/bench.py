"""Measure the stack that runs here: `python tests/stack/bench.py [--folder FOLDER] [--requests N] [--policy NAME]`.

Start it first (`glassbox stack up`). Prints how long the webhook takes to accept, how long an evaluation takes until it
is on the ledger with warm functions, one after the other and eight at once, and the memory of the emulator's workers.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from glassbox.stack.sending import by_webhook, wait  # noqa: E402
from glassbox.stack.state import Stack, load  # noqa: E402
from tests.functions.requests import body  # noqa: E402


def once(stack: Stack, policy: str) -> tuple[float, float]:
    """Return the seconds until a request was accepted, and until its scorecard was committed."""
    text = body(policy=policy).encode()
    began = time.monotonic()
    sent = by_webhook(stack, "bench", text)
    accepted = time.monotonic() - began
    if sent.evaluation_id is None:
        raise SystemExit(f"not accepted: {sent.problem}")
    told = wait(stack, sent.evaluation_id, 120)
    if told["status"] != "committed":
        raise SystemExit(f"not committed: {told}")
    return accepted, time.monotonic() - began


def shown(name: str, seconds: list[float]) -> str:
    """Return a line with the median, the 95th percentile and the worst, in milliseconds."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{name:<44}{statistics.median(ordered) * 1000:>9.0f}{high * 1000:>9.0f}{ordered[-1] * 1000:>9.0f}"


def workers(folder: Path) -> list[int]:
    """Return the resident megabytes of each of the emulator's workers."""
    found = []
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() not in status.read_bytes():
                continue
            lines = (status.parent / "status").read_text().splitlines()
        except OSError:
            continue
        found += [int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")]
    return sorted(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path(".glassbox/stack"))
    parser.add_argument("--requests", type=int, default=30)
    parser.add_argument("--policy", default="default")
    given = parser.parse_args()
    stack = load(given.folder)
    for _ in range(3):
        once(stack, given.policy)
    print(
        f"AWS emulator (a simulator of AWS); ledger: {stack.ledger}; policy {given.policy}, {given.requests} requests\n"
    )
    print(f"{'milliseconds':<44}{'p50':>9}{'p95':>9}{'worst':>9}")
    alone = [once(stack, given.policy) for _ in range(given.requests)]
    print(shown("webhook until 202", [a for a, _ in alone]))
    print(shown("webhook until committed, one at a time", [c for _, c in alone]))
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: once(stack, given.policy), range(given.requests)))
    took = time.monotonic() - began
    print(shown("webhook until 202, eight at once", [a for a, _ in together]))
    print(shown("webhook until committed, eight at once", [c for _, c in together]))
    print(f"\nthroughput, eight at once: {given.requests / took:.1f} evaluations a second")
    print(f"memory of the workers in MB: {json.dumps(workers(stack.path))}")


if __name__ == "__main__":
    main()
