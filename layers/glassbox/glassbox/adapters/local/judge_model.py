"""The judge model of one machine: what the environment configures, recorded to or replayed from cassettes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from glassbox.contract.judge_name import CONSENSUS, Consensus, JudgeName
from glassbox.errors import UsageError
from glassbox.judges.tools import Tools
from glassbox.pipeline.engines import CONFIGURE

if TYPE_CHECKING:
    from glassbox.judges.tools import Models
    from glassbox.llm import LlmSettings, Panel

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
    """How often each judge model is asked, in place of GLASSBOX_LLM_REPEATS."""
    consensus: Consensus | None = None
    """How the scores of a jury become one, in place of GLASSBOX_LLM_CONSENSUS."""
    sharers: int = 1
    """How many processes share the concurrency that is configured."""

    def __post_init__(self) -> None:
        if self.record is not None and self.replay is not None:
            raise UsageError(
                "Answers are either recorded or replayed", where="--record, --replay", fix="Give one of the two"
            )

    def overlaid(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return an environment in which the options of this call stand above its own settings."""
        own = {"JURY": self.jury, "REPEATS": self.repeats, "CONSENSUS": self.consensus}
        return {**env, **{f"GLASSBOX_LLM_{name}": str(value) for name, value in own.items() if value is not None}}


class LocalJudgeModel:
    """Who judges in one process, made when the first judge asks; a key is fetched then and not before."""

    def __init__(self, asking: Asking, env: Mapping[str, str] | None = None) -> None:
        self._asking = asking
        self._env = asking.overlaid(os.environ if env is None else env)

    @cached_property
    def identity(self) -> str | None:
        """Who judges, as a policy names it, None where nobody is configured; fetches no key and sends nothing."""
        if self._replayed is not None:
            return self._named(self._replayed.identity, jury=len(self._replayed.members) > 1)
        from glassbox.llm import configured_identity

        found = configured_identity(self._env)
        if found is None and self._asking.record is not None:
            raise UsageError("There is no judge model whose answers could be kept", where="--record", fix=CONFIGURE)
        return None if found is None else self._named(found, jury=found.startswith("jury:"))

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once, in all processes together; a replay has no limit of its own."""
        return MOST_AT_ONCE if self._replayed is not None else self._settings(with_key=False).concurrency

    def tools(self, models: Models, salt: bytes, name: str | None = None) -> Tools:
        """Return what the judges of one evaluation work with, whose time begins now.

        `name` says who judges as the evaluation's policy does, where that was fixed before. Raises what `begin` does.
        """
        panel = self.begin()
        told = JudgeName.parse(name or str(self.identity))
        several = len(panel.members) > 1
        return Tools(
            models=models,
            llm=None if several else panel.members[0].model,
            salt=salt,
            jury=panel.members if several else (),
            repeats=told.repeats,
            consensus=told.consensus,
        )

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

    def _named(self, identity: str, *, jury: bool) -> str:
        from glassbox.llm.variables import choice_in, number_in

        repeats = number_in(self._env, "REPEATS", 1, int, 1, 25)
        # One model's scores need no consensus, so that it is no part of its name.
        return str(JudgeName(identity, repeats, choice_in(self._env, "CONSENSUS", CONSENSUS) if jury else "mean"))

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


def _until(panel: Panel, ends: float) -> Panel:
    """Return the same models, asked only before a point of the monotonic clock."""
    from glassbox.llm import Member, Panel, Port

    members = (
        Member(m.model.within(lambda: ends - time.monotonic()) if isinstance(m.model, Port) else m.model, m.weight)
        for m in panel.members
    )
    return Panel(panel.identity, tuple(members))
