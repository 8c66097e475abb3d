"""`python -m devpeer --config FILE`: runs until SIGTERM; every line that it prints says what it is."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from devpeer import NAME
from devpeer.config import read_config
from devpeer.errors import ConfigError
from devpeer.process import serve


def say(text: str) -> None:
    """Print a line of status."""
    print(f"[{NAME}] {text}", file=sys.stderr, flush=True)


def main() -> int:
    """Return 0 after a stop, 1 where it can't run or can't go on."""
    parser = argparse.ArgumentParser(
        prog="python -m devpeer",
        description=f"The {NAME}. A test tool: it speaks the Gateway and chaincode protocols on this machine, "
        "keeps blocks as Fabric does, and protects nobody from anybody, since one process holds every key.",
    )
    parser.add_argument("--config", type=Path, required=True, help="the JSON file that PROFILE.md describes")
    try:
        asyncio.run(serve(read_config(parser.parse_args().config), say))
    except ConfigError as error:
        say(f"can't run: {error}")
        return 1
    except OSError as error:
        # A block that can't be kept must not be told of, so there is nothing left to do here.
        say(f"stopped by the system: {error.strerror or type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
