"""How a question is put: the first time, after a fault, and with the words that go with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from glassbox.llm.backend import Wire
from glassbox.llm.learnt import Manner
from glassbox.llm.reading import compact
from glassbox.llm.settings import LlmSettings
from glassbox.llm.trouble import SAID
from glassbox.llm.types import FaultCode, Message, Question

_RESEED: Final = 1_000_003
_SEEDS: Final = 2**31


@dataclass(frozen=True, slots=True)
class Draft:
    """How the next request of a question differs from the first."""

    max_tokens: int
    reseed: int = 0
    fault: FaultCode | None = None
    """What was wrong with the reply that is asked for again."""
    stretched: bool = False
    repairs: int = 0

    @property
    def repaired(self) -> bool:
        """Whether this request names a fault."""
        return self.fault is not None

    def after(self, fault: FaultCode) -> Draft | None:
        """Return how to ask after a fault, or None where asking again would be guessing.

        A reply that was cut off is asked for once with twice the room; one that can't be used is asked for once with
        its fault named, then once afresh with another seed. A model that declines is not pressed.
        """
        if fault == "refusal" or self.reseed:
            return None
        if fault == "truncated":
            return None if self.stretched else replace(self, max_tokens=2 * self.max_tokens, stretched=True)
        if not self.repairs:
            return replace(self, fault=fault, repairs=1)
        return replace(self, fault=None, reseed=_RESEED)


def wire_for(question: Question, draft: Draft, manner: Manner, settings: LlmSettings, schema: dict[str, Any]) -> Wire:
    """Return the request for a question in the manner that the endpoint takes.

    What is said beside the question comes last. A faulty reply is not shown again: it may hold evaluated text outside
    any fence.
    """
    told = []
    if draft.fault is not None:
        told.append(f"An earlier reply could not be used ({draft.fault}): {SAID[draft.fault]}.")
    if manner.told or draft.fault is not None:
        told.append(
            "Reply with one JSON object that is valid under this JSON Schema, complete and exact, and with nothing "
            "else:\n" + compact(schema)
        )
    messages = (*question.messages, Message("user", "\n\n".join(told))) if told else question.messages
    return Wire(
        messages=_joined(messages),
        mode=manner.mode,
        name=question.purpose.replace(".", "_")[:64],
        schema=schema,
        seed=seed_of(question, draft, manner, settings),
        temperature=settings.temperature if manner.temperature else None,
        max_tokens=draft.max_tokens,
        timeout=settings.timeout,
    )


def seed_of(question: Question, draft: Draft, manner: Manner, settings: LlmSettings) -> int | None:
    """Return the seed of a request: the settings' plus the question's sample, or None where the endpoint takes none."""
    if settings.seed is None or not manner.seed:
        return None
    return (settings.seed + question.sample + draft.reseed) % _SEEDS


def _joined(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages with neighbours of one role joined: some endpoints want roles to alternate."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, joined[-1].content + "\n\n" + message.content)
        else:
            joined.append(message)
    return tuple(joined)
