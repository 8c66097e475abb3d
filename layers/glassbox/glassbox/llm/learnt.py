"""What an endpoint refused once and is not asked again: remembered for the process, shared by its threads."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from glassbox.llm.backend import BackendError, Mode, Wire
from glassbox.llm.settings import LlmSettings
from glassbox.llm.types import FaultCode

_SHAPELESS: tuple[FaultCode, ...] = ("invalid_json", "schema", "vocabulary")


@dataclass(frozen=True, slots=True)
class Manner:
    """How an endpoint is asked by now."""

    mode: Mode
    seed: bool
    temperature: bool
    told: bool
    """Whether the schema is told in words as well, because the endpoint lets replies break it."""


class Learnt:
    """The manner of asking one endpoint, which only ever becomes less demanding."""

    def __init__(self, settings: LlmSettings, modes: tuple[Mode, ...], *, takes_seed: bool) -> None:
        self._auto = settings.schema == "auto"
        self._modes = modes
        wanted = modes[0] if settings.schema == "auto" else settings.schema
        mode = wanted if wanted in modes else modes[-1]
        self._manner = Manner(
            mode, takes_seed and settings.seed is not None, settings.temperature is not None, mode != "json_schema"
        )
        self._lock = threading.Lock()

    @property
    def manner(self) -> Manner:
        """How the endpoint is asked by now."""
        return self._manner

    def drop(self, error: BackendError, wire: Wire) -> bool:
        """Give up what the endpoint refuses in `wire`; return whether asking again makes sense.

        Several threads may be refused the same thing at once: the first one gives it up, the others just ask again.
        """
        with self._lock:
            now = self._manner
            if error.parameter == "schema":
                if wire.mode == now.mode:
                    if not self._auto or now.mode == self._modes[-1]:
                        return False
                    mode = self._modes[self._modes.index(now.mode) + 1]
                    self._manner = replace(now, mode=mode, told=True)
                return True
            if error.parameter == "seed":
                self._manner = replace(now, seed=False)
                return wire.seed is not None
            if error.parameter == "temperature":
                self._manner = replace(now, temperature=False)
                return wire.temperature is not None
            # The back end has changed the limit's name by itself.
            return error.parameter == "max_tokens"

    def broke(self, fault: FaultCode) -> None:
        """Note a reply that the schema should have made impossible: from now on the schema is told in words as well."""
        if fault in _SHAPELESS and not self._manner.told:
            with self._lock:
                self._manner = replace(self._manner, told=True)

    def renew(self) -> None:
        """Take a new lock: after a fork another thread of the parent may hold the old one for ever."""
        self._lock = threading.Lock()
