"""A scripted judge model behind an endpoint that reads its prompts: sensible verdicts on whatever it is shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from glassbox.llm.types import Message, Question
from tests.support.judge_server import obedient
from tests.unit.judges_llm.support import GOOD, understood

PURPOSES = {purpose.replace(".", "_"): purpose for purpose in GOOD}


def reading(payload: dict[str, Any]) -> Any:
    """Answer a judge's question by the words that texts share; a question that no judge asks, by its schema."""
    purpose = PURPOSES.get(name_of(payload))
    if purpose is None:
        return obedient(payload)
    messages = tuple(Message(m["role"], m["content"]) for m in payload["messages"])
    question = cast("Question", SimpleNamespace(purpose=purpose, messages=messages, sample=0))
    return GOOD[purpose](understood(question))


def name_of(payload: dict[str, Any]) -> str:
    """Return what a request is for: its purpose with a `_` for each dot."""
    return str(payload["response_format"]["json_schema"]["name"])
