"""The judge model's settings, read from the environment: where it is, what it is called, how it is asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar, cast
from urllib.parse import urlsplit

from glassbox.errors import UsageError
from glassbox.llm.secret import Secret, secret_from_manager

Backend = Literal["openai", "bedrock"]
SchemaMode = Literal["auto", "json_schema", "json_object", "prompt"]
Number = TypeVar("Number", int, float)

PREFIX: Final = "GLASSBOX_LLM"
DEFAULT_URL: Final = "https://api.openai.com/v1"
_MODES: Final = ("auto", "json_schema", "json_object", "prompt")


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """How one judge model is reached and asked."""

    backend: Backend
    model: str
    base_url: str = DEFAULT_URL
    """Of an OpenAI-compatible endpoint, with its version path; unused for Bedrock."""
    api_key: Secret = field(default_factory=lambda: Secret(""))
    api_version: str = ""
    """Azure only: the `api-version` of the query; the key then goes into the `api-key` header."""
    schema: SchemaMode = "auto"
    """How the shape of an answer is asked for; `auto` tries the strictest and remembers what was refused."""
    seed: int | None = 7
    temperature: float | None = 0.0
    """None leaves the parameter out, for models that refuse it."""
    timeout: float = 60.0
    """Seconds for one request."""
    attempts: int = 4
    """Requests for one question before it is given up."""
    concurrency: int = 8
    """Most requests under way at once in this process."""
    prices: Path | None = None
    """A price table in place of the built-in one."""

    @property
    def identity(self) -> str:
        """`openai:<model>` or `bedrock:<model id>`."""
        return f"{self.backend}:{self.model}"

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None, *, with_key: bool = True) -> LlmSettings | None:
        """Return the settings of the environment, or None where GLASSBOX_LLM is not set.

        Without `with_key`, no key is fetched: a replay needs none. Raises UsageError for what is missing or wrong.
        """
        env = os.environ if env is None else env
        backend = env.get(PREFIX, "").strip().lower()
        if not backend:
            return None
        if backend not in ("openai", "bedrock"):
            raise UsageError(f"{PREFIX} is neither openai nor bedrock", where="environment", fix=f"Set {PREFIX}=openai")
        model = env.get(f"{PREFIX}_MODEL", "").strip()
        if not model:
            raise UsageError(
                f"{PREFIX}_MODEL is not set",
                where="environment",
                fix="Set it to the name that the endpoint knows the judge model by",
            )
        return cls(
            backend=cast("Backend", backend),
            model=model,
            base_url=_url(env.get(f"{PREFIX}_BASE_URL", "").strip() or DEFAULT_URL),
            api_key=_key(env) if with_key and backend == "openai" else Secret(""),
            api_version=env.get(f"{PREFIX}_API_VERSION", "").strip(),
            schema=_mode(env.get(f"{PREFIX}_SCHEMA", "auto").strip() or "auto"),
            seed=_optional(env, "SEED", 7, int, 0, 2**31 - 1),
            temperature=_optional(env, "TEMPERATURE", 0.0, float, 0.0, 2.0),
            timeout=_number(env, "TIMEOUT", 60.0, float, 0.1, 900.0),
            attempts=_number(env, "ATTEMPTS", 4, int, 1, 20),
            concurrency=_number(env, "CONCURRENCY", 8, int, 1, 256),
            prices=Path(env[f"{PREFIX}_PRICES"]) if env.get(f"{PREFIX}_PRICES") else None,
        )


def configured_identity(env: Mapping[str, str] | None = None) -> str | None:
    """Return the identity of the configured judge model without fetching a key, or None where there is none."""
    settings = LlmSettings.from_env(env, with_key=False)
    return None if settings is None else settings.identity


def _key(env: Mapping[str, str]) -> Secret:
    """Return the key; an endpoint on this machine may want none, so that a missing one is not refused here."""
    given = env.get(f"{PREFIX}_API_KEY", "").strip()
    reference = env.get(f"{PREFIX}_API_KEY_SECRET", "").strip()
    if given and reference:
        raise UsageError(
            f"{PREFIX}_API_KEY and {PREFIX}_API_KEY_SECRET are both set", where="environment", fix="Keep one of them"
        )
    return secret_from_manager(reference) if reference else Secret(given)


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise UsageError(
            f"{PREFIX}_BASE_URL is no http(s) address without credentials",
            where="environment",
            fix=f"Set it to something like {DEFAULT_URL}; the key goes into {PREFIX}_API_KEY",
        )
    return text.rstrip("/")


def _mode(text: str) -> SchemaMode:
    if text not in _MODES:
        raise UsageError(f"{PREFIX}_SCHEMA is none of {', '.join(_MODES)}", where="environment")
    return cast("SchemaMode", text)


def _optional(
    env: Mapping[str, str], name: str, default: Number, kind: Callable[[str], Number], low: Number, high: Number
) -> Number | None:
    if env.get(f"{PREFIX}_{name}", "").strip().lower() == "none":
        return None
    return _number(env, name, default, kind, low, high)


def _number(
    env: Mapping[str, str], name: str, default: Number, kind: Callable[[str], Number], low: Number, high: Number
) -> Number:
    text = env.get(f"{PREFIX}_{name}", "").strip()
    if not text:
        return default
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        raise UsageError(f"{PREFIX}_{name} is not a number from {low} to {high}", where="environment")
    return value
