"""The AWS emulator (ministack) as one process group on loopback, with folders of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from glassbox.errors import StoreError, UsageError
from glassbox.stack.state import REGION, alive, end

START: Final = 60.0
LOG: Final = "emulator.log"


def check_installed() -> None:
    """Raise UsageError where the emulator is not installed."""
    if find_spec("ministack") is None or find_spec("samtranslator") is None:
        raise UsageError(
            "The AWS emulator is not installed",
            where="glassbox stack",
            fix='Install the extra: `make stack` does, or pip install "glassbox[stack]"',
        )


def free_port() -> int:
    """Return a port of loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path) -> tuple[int, str]:
    """Return (process id, address) of an emulator that answers; raises StoreError where it doesn't come up."""
    port = free_port()
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700, parents=True, exist_ok=True)
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "GLASSBOX_", "PYTHON"))},
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "TMPDIR": str(temporary),
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        # Two services of the emulator's would listen on every address of this machine, and nothing here uses them.
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        # X-Ray's daemon is not there.
        "POWERTOOLS_TRACE_DISABLED": "true",
        "AWS_XRAY_SDK_ENABLED": "false",
    }
    with (folder / LOG).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ministack"],
            env=env,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    endpoint = f"http://127.0.0.1:{port}"
    try:
        _wait(process, endpoint, folder / LOG)
    except BaseException:
        end(process.pid)
        raise
    return process.pid, endpoint


def _wait(process: subprocess.Popen[bytes], endpoint: str, log: Path) -> None:
    import httpx

    until = time.monotonic() + START
    with httpx.Client(trust_env=False, timeout=2.0) as http:
        while time.monotonic() < until:
            if process.poll() is not None:
                break
            try:
                if http.get(f"{endpoint}/_ministack/health").status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
    raise StoreError("The AWS emulator did not start", where=str(log), fix="Its log says why")


def client(service: str, endpoint: str) -> Any:
    """Return a client of the emulator's, whatever the environment says about AWS."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 - the emulator takes any
        config=Config(s3={"addressing_style": "path"}, retries={"mode": "standard", "total_max_attempts": 3}),
    )


def running(pid: int) -> bool:
    """Return whether the emulator's process runs."""
    return alive(pid)
