"""Processes that outlive this one, each known by its pid and the moment it was started: pids are used again."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fabricnet.errors import NetworkError
from fabricnet.files import write_json

STOP_SECONDS: Final = 25.0
_TAIL_BYTES: Final = 2000


@dataclass(frozen=True, slots=True)
class Command:
    """How a process is started: its name here, the program, and its whole environment."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str]


class Processes:
    """The processes of one network, kept as files `run/<name>.pid` beside their logs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def log(self, name: str) -> Path:
        """Return the path of a process's log."""
        return self.folder / f"{name}.log"

    def start(self, command: Command) -> int:
        """Start a process in a session of its own unless it runs already; return its pid."""
        running = self.pid(command.name)
        if running is not None:
            return running
        self.folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            pid = os.posix_spawn(
                command.argv[0],
                list(command.argv),
                {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", **command.environment},
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, str(self.log(command.name)), flags, 0o600),
                    (os.POSIX_SPAWN_DUP2, 1, 2),
                ],
                setsid=True,
            )
        except OSError as error:
            raise NetworkError(
                f"{command.name} can't be started ({error.strerror})", where=command.argv[0], fix="Check the program"
            ) from None
        write_json(self._file(command.name), {"pid": pid, "started": _started(pid)})
        return pid

    def pid(self, name: str) -> int | None:
        """Return the pid of a process that runs, None where it doesn't."""
        try:
            known = json.loads(self._file(name).read_text())
            pid, started = int(known["pid"]), known["started"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        _reap(pid)
        return pid if started is not None and _started(pid) == started else None

    def names(self) -> list[str]:
        """Return the names of all processes that were ever started, in alphabetical order."""
        return sorted(path.stem for path in self.folder.glob("*.pid"))

    def demand(self, name: str) -> None:
        """Raise NetworkError with the end of its log where a process has ended by itself."""
        if self.pid(name) is None:
            raise NetworkError(
                f"{name} has ended by itself: {self.tail(name)}",
                where=str(self.log(name)),
                fix="See the log; `network.py down --wipe` and `up` begin anew",
            )

    def tail(self, name: str) -> str:
        """Return the end of a process's log in one line."""
        try:
            text = self.log(name).read_bytes()[-_TAIL_BYTES:].decode("utf-8", "replace")
        except OSError:
            return "no log"
        return " | ".join(text.splitlines()[-3:])

    def stop(self, names: Sequence[str], *, number: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> None:
        """Send a signal to processes and wait until all have ended; those that don't are killed."""
        pids = {name: pid for name in names if (pid := self.pid(name)) is not None}
        for pid in pids.values():
            _signal(pid, number)
        until = time.monotonic() + seconds
        while left := [name for name in pids if self.pid(name) is not None]:
            if time.monotonic() > until:
                for name in left:
                    _signal(pids[name], signal.SIGKILL)
                until = time.monotonic() + seconds
            time.sleep(0.02)
        for name in names:
            self._file(name).unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.pid"


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _reap(pid: int) -> None:
    """Take note of the end of a child of ours, which would otherwise look as if it still ran."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _started(pid: int) -> str | None:
    """Return something that tells this process from another with its pid; None where it doesn't run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return _started_elsewhere(pid)
    return None if fields[0] in "ZX" else fields[19]


def _started_elsewhere(pid: int) -> str | None:
    if Path("/proc/self/stat").exists():
        return None
    # Without /proc the pid has to do.
    try:
        os.kill(pid, 0)
    except OSError:
        return None
    return "running"
