"""How many requests are under way at once: halved when the endpoint has too many, raised again while all goes well."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Limiter:
    """Additive increase, multiplicative decrease; shared by every evaluation of a process."""

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._limit = float(most)
        self._under_way = 0
        self._clock = clock
        self._lowered = -math.inf
        self._held_until = -math.inf
        self._free = threading.Condition()

    def fresh(self) -> Limiter:
        """Return a limiter of the same size that knows of no request."""
        return Limiter(self._most, clock=self._clock)

    @property
    def limit(self) -> int:
        """How many requests may be under way now, from 1 to the most that was set."""
        return max(1, int(self._limit))

    @property
    def hold(self) -> float:
        """Seconds for which the endpoint asked everybody to wait, 0 where it didn't."""
        return max(0.0, self._held_until - self._clock())

    @contextmanager
    def slot(self, wait: float) -> Iterator[bool]:
        """Hold one place for the time of a request; yields False where none came free within `wait` seconds."""
        with self._free:
            timeout = wait if math.isfinite(wait) else None
            got = self._free.wait_for(lambda: self._under_way < self.limit, timeout=timeout)
            if got:
                self._under_way += 1
        try:
            yield got
        finally:
            if got:
                with self._free:
                    self._under_way -= 1
                    self._free.notify_all()

    def went_well(self) -> None:
        """Raise the limit by one for as many successes as it allows at once."""
        with self._free:
            self._limit = min(float(self._most), self._limit + 1.0 / max(self._limit, 1.0))
            self._free.notify_all()

    def too_many(self, wait: float | None = None) -> None:
        """Halve the limit, and hold everybody for `wait` seconds; refusals within a second count as one."""
        with self._free:
            now = self._clock()
            if wait is not None:
                self._held_until = max(self._held_until, now + wait)
            if now - self._lowered >= 1.0:
                self._limit = max(1.0, self._limit / 2)
                self._lowered = now
