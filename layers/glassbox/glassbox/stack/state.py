"""What a running stack is: its processes, its addresses and where it keeps its things, in one private file."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from glassbox.adapters.local.files import write_private
from glassbox.errors import StoreError, UsageError

FILE: Final = "stack.json"
REGION: Final = "us-east-1"
_GRACE: Final = 8.0


@dataclass(slots=True)
class Stack:
    """A stack that was started from this folder."""

    folder: str
    endpoint: str = ""
    """Address of the AWS emulator."""
    emulator: int = 0
    """Process id of the emulator."""
    ledger: str = ""
    """What the ledger runs on, in words."""
    profile: str = ""
    """Connection profile of the network."""
    outputs: dict[str, str] = field(default_factory=dict)
    """What the deployment says of itself."""
    api_key: str = ""
    tenant: str = ""

    @property
    def path(self) -> Path:
        """The folder in which it keeps everything."""
        return Path(self.folder)

    @property
    def api_url(self) -> str:
        """Address that evaluations are posted to."""
        stage, api = self.outputs["StageName"], self.outputs["ApiId"]
        return f"{self.endpoint}/restapis/{api}/{stage}/_user_request_/v1/evaluations"

    def save(self) -> None:
        """Write the file; only its owner can read it, since it holds the API key."""
        path = self.path / FILE
        temporary = path.with_name(f".{FILE}.{os.getpid()}")
        temporary.unlink(missing_ok=True)
        write_private(temporary, (json.dumps(asdict(self), indent=1) + "\n").encode())
        temporary.replace(path)


def load(folder: Path) -> Stack:
    """Return the stack that was started in a folder; raises UsageError where there is none."""
    try:
        return Stack(**json.loads((folder / FILE).read_text("utf-8")))
    except FileNotFoundError:
        raise UsageError("No stack runs here", where=str(folder), fix="Start one: glassbox stack up") from None
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(f"The stack's file can't be read ({type(error).__name__})", where=str(folder)) from None


def alive(pid: int) -> bool:
    """Return whether a process of that id runs."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] == "Z"
    except (OSError, IndexError):
        return False


def end(pid: int) -> None:
    """End a process and everything in its group: asked first, and made to after eight seconds."""
    if not alive(pid):
        return
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(pid, sign)
        except ProcessLookupError:
            return
        until = time.monotonic() + _GRACE
        while time.monotonic() < until:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
            if not alive(pid):
                return
            time.sleep(0.05)
