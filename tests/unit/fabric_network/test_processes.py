"""Processes, ports and folders of a network."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fabricnet import NetworkError, compose, state
from fabricnet.binaries import Binaries
from fabricnet.ports import free_ports, is_free, listens
from fabricnet.processes import Command, Processes
from fabricnet.topology import Layout
from fabricnet.waiting import until

SLEEPS = "import time; print('begun', flush=True); time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('begun', flush=True); time.sleep(600)"
)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    found = Processes(tmp_path / "run")
    yield found
    found.stop(found.names(), number=signal.SIGKILL)


def start(processes: Processes, name: str, code: str) -> int:
    """Start Python code and wait until it says that it has begun."""
    pid = processes.start(Command(name, (sys.executable, "-c", code), {}))
    until(
        lambda: None if processes.log(name).read_text() or processes.pid(name) is None else "silent",
        name,
        seconds=60,
        where=name,
    )
    return pid


def test_a_process_is_started_once_and_known_by_its_pid(processes: Processes) -> None:
    pid = start(processes, "one", SLEEPS)
    assert processes.start(Command("one", ("/nonexistent",), {})) == pid
    assert Processes(processes.folder).pid("one") == pid
    assert processes.names() == ["one"]
    processes.stop(["one"])
    assert processes.pid("one") is None
    assert processes.names() == []


def test_one_that_does_not_end_is_killed(processes: Processes) -> None:
    start(processes, "one", STUBBORN)
    start(processes, "two", SLEEPS)
    processes.stop(["one", "two"], seconds=0.2)
    assert (processes.pid("one"), processes.pid("two")) == (None, None)


def test_a_pid_that_was_used_again_is_left_alone(processes: Processes) -> None:
    processes.folder.mkdir()
    (processes.folder / "one.pid").write_text(json.dumps({"pid": os.getpid(), "started": "1"}))
    assert processes.pid("one") is None
    processes.stop(["one"], number=signal.SIGKILL)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}'])
def test_a_damaged_pid_file_names_no_process(processes: Processes, text: str) -> None:
    processes.folder.mkdir()
    (processes.folder / "one.pid").write_text(text)
    assert processes.pid("one") is None


def test_a_process_that_ended_by_itself_is_shown_with_the_end_of_its_log(processes: Processes) -> None:
    start(processes, "one", "raise SystemExit('no such certificate')")
    until(lambda: None if processes.pid("one") is None else "runs", "its end", seconds=60, where="one")
    with pytest.raises(NetworkError, match="one has ended by itself: no such certificate"):
        processes.demand("one")


def test_nothing_of_the_callers_environment_reaches_a_process(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_SECRET", "x")
    start(processes, "one", "import os; print(sorted(os.environ))")
    assert "SOME_SECRET" not in processes.log("one").read_text()


def test_a_program_that_is_not_there_is_said_so(processes: Processes) -> None:
    with pytest.raises(NetworkError, match="one can't be started"):
        processes.start(Command("one", ("/nonexistent/program",), {}))


def test_free_ports_are_different_and_free() -> None:
    found = free_ports([str(number) for number in range(50)])
    assert len(set(found.values())) == 50
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert (is_free(port), listens(port)) == (False, True)
    assert not listens(port)


def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(NetworkError, match="holds no network, but data"):
        state.claimed(tmp_path)
    with pytest.raises(NetworkError, match="holds no network, but data"):
        compose.prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', '{"format": "glassbox-network/1"'])
def test_a_damaged_network_file_is_said_and_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "network.json").write_text(text)
    with pytest.raises(NetworkError, match="can't be read"):
        state.read(tmp_path)
    assert (tmp_path / "network.json").read_text() == text


def test_a_wipe_leaves_what_is_not_the_networks(tmp_path: Path) -> None:
    for name in ("data/ledger", "config/core.yaml", "mine/file", "network.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    state.wipe(Layout(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def program(folder: Path, name: str, script: str) -> None:
    """Write an executable."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_missing_programs_of_fabric_are_named(tmp_path: Path) -> None:
    program(tmp_path, "peer", "exit 0")
    with pytest.raises(NetworkError, match="holds no orderer, configtxgen, osnadmin"):
        state.wanted("fabric", tmp_path)
    with pytest.raises(NetworkError, match="No such backend"):
        state.wanted("besu", None)


def test_fabric_is_asked_for_only_where_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FABRIC_BIN", raising=False)
    assert state.wanted("auto", None)["runs_on"] == "development peer (not Hyperledger Fabric)"
    with pytest.raises(NetworkError, match="FABRIC_BIN is not set"):
        state.wanted("fabric", None)
    for name in ("orderer", "configtxgen", "osnadmin"):
        program(tmp_path, name, "exit 0")
    program(tmp_path, "peer", "printf 'peer:\\n Version: 9.8.7\\n'")
    monkeypatch.setenv("FABRIC_BIN", str(tmp_path))
    assert state.wanted("auto", None)["runs_on"] == "Hyperledger Fabric v9.8.7"
    assert state.wanted("devpeer", None)["backend"] == "devpeer"


def test_a_program_that_fails_is_shown_with_its_last_words(tmp_path: Path) -> None:
    program(tmp_path, "peer", "echo one; echo two >&2; echo 'no such channel' >&2; exit 3")
    with pytest.raises(NetworkError, match=r"`peer channel list` failed: two \| no such channel"):
        Binaries(tmp_path).run("peer", ["channel", "list"], {})
    program(tmp_path, "slow", "exec sleep 60")
    with pytest.raises(NetworkError, match=r"did not end within 0\.1 s"):
        Binaries(tmp_path).run("slow", [], {}, seconds=0.1)


def test_waiting_says_what_was_missing() -> None:
    with pytest.raises(NetworkError, match=r"The start took longer than 0\.01 s: not yet"):
        until(lambda: "not yet", "The start", seconds=0.01, where="here")
