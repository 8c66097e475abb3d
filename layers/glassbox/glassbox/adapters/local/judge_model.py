"""The judge model of one machine: what the environment configures, recorded to or replayed from cassettes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from glassbox.errors import UsageError
from glassbox.pipeline.engines import CONFIGURE

if TYPE_CHECKING:
    from glassbox.llm import JudgeModel, LlmSettings, Panel

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
    jury: str | None = None
    """The models that judge together, in place of GLASSBOX_LLM_JURY."""
    repeats: int | None = None
    """How often each judge is asked, in place of GLASSBOX_LLM_REPEATS."""
    sharers: int = 1
    """How many processes share the concurrency that is configured."""

    def __post_init__(self) -> None:
        if self.record is not None and self.replay is not None:
            raise UsageError(
                "Answers are either recorded or replayed", where="--record, --replay", fix="Give one of the two"
            )

    def overlaid(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return an environment in which the options of this call stand above its own settings."""
        own = {"GLASSBOX_LLM_JURY": self.jury, "GLASSBOX_LLM_REPEATS": self.repeats}
        return {**env, **{name: str(value) for name, value in own.items() if value is not None}}


class LocalJudgeModel:
    """Who judges in one process, made when the first judge asks; a key is fetched then and not before."""

    def __init__(self, asking: Asking, env: Mapping[str, str] | None = None) -> None:
        self._asking = asking
        self._env = asking.overlaid(os.environ if env is None else env)

    @cached_property
    def identity(self) -> str | None:
        """Who judges, as a policy names it, None where nobody is configured; fetches no key and sends nothing."""
        if self._replayed is not None:
            return self._replayed.identity
        from glassbox.llm import configured_identity

        found = configured_identity(self._env)
        if found is None and self._asking.record is not None:
            raise UsageError("There is no judge model whose answers could be kept", where="--record", fix=CONFIGURE)
        return found

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once, in all processes together; a replay has no limit of its own."""
        return MOST_AT_ONCE if self._replayed is not None else self._settings(with_key=False).concurrency

    def begin(self) -> Panel:
        """Return who judges one evaluation, whose time begins now.

        Connections, limits and what was learnt of the endpoints are shared by all evaluations of the process. Raises
        UsageError where nobody is configured, a key can't be fetched, or a folder can't be used.
        """
        if self._replayed is not None:
            return self._replayed
        panel = self._live
        if self._asking.timeout is not None:
            panel = _until(panel, time.monotonic() + self._asking.timeout)
        if self._asking.record is None:
            return panel
        from glassbox.llm import recorded_panel

        return recorded_panel(panel, self._asking.record)

    def close(self) -> None:
        """Release the connections; the next question makes new ones."""
        made: Panel | None = self.__dict__.get("_live")
        for member in () if made is None else made.members:
            close = getattr(member.model, "close", None)
            if close is not None:
                close()

    @cached_property
    def _replayed(self) -> Panel | None:
        if self._asking.replay is None:
            return None
        from glassbox.llm import replayed_panel

        return replayed_panel(self._asking.replay)

    @cached_property
    def _live(self) -> Panel:
        from glassbox.llm import live_panel

        settings = self._settings()
        # Several processes together keep to the number of requests that one may have under way.
        each = max(1, settings.concurrency // self._asking.sharers)
        jury = tuple(replace(juror, settings=replace(juror.settings, concurrency=each)) for juror in settings.jury)
        return live_panel(replace(settings, concurrency=each, jury=jury))

    def _settings(self, *, with_key: bool = True) -> LlmSettings:
        from glassbox.llm import LlmSettings

        settings = LlmSettings.from_env(self._env, with_key=with_key)
        if settings is None:
            raise UsageError("No judge model is configured", where="environment", fix=CONFIGURE)
        return settings


def only(panel: Panel) -> JudgeModel:
    """Return the one model of a panel; raises UsageError for a jury."""
    if len(panel.members) != 1:
        raise UsageError("A jury can't judge here yet", where="GLASSBOX_LLM_JURY", fix="Leave it out")
    return panel.members[0].model


def _until(panel: Panel, ends: float) -> Panel:
    """Return the same models, asked only before a point of the monotonic clock."""
    from glassbox.llm import Member, Panel, Port

    members = (
        Member(m.model.within(lambda: ends - time.monotonic()) if isinstance(m.model, Port) else m.model, m.weight)
        for m in panel.members
    )
    return Panel(panel.identity, tuple(members))
