"""One endpoint in one process: its connections, its limits and what it refused, shared by all that ask it."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Final

from glassbox.llm.backend import Backend
from glassbox.llm.learnt import Learnt
from glassbox.llm.limiter import Limiter
from glassbox.llm.settings import LlmSettings


class Endpoint:
    """What all the ports of one endpoint share: connections, limits, what the endpoint refused, and the clock."""

    def __init__(
        self,
        settings: LlmSettings,
        backend: Backend,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        chance: Callable[[], float],
    ) -> None:
        self.backend = backend
        self.learnt = Learnt(settings, backend.modes, takes_seed=backend.takes_seed)
        self.limiter = Limiter(settings.concurrency, clock=clock)
        self.clock, self.sleep, self.chance = clock, sleep, chance
        _ENDPOINTS.add(self)

    def after_fork(self) -> None:
        """Begin afresh in a child process: connections, locks and requests under way are the parent's."""
        self.backend.forget()
        self.learnt.renew()
        self.limiter = self.limiter.fresh()


_ENDPOINTS: Final[weakref.WeakSet[Endpoint]] = weakref.WeakSet()


def _after_fork() -> None:
    for endpoint in list(_ENDPOINTS):
        endpoint.after_fork()


os.register_at_fork(after_in_child=_after_fork)
