"""A process killed at any moment leaves a sound ledger that has everything it acknowledged."""

from __future__ import annotations

import random
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from glassbox.ledger.embedded import EmbeddedLedger
from tests.unit.ledger.support import DEFAULT, identifier, record

PROBE = Path(__file__).parent / "kill_probe.py"


def start(path: Path, first: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(PROBE), str(path), str(first)], stdout=subprocess.PIPE, bufsize=0)


def wait_for_line(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process has said something, so that a kill falls into its work and not into its start."""
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], 120)[0], "the writer said nothing for two minutes"


def acknowledged(process: subprocess.Popen[bytes]) -> list[tuple[int, str, int]]:
    """Kill the process and return the whole lines that it wrote before."""
    process.kill()
    output, _ = process.communicate()
    lines = output.split(b"\n")[:-1]
    parts = [line.decode().split() for line in lines if line != b"ready"]
    return [(int(n), transaction, int(block)) for n, transaction, block in parts]


def kill_loop(path: Path, rounds: int, writers: int, rng: random.Random) -> int:
    """Start writers and kill them at random moments, again and again; return how many records were acknowledged."""
    known: dict[int, tuple[str, int]] = {}
    checkpoint = None
    for _ in range(rounds):
        # Begin a little before the last acknowledged record: some come twice, and must stay what they were.
        first = max(0, len(known) // 2 - 2)
        processes = [start(path, first + 5000 * writer) for writer in range(writers)]
        for process in processes:
            wait_for_line(process)
        time.sleep(rng.choice([0.0, 0.005, 0.05, 0.3]) * rng.random() + rng.choice([0, 0, 0.2]))
        for process in processes:
            for n, transaction, block in acknowledged(process):
                assert known.setdefault(n, (transaction, block)) == (transaction, block)
        if not path.exists():
            continue
        with EmbeddedLedger(path) as ledger:
            report = ledger.fsck(checkpoint)
            assert report.findings == ()
            assert report.records >= len(known)
            for n, (transaction, block) in known.items():
                found = ledger.get(identifier(n))
                assert (found["record"], found["tx_id"], found["block"]) == (record(n), transaction, block)
            checkpoint = ledger.checkpoint()
    with EmbeddedLedger(path) as ledger:
        ledger.commit(record(9999), DEFAULT)
        assert ledger.fsck(checkpoint).intact
    return len(known)


def test_a_writer_is_killed_again_and_again(tmp_path: Path) -> None:
    kill_loop(tmp_path / "ledger.sqlite", rounds=5, writers=1, rng=random.Random(5))


def test_two_writers_are_killed_together(tmp_path: Path) -> None:
    kill_loop(tmp_path / "ledger.sqlite", rounds=2, writers=2, rng=random.Random(6))


@pytest.mark.long
@pytest.mark.parametrize("writers", [1, 2, 4])
def test_writers_are_killed_a_hundred_times(tmp_path: Path, writers: int) -> None:
    # Ten ledgers of ten rounds each: the walk over a long ledger would take the time that the kills need.
    rng = random.Random(writers)
    assert sum(kill_loop(tmp_path / f"{n}.sqlite", rounds=10, writers=writers, rng=rng) for n in range(10)) > 100


@pytest.mark.long
def test_the_first_start_is_killed_at_every_moment(tmp_path: Path) -> None:
    rng = random.Random(7)
    for n in range(40):
        path = tmp_path / str(n) / "ledger.sqlite"
        for _ in range(3):
            process = start(path, 0)
            wait_for_line(process)
            time.sleep(rng.random() * 0.03)
            acknowledged(process)
        with EmbeddedLedger(path) as ledger:
            ledger.commit(record(1), DEFAULT)
            assert ledger.fsck().intact
        assert sorted(file.name for file in path.parent.iterdir() if ".key" in file.name and file.name[0] != ".") == [
            "ledger.key"
        ]
