"""Waits until something is so, looking every few moments, with an error that says what was waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from fabricnet.errors import NetworkError

PAUSE: Final = 0.05


def until(check: Callable[[], str | None], what: str, *, seconds: float, where: str, pause: float = PAUSE) -> None:
    """Return once `check` returns None; raises NetworkError with what it last returned after `seconds`."""
    end = time.monotonic() + seconds
    while (reason := check()) is not None:
        if time.monotonic() > end:
            raise NetworkError(
                f"{what} took longer than {seconds:g} s: {reason}", where=where, fix="See the logs in the folder `run`"
            )
        time.sleep(pause)
