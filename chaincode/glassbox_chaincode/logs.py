"""Log lines of the chaincode server: ids, sizes, counts and times, never an argument, a key or a value."""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from typing import Final

LOGGER: Final = logging.getLogger("glassbox_chaincode")

_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")


def name(text: str) -> str:
    """Return a name that a peer gave, "?" where it is none: a log line is no place for somebody's text."""
    return text if _NAME.fullmatch(text) else "?"


def place(error: BaseException) -> str:
    """Return the kind of an error and the line of code that raised it, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename.rsplit('/', 2)[-1]}:{frames[-1].lineno}" if frames else ""
    return type(error).__name__ + where


def set_up(level: str) -> None:
    """Send the log to standard error, one line an entry, times in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(level)
    LOGGER.propagate = False
