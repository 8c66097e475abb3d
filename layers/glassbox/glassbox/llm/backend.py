"""What a back end is given and gives: one request on the wire, one reply, or a refusal with its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from glassbox.llm.types import Message

Mode = Literal["json_schema", "json_object", "prompt"]
Parameter = Literal["schema", "seed", "temperature", "max_tokens"]
Code = Literal[
    "rate_limited", "unavailable", "timeout", "auth", "not_found", "parameter", "too_long", "refused", "config"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One request, as it goes out."""

    messages: tuple[Message, ...]
    mode: Mode
    name: str
    """A name for the schema, where an endpoint wants one."""
    schema: Mapping[str, Any]
    seed: int | None
    temperature: float | None
    max_tokens: int
    timeout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """One reply, before anybody has looked into it."""

    text: str
    finish: Literal["stop", "length", "refusal"]
    finish_reason: str | None
    """The endpoint's own word for it."""
    served_model: str | None = None
    system_fingerprint: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class BackendError(Exception):
    """A request without a reply. Nothing of either's text is in it."""

    def __init__(
        self,
        code: Code,
        *,
        status: int | str | None = None,
        retry_after: float | None = None,
        parameter: Parameter | None = None,
    ) -> None:
        super().__init__(code)
        self.code: Code = code
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in ("rate_limited", "unavailable", "timeout")


class Backend(Protocol):
    """An endpoint that serves one judge model; safe to share between threads."""

    @property
    def takes_seed(self) -> bool:
        """Whether this kind of endpoint knows a seed."""

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""

    def close(self) -> None:
        """Release the connections."""
