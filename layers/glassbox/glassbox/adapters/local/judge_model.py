"""The judge model of one machine: what the environment configures, recorded to or replayed from cassettes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from glassbox.errors import UsageError
from glassbox.pipeline.engines import CONFIGURE

if TYPE_CHECKING:
    from glassbox.llm import JudgeModel, LlmSettings, Port, Replayer

MOST_AT_ONCE: Final = 256


@dataclass(frozen=True, slots=True)
class Asking:
    """How the evaluations of one call ask the judge model; holds no key, so that other processes may be given it."""

    record: Path | None = None
    """Folder in which every answer is kept."""
    replay: Path | None = None
    """Folder whose answers are taken in place of the model's."""
    timeout: float | None = None
    """Seconds after which an evaluation gives up asking."""
    sharers: int = 1
    """How many processes share the concurrency that is configured."""

    def __post_init__(self) -> None:
        if self.record is not None and self.replay is not None:
            raise UsageError(
                "Answers are either recorded or replayed", where="--record, --replay", fix="Give one of the two"
            )


class LocalJudgeModel:
    """The judge model of one process, made when the first judge asks; the key is fetched then and not before."""

    def __init__(self, asking: Asking, env: Mapping[str, str] | None = None) -> None:
        self._asking = asking
        self._env = env

    @cached_property
    def identity(self) -> str | None:
        """`backend:model` of the judge model, None where none is configured; fetches no key and sends nothing."""
        if self._replayer is not None:
            return self._replayer.identity
        from glassbox.llm import configured_identity

        found = configured_identity(self._env)
        if found is None and self._asking.record is not None:
            raise UsageError("There is no judge model whose answers could be kept", where="--record", fix=CONFIGURE)
        return found

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once, in all processes together; a replay has no limit of its own."""
        if self._replayer is not None:
            return MOST_AT_ONCE
        return self._settings(with_key=False).concurrency

    def begin(self) -> JudgeModel:
        """Return the judge model for one evaluation, whose time begins now.

        Raises UsageError where none is configured, its key can't be fetched, or a folder can't be used.
        """
        if self._replayer is not None:
            return self._replayer
        port = self._port
        if self._asking.timeout is not None:
            ends = time.monotonic() + self._asking.timeout
            port = port.within(lambda: ends - time.monotonic())
        if self._asking.record is None:
            return port
        from glassbox.llm import Recorder

        return Recorder(port, self._asking.record)

    def close(self) -> None:
        """Release the connections; the next question makes new ones."""
        made = self.__dict__.get("_port")
        if made is not None:
            made.close()

    @cached_property
    def _replayer(self) -> Replayer | None:
        if self._asking.replay is None:
            return None
        from glassbox.llm import Replayer

        return Replayer(self._asking.replay)

    @cached_property
    def _port(self) -> Port:
        from glassbox.llm import port

        settings = self._settings()
        # Several processes together keep to the number of requests that one may have under way.
        return port(replace(settings, concurrency=max(1, settings.concurrency // self._asking.sharers)))

    def _settings(self, *, with_key: bool = True) -> LlmSettings:
        from glassbox.llm import LlmSettings

        settings = LlmSettings.from_env(self._env, with_key=with_key)
        if settings is None:
            raise UsageError("No judge model is configured", where="environment", fix=CONFIGURE)
        return settings
