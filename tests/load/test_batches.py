"""Many requests at once stay within the memory of a small machine, and a kill at any moment loses nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

GIGABYTE = 1024**3
SUBJECTS = ("pump", "boiler", "valve", "sensor", "filter", "meter", "fan", "pipe", "switch", "panel")


def sentence(number: int, rng: random.Random) -> str:
    subject, other = rng.sample(SUBJECTS, 2)
    return (
        f"The {subject} of unit {number} was replaced on {rng.randint(1, 28)} May 20{rng.randint(10, 24)} "
        f"by Carla Brandt and delivers {rng.randint(100, 999)} litres an hour to the {other}."
    )


def request(number: int) -> dict[str, object]:
    """A request of the usual size: an answer of about 300 tokens over five passages of about 200."""
    rng = random.Random(number)
    passages = [" ".join(sentence(number * 10 + p, rng) for _ in range(8)) for p in range(5)]
    answer = " ".join(rng.choice(passages).split(". ")[rng.randint(0, 6)].rstrip(".") + "." for _ in range(12))
    return {
        "query": f"What was replaced in unit {number}0, when and by whom?",
        "answer": answer,
        "retrieved_passages": [{"text": text, "score": 0.9 - 0.1 * rank} for rank, text in enumerate(passages)],
    }


def write_batch(path: Path, count: int) -> None:
    path.write_text("".join(json.dumps(request(n)) + "\n" for n in range(count)), "utf-8")


def memory_of_group(group: int) -> int:
    """Return the bytes that the processes of a group hold, shared pages counted once per process."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if os.getpgid(int(folder.name)) == group:
                    total += int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            except (OSError, IndexError):
                continue
    return total


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "glassbox.cli", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_two_hundred_requests_on_two_processes_stay_under_a_gigabyte_and_a_half(tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    write_batch(batch, 200)
    peak = 0
    out = tmp_path / "cards.json"
    command = [sys.executable, "-m", "glassbox.cli", "evaluate", str(batch), "--json", "--jobs", "2"]
    with out.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--home", str(tmp_path / "home")],
            stdout=file,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while process.poll() is None:
            peak = max(peak, memory_of_group(process.pid))
            time.sleep(0.1)
    cards = json.loads(out.read_bytes())
    assert len(cards) == 200
    assert all("error" not in card for card in cards)
    print(f"peak memory of 200 requests on two processes: {peak / GIGABYTE:.2f} GiB")
    assert peak < 1.5 * GIGABYTE


def kills(home: Path, batch: Path, policy: str, count: int, seed: int) -> None:
    """Kill a batch `count` times at a random moment, each time after a little more, then let it finish."""
    rng = random.Random(seed)
    for _ in range(count):
        process = start("evaluate", str(batch), "--policy", policy, "--json", "--home", str(home))
        time.sleep(rng.uniform(0.3, 2.5))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def check_nothing_was_lost(home: Path, batch: Path, policy: str, size: int) -> None:
    done = start("evaluate", str(batch), "--policy", policy, "--json", "--home", str(home))
    cards = json.loads(done.communicate()[0])
    assert all("error" not in card for card in cards)
    report = json.loads(start("ledger", "fsck", "--json", "--home", str(home)).communicate()[0])
    assert report["intact"], report
    assert report["records"] == size, "each evaluation stands on the ledger exactly once"
    for card in cards:
        verified = start("verify", card["evaluation_id"], "--home", str(home))
        verified.communicate()
        assert verified.returncode == 0
    left = [p for p in (home / "evaluations").rglob(".*") if p.is_file()]
    assert len(left) <= 64, "a kill may leave an unfinished temporary file, and nothing reads it"


@pytest.mark.parametrize(
    ("size", "count"), [(6, 3), pytest.param(40, 40, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_a_kill_at_any_moment_loses_nothing_and_repeats_nothing(tmp_path: Path, size: int, count: int) -> None:
    batch, home = tmp_path / "batch.jsonl", tmp_path / "home"
    write_batch(batch, size)
    kills(home, batch, "no-models", count, seed=size)
    check_nothing_was_lost(home, batch, "no-models", size)
