"""What a back end is given and gives: one request on the wire, one reply, or a refusal with its kind."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from glassbox.llm.types import Message

Mode = Literal["json_schema", "json_object", "prompt"]
Parameter = Literal["schema", "seed", "temperature", "max_tokens"]
Code = Literal[
    "rate_limited",
    "unavailable",
    "timeout",
    "auth",
    "not_found",
    "parameter",
    "too_long",
    "quota",
    "filtered",
    "config",
]
Detail = Literal[
    "dns",
    "tls",
    "connection",
    "disconnected",
    "redirect",
    "too_large",
    "no_completion",
    "no_credentials",
    "no_region",
    "bad_key",
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

    text: str = field(repr=False)
    finish: Literal["stop", "length", "refusal"]
    finish_reason: str | None
    """The endpoint's own word for it."""
    served_model: str | None = None
    system_fingerprint: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class BackendError(Exception):
    """A request without a reply. Nothing of either's text is in it, and no key."""

    def __init__(
        self,
        code: Code,
        *,
        detail: Detail | None = None,
        status: int | str | None = None,
        retry_after: float | None = None,
        parameter: Parameter | None = None,
        billed: bool = False,
    ) -> None:
        super().__init__(code)
        self.code: Code = code
        self.detail: Detail | None = detail
        self.status = status
        """The endpoint's own name or number for what went wrong."""
        self.retry_after = retry_after
        """Seconds that the endpoint asks to wait."""
        self.parameter: Parameter | None = parameter
        """What the endpoint refuses, for the code `parameter`."""
        self.billed = billed
        """Whether the endpoint may have worked on the request, so that nobody knows what it cost."""

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in ("rate_limited", "unavailable", "timeout") and self.detail not in ("tls", "too_large")


class Backend(Protocol):
    """An endpoint that serves one judge model; safe to share between threads."""

    @property
    def modes(self) -> tuple[Mode, ...]:
        """How this kind of endpoint can be asked for a shape, the strictest first; the last one can't be refused."""

    @property
    def takes_seed(self) -> bool:
        """Whether this kind of endpoint knows a seed."""

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""

    def close(self) -> None:
        """Release the connections; the next request makes new ones."""

    def forget(self) -> None:
        """Drop the connections without closing them: after a fork they are the parent's."""


def hush(*names: str) -> None:
    """Keep libraries from logging what they send and receive: at their lower levels they write bodies and headers."""
    for name in names:
        logger = logging.getLogger(name)
        if logger.level < logging.WARNING:
            logger.setLevel(logging.WARNING)


def count_of(value: Any) -> int | None:
    """Return a number of tokens, or None for anything that is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else None


def word_of(value: Any) -> str | None:
    """Return a name that an endpoint gave, at most 200 printable characters of it, or None."""
    if not isinstance(value, str):
        return None
    return "".join(c if c.isprintable() else "?" for c in value[:200]) or None
