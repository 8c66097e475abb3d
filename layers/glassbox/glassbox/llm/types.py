"""The face of the judge-model port: a question with its answer's shape in, a validated object with its call out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel

FaultCode = Literal[
    "invalid_json", "schema", "count", "index", "vocabulary", "refusal", "truncated", "not_finite", "empty"
]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a judge model."""

    role: Literal["system", "user", "assistant"]
    content: str = field(repr=False)
    """May hold evaluated text, so that it is not in the representation."""


class ReplyFault(Exception):
    """A reply that can't be taken as it is; `code` says why, and no text of the reply is kept."""

    def __init__(self, code: FaultCode) -> None:
        super().__init__(code)
        self.code: FaultCode = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a judge model, and what its answer has to look like."""

    purpose: str
    """What for, such as `faithfulness.verdicts`; part of a cassette's key and of the call's record."""
    messages: tuple[Message, ...]
    response: type[BaseModel]
    """The answer's shape; its JSON schema is sent along, with every field required and no other allowed."""
    check: Callable[[BaseModel], None] | None = None
    """Looks at a valid answer as a whole (does it cover every passage?) and raises ReplyFault where it can't stand."""
    max_tokens: int = 1024
    sample: int = 0
    """The n-th independent draw of one prompt: its seed is the port's seed plus n."""
    fences: tuple[str, ...] = field(default=(), repr=False)
    """What differs between two runs of one evaluation; replaced by constants before any digest is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The record of one question: what ran, what came back, what it cost. No text of either."""

    purpose: str
    backend: str
    model: str
    served_model: str | None
    """What the endpoint says that it ran."""
    system_fingerprint: str | None
    prompt_digest: str
    schema_digest: str
    reply_digest: str
    seed: int | None
    temperature: float | None
    max_tokens: int
    finish_reason: str | None
    attempts: int
    """Requests sent for this question, the first one included."""
    repaired: bool
    """Whether the answer is the second one, given after the first one's fault was named."""
    input_tokens: int | None
    """Over all attempts; None where the endpoint didn't tell for one of them."""
    output_tokens: int | None
    cost_usd: float | None
    """Over all attempts, by the price table; None where the model has no price or the tokens are unknown."""
    price_table: str
    """Digest of the price table."""
    duration_ms: int

    def to_json(self) -> dict[str, Any]:
        """Return the call as it stands in a judge's result."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Answer:
    """A valid answer and the record of the call."""

    value: BaseModel = field(repr=False)
    call: Call
    reply: str = field(default="", repr=False)
    """The text that the answer was read from, as cassettes keep it; may quote evaluated text."""
    kept: bool = False
    """Whether the same question gets this same answer again without the model."""


class JudgeModel(Protocol):
    """A judge model: safe to share between threads, and between the evaluations of a warm function."""

    @property
    def identity(self) -> str:
        """`openai:<model>` or `bedrock:<model id>`; no address and no key."""

    def ask(self, question: Question) -> Answer:
        """Return the answer to a question, in the shape that it asks for.

        Raises JudgeModelError, which says whether the same question may succeed later.
        """
