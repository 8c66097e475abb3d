"""The judge model: one port over any OpenAI-compatible endpoint or Amazon Bedrock, and cassettes in place of both."""

from __future__ import annotations

from pathlib import Path

from glassbox.errors import UsageError
from glassbox.llm.cassettes import Recorder, Replayer
from glassbox.llm.check import CheckReport, check_model
from glassbox.llm.panel import Member, Panel, live_panel, port, recorded_panel, replayed_panel
from glassbox.llm.port import Port, Remaining
from glassbox.llm.settings import Juror, LlmSettings, configured_identity
from glassbox.llm.types import Answer, Call, JudgeModel, Message, Question, ReplyFault

__all__ = [
    "Answer",
    "Call",
    "CheckReport",
    "JudgeModel",
    "Juror",
    "LlmSettings",
    "Member",
    "Message",
    "Panel",
    "Port",
    "Question",
    "Recorder",
    "Replayer",
    "ReplyFault",
    "check_model",
    "configured_identity",
    "judge_model",
    "live_panel",
    "port",
    "recorded_panel",
    "replayed_panel",
]


def judge_model(
    settings: LlmSettings | None,
    *,
    remaining: Remaining | None = None,
    record: Path | None = None,
    replay: Path | None = None,
) -> JudgeModel:
    """Return the judge model that `settings` describe, recorded to or replayed from a folder of cassettes.

    Raises UsageError where neither settings nor a replay are given, or both a record and a replay.
    """
    if record is not None and replay is not None:
        raise UsageError("--record and --replay exclude each other", where="options", fix="Give one of them")
    if replay is not None:
        return Replayer(replay)
    if settings is None:
        raise UsageError(
            "No judge model is configured",
            where="environment",
            fix="Set GLASSBOX_LLM=openai with GLASSBOX_LLM_BASE_URL, _API_KEY and _MODEL, or GLASSBOX_LLM=bedrock "
            "with GLASSBOX_LLM_MODEL; `glassbox llm check` tries it",
        )
    made = port(settings, remaining=remaining)
    return made if record is None else Recorder(made, record)
