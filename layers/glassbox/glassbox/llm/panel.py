"""The models that judge one evaluation: one, or the members of a jury, each live, recorded or replayed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from glassbox.errors import UsageError
from glassbox.llm.cassettes import Recorder, Replayer, keep_index, read_index
from glassbox.llm.port import Port, Remaining
from glassbox.llm.settings import LlmSettings
from glassbox.llm.types import JudgeModel

_MEMBERS: Final = "members"


@dataclass(frozen=True, slots=True)
class Member:
    """One model that judges, and what its vote weighs where votes are weighted."""

    model: JudgeModel
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Panel:
    """Who judges an evaluation."""

    identity: str
    """As the policy names it: a model's identity, or `jury:<n>:` and a digest."""
    members: tuple[Member, ...]

    def close(self) -> None:
        """Release the connections of all members; the next question makes new ones."""
        for member in self.members:
            if isinstance(member.model, Port | Recorder):
                member.model.close()


def live_panel(settings: LlmSettings, *, remaining: Remaining | None = None) -> Panel:
    """Return the models that the settings describe, a port for each; nothing is sent before the first question."""
    if not settings.jury:
        return Panel(settings.judge, (Member(_port(settings, remaining)),))
    members = tuple(Member(_port(j.settings, remaining), j.weight) for j in settings.jury)
    return Panel(settings.judge, members)


def recorded_panel(panel: Panel, folder: Path) -> Panel:
    """Return the same models, whose answers are kept in `folder`: each member of a jury in a folder of its own."""
    if len(panel.members) == 1:
        return Panel(panel.identity, (Member(Recorder(panel.members[0].model, folder)),))
    told = [{"identity": m.model.identity, "weight": m.weight} for m in panel.members]
    keep_index(folder, {"identity": panel.identity, _MEMBERS: told})
    if read_index(folder)["identity"] != panel.identity:
        raise UsageError("The folder holds cassettes of another jury", where=str(folder), fix="Record into another one")
    kept = (Member(Recorder(m.model, folder / str(n)), m.weight) for n, m in enumerate(panel.members))
    return Panel(panel.identity, tuple(kept))


def replayed_panel(folder: Path) -> Panel:
    """Return who was recorded in `folder`, answering from it alone; raises UsageError for no such folder."""
    try:
        index = read_index(folder)
    except OSError as error:
        raise UsageError(
            f"The folder can't be read: {error.strerror}", where=str(folder), fix="Give the folder of --record"
        ) from None
    members: Any = index.get(_MEMBERS)
    if members is None:
        return Panel(index["identity"], (Member(Replayer(folder)),))
    return Panel(
        index["identity"], tuple(Member(Replayer(folder / str(n)), float(m["weight"])) for n, m in enumerate(members))
    )


def port(settings: LlmSettings, *, remaining: Remaining | None = None) -> Port:
    """Return the port of the one judge model; nothing is sent before the first question.

    Raises UsageError where a jury is configured: its members are asked one by one, as `live_panel` gives them.
    """
    if settings.jury:
        raise UsageError(
            "A jury is configured where one judge model is asked",
            where="GLASSBOX_LLM_JURY",
            fix="Leave GLASSBOX_LLM_JURY out",
        )
    return _port(settings, remaining)


def _port(settings: LlmSettings, remaining: Remaining | None) -> Port:
    from glassbox.llm.bedrock import BedrockBackend
    from glassbox.llm.openai import OpenAIBackend

    made = Port(settings, OpenAIBackend(settings) if settings.backend == "openai" else BedrockBackend(settings))
    return made if remaining is None else made.within(remaining)
