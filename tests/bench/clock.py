"""Processor time of a call, and processes of their own with their peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


def seconds(call: Callable[[], Any], repeats: int = 3) -> float:
    """Return the least processor time of the calls: other work on the machine only ever adds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def alternating(calls: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the least processor time of each, taken in turn, so that a busy minute hits all of them alike."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(repeats):
        for name, call in calls.items():
            best[name] = min(best[name], seconds(call, 1))
    return best


@dataclass(frozen=True)
class Finished:
    """A process that ended: its output, its times in seconds and its peak memory."""

    output: str
    wall: float
    processor: float
    peak_mib: float


def run(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Finished:
    """Run Python with the arguments to its end; RuntimeError with its last line where it fails."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    output, errors = process.communicate()
    wall = time.monotonic() - started
    if process.returncode not in (0, 9, 11):
        raise RuntimeError(f"{arguments[:3]} ended with {process.returncode}: {errors.strip()[-400:]}")
    return Finished(output, wall, 0.0, 0.0)


MEASURED = """
import json, resource, runpy, sys, time
start = time.process_time()
sys.argv = sys.argv[1:]
code = 0
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
except SystemExit as stop:
    code = stop.code or 0
own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
# Not ru_maxrss: that begins with what the parent held when it forked.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"cpu": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
                  "peak": peak, "code": code}), file=sys.stderr)
"""


def run_module(module: str, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Finished:
    """Run a module as `python -m` does, in a process that tells its processor time and peak memory at its end."""
    started = time.monotonic()
    process = subprocess.run(
        [sys.executable, "-c", MEASURED, module, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    wall = time.monotonic() - started
    try:
        told = json.loads(process.stderr.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise RuntimeError(f"{module} ended with {process.returncode}: {process.stderr.strip()[-400:]}") from None
    if told["code"] not in (0, 9, 11):
        raise RuntimeError(f"{module} ended with {told['code']}: {process.stderr.strip()[-600:]}")
    return Finished(process.stdout, wall, float(told["cpu"]), told["peak"] / 1024)
