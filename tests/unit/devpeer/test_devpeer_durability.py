"""What the development peer has told of survives any end of its process; what is damaged is refused."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time

import pytest

from glassbox.errors import LedgerError
from tests.unit.devpeer.support import ROOT, Network


def blocks_of(network: Network) -> bytes:
    return (network.folder / "data" / "blocks").read_bytes()


def test_state_history_and_status_are_there_after_a_kill(own: Network) -> None:
    first, second = own.commit("put", "a", "1"), own.commit("put", "a", "2", "b", "x")
    before = [own.ask("get", "a", "b"), own.ask("history", "a"), own.status()["height"]]
    own.kill()
    own.start()
    assert [own.ask("get", "a", "b"), own.ask("history", "a"), own.status()["height"]] == before
    assert [own.gateway().commit_status(one).code for one in (first, second)] == ["VALID", "VALID"]
    assert own.commit("put", "a", "3")


@pytest.mark.parametrize(("death", "is_there"), [("before_block", False), ("torn_block", False), ("after_block", True)])
def test_a_block_is_there_whole_or_not_at_all(own: Network, death: str, is_there: bool) -> None:
    own.commit("put", "a", "1")
    own.faults(die=death)
    prepared = own.prepare("put", "b", "1")
    gateway = own.gateway()
    gateway.submit(prepared.tx_id, prepared.envelope)
    assert own.wait_dead() == 9
    own.start()
    assert own.ask("get", "a", "b") == ["1", "1" if is_there else None]
    assert ("cut off an unfinished block" in own.log.read_text()) == (death == "torn_block")
    # The same envelope again counts where the first was lost, and is a duplicate where it was not.
    gateway.submit(prepared.tx_id, prepared.envelope)
    assert gateway.commit_status(prepared.tx_id).code == "VALID"
    assert own.commit("put", "c", "1")
    assert len(own.ask("history", "b")) == 1


def test_any_cut_of_the_last_block_leaves_those_before(own: Network) -> None:
    own.commit("put", "a", "1")
    end = len(blocks_of(own))
    own.commit("put", "b", "1")
    whole = blocks_of(own)
    own.stop()
    path = own.folder / "data" / "blocks"
    for size in (end + 1, end + 35, end + 36, end + 37, len(whole) - 1):
        path.write_bytes(whole[:size])
        own.start()
        assert own.ask("get", "a", "b") == ["1", None]
        own.stop()
        assert len(path.read_bytes()) == end


def refused(network: Network) -> str:
    """Return what a development peer says that does not run."""
    done = subprocess.run(
        [sys.executable, "-m", "devpeer", "--config", str(network.folder / "config.json")],
        env={"PYTHONPATH": str(ROOT / "fabric-network"), "PATH": ""},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr.decode()


def test_damage_before_the_end_is_refused_and_nothing_is_changed(own: Network) -> None:
    for n in range(3):
        own.commit("put", f"k{n}", "1")
    own.stop()
    path = own.folder / "data" / "blocks"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert "damaged at byte" in refused(own)
    assert path.read_bytes() == data
    path.write_bytes(b"something else altogether, and long enough")
    assert "not a development peer's file of blocks" in refused(own)


def test_blocks_of_another_configuration_are_refused(own: Network) -> None:
    own.commit("put", "a", "1")
    own.stop()
    path = own.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "channel": "another"}))
    assert "made from another configuration" in refused(own)


def test_one_process_at_a_time_holds_the_data(own: Network) -> None:
    assert "another development peer holds it" in refused(own)
    assert own.commit("put", "a", "1")


def test_a_stop_while_a_block_is_written_leaves_it_whole(own: Network) -> None:
    own.faults(commit_delay_ms=50)
    gateway = own.gateway()
    prepared = [own.prepare("put", f"k{n}", "1") for n in range(3)]
    for one in prepared:
        gateway.submit(one.tx_id, one.envelope)
        time.sleep(0.06)
    own.stop()
    own.start()
    assert "cut off an unfinished block" not in own.log.read_text()
    for one in prepared:
        gateway.submit(one.tx_id, one.envelope)
    assert [gateway.commit_status(one.tx_id).code for one in prepared] == ["VALID"] * 3
    assert [len(own.ask("history", f"k{n}")) for n in range(3)] == [1] * 3


def test_a_disk_that_takes_no_more_ends_the_process_before_anybody_is_told(own: Network) -> None:
    own.commit("put", "a", "1")
    size = len(blocks_of(own)) + 100
    resource.prlimit(own.status()["pid"], resource.RLIMIT_FSIZE, (size, size))
    prepared = own.prepare("put", "b", "1")
    gateway = own.gateway()
    gateway.submit(prepared.tx_id, prepared.envelope)
    assert own.wait_dead() == 1
    assert "stopped by the system: File too large" in own.log.read_text()
    own.start()
    assert own.ask("get", "a", "b") == ["1", None]


@pytest.mark.long
def test_many_kills_at_any_moment_lose_nothing_that_was_told(own: Network) -> None:
    chance = random.Random(11)
    told: dict[str, str] = {}
    for turn in range(25):
        deadline = time.monotonic() + chance.uniform(0.05, 0.6)
        own.faults(die=chance.choice(["", "before_block", "torn_block", "after_block"]) if turn % 2 else "")
        while time.monotonic() < deadline:
            key = f"k{turn}-{len(told)}"
            try:
                told[key] = own.commit("put", key, key)
            except LedgerError:
                break
        own.kill()
        own.release()
        own.start()
        for tx_id in told.values():
            assert own.gateway().commit_status(tx_id).code == "VALID"
            own.release()
        keys = list(told)
        assert own.ask("get", *keys) == keys
