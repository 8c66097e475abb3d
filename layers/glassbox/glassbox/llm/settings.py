"""The judge model's settings, read from the environment: where it is, what it is called, how it is asked."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from glassbox.errors import UsageError
from glassbox.llm.secret import Secret, secret_from_manager, secret_of
from glassbox.llm.variables import PREFIX, checked_url, choice_in, number_in, optional_in, text_in
from glassbox_contract.canonical import digest

Backend = Literal["openai", "bedrock"]
SchemaMode = Literal["auto", "json_schema", "json_object", "prompt"]

DEFAULT_URL: Final = "https://api.openai.com/v1"
MODES: Final[tuple[SchemaMode, ...]] = ("auto", "json_schema", "json_object", "prompt")
BACKENDS: Final[tuple[Backend, ...]] = ("openai", "bedrock")
_VERSION: Final = re.compile(r"[0-9A-Za-z.-]{1,40}")
_MODEL: Final = re.compile(r"[!-~]{1,180}")


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
    ca_bundle: Path | None = None
    """PEM file with the certificate authority of an endpoint of one's own."""
    schema: SchemaMode = "auto"
    """How the shape of an answer is asked for; `auto` tries the strictest and remembers what was refused."""
    seed: int | None = 7
    temperature: float | None = 0.0
    """None leaves the parameter out, for models that refuse it."""
    extra_tokens: int = 0
    """Added to each limit on the reply: room for a model that thinks before it answers."""
    timeout: float = 60.0
    """Seconds for one request."""
    attempts: int = 6
    """Requests for one question before it is given up."""
    concurrency: int = 8
    """Most requests under way at once in this process."""
    prices: Path | None = None
    """A price table in place of the built-in one."""
    repeats: int = 1
    """How often a judge is run on one evaluation, to see how far its scores scatter."""
    jury: tuple[Juror, ...] = ()
    """The models that judge together in place of the one; empty where one judges."""

    @property
    def identity(self) -> str:
        """`openai:<model>` or `bedrock:<model id>`."""
        return f"{self.backend}:{self.model}"

    @property
    def sampling(self) -> dict[str, int | float | None]:
        """What the settings say of how an answer is drawn; part of a cassette's key."""
        return {"seed": self.seed, "temperature": self.temperature}

    @property
    def judge(self) -> str:
        """Who judges, as a policy names it: the identity, or `jury:<n>:` and a digest of members and weights."""
        if not self.jury:
            return self.identity
        told = [[juror.settings.identity, repr(juror.weight)] for juror in self.jury]
        return f"jury:{len(self.jury)}:{digest(told).removeprefix('sha256:')[:16]}"

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None, *, with_key: bool = True) -> LlmSettings | None:
        """Return the settings of the environment, or None where GLASSBOX_LLM is not set.

        Without `with_key`, no key is fetched: a replay needs none. Raises UsageError for what is missing or wrong.
        """
        env = os.environ if env is None else env
        if not env.get(PREFIX, "").strip():
            return None
        backend = _backend(env)
        url = text_in(env, "BASE_URL") or DEFAULT_URL
        _check_complete(env, backend, url, with_key=with_key)
        found = cls(
            backend=backend,
            model=checked_model(text_in(env, "MODEL")),
            base_url=checked_url(url),
            api_key=_key(env) if with_key and backend == "openai" else Secret(""),
            api_version=_api_version(text_in(env, "API_VERSION")),
            ca_bundle=_file(env, "CA_BUNDLE"),
            schema=choice_in(env, "SCHEMA", MODES),
            seed=optional_in(env, "SEED", 7, int, 0, 2**31 - 1),
            temperature=optional_in(env, "TEMPERATURE", 0.0, float, 0.0, 2.0),
            extra_tokens=number_in(env, "EXTRA_TOKENS", 0, int, 0, 65_536),
            timeout=number_in(env, "TIMEOUT", 60.0, float, 0.1, 900.0),
            attempts=number_in(env, "ATTEMPTS", 6, int, 1, 20),
            concurrency=number_in(env, "CONCURRENCY", 8, int, 1, 256),
            prices=_file(env, "PRICES"),
            repeats=number_in(env, "REPEATS", 1, int, 1, 25),
        )
        members = text_in(env, "JURY")
        if not members:
            return found
        from glassbox.llm.jury import seated

        return seated(found, members, env, with_key=with_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Juror:
    """One member of a jury."""

    settings: LlmSettings
    weight: float = 1.0
    """Of its vote where votes are weighted; above 0."""


def configured_identity(env: Mapping[str, str] | None = None) -> str | None:
    """Return who judges, as a policy names it, without fetching a key; None where no judge model is configured."""
    settings = LlmSettings.from_env(env, with_key=False)
    return None if settings is None else settings.judge


def checked_model(name: str, where: str = "environment") -> str:
    """Return a model's name; raises UsageError for one that no endpoint has."""
    if not _MODEL.fullmatch(name):
        raise UsageError(
            f"{PREFIX}_MODEL is no name of a model: 1 to 180 characters of ASCII without blanks",
            where=where,
            fix="Set it to the name that the endpoint knows the judge model by",
        )
    return name


def key_is_wanted(backend: Backend, url: str) -> bool:
    """Return whether an endpoint takes nobody without a key; one of somebody's own may."""
    host = urlsplit(url).hostname or "" if backend == "openai" else ""
    return host == "api.openai.com" or host.endswith(".openai.azure.com")


def _backend(env: Mapping[str, str]) -> Backend:
    name = env[PREFIX].strip().lower()
    for backend in BACKENDS:
        if name == backend:
            return backend
    raise UsageError(f"{PREFIX} is neither openai nor bedrock", where="environment", fix=f"Set {PREFIX}=openai")


def _check_complete(env: Mapping[str, str], backend: Backend, url: str, *, with_key: bool) -> None:
    """Raise UsageError that lists everything that is missing at once."""
    missing = {} if text_in(env, "MODEL") else {f"{PREFIX}_MODEL": "the name that the endpoint knows the model by"}
    keyed = text_in(env, "API_KEY") or text_in(env, "API_KEY_SECRET")
    if with_key and not keyed and key_is_wanted(backend, checked_url(url)):
        missing[f"{PREFIX}_API_KEY"] = f"or {PREFIX}_API_KEY_SECRET=name#member in AWS Secrets Manager"
    if missing:
        told = "; ".join(f"{name} ({meaning})" for name, meaning in missing.items())
        raise UsageError(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set",
            where="environment",
            fix=f"Set {told}; `glassbox llm check` tries it",
        )


def _key(env: Mapping[str, str]) -> Secret:
    """Return the key; an endpoint of one's own may want none."""
    given, reference = text_in(env, "API_KEY"), text_in(env, "API_KEY_SECRET")
    if given and reference:
        raise UsageError(
            f"{PREFIX}_API_KEY and {PREFIX}_API_KEY_SECRET are both set", where="environment", fix="Keep one of them"
        )
    return secret_from_manager(reference) if reference else secret_of(given, f"{PREFIX}_API_KEY")


def _api_version(text: str) -> str:
    if text and not _VERSION.fullmatch(text):
        raise UsageError(
            f"{PREFIX}_API_VERSION is no version of Azure's interface",
            where="environment",
            fix=f"Set it to one like {PREFIX}_API_VERSION=2024-10-21, or leave it out",
        )
    return text


def _file(env: Mapping[str, str], name: str) -> Path | None:
    text = text_in(env, name)
    return Path(text) if text else None
