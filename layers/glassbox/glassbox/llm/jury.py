"""The members of a jury: several judge models that judge together, each reached and asked in its own way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from glassbox.errors import UsageError
from glassbox.llm.secret import Secret, secret_from_manager, secret_of
from glassbox.llm.settings import (
    BACKENDS,
    DEFAULT_URL,
    Juror,
    LlmSettings,
    SchemaMode,
    checked_model,
    key_is_wanted,
)
from glassbox.llm.variables import PREFIX, checked_url

MOST: Final = 15
_WHERE: Final = f"{PREFIX}_JURY"
_FIX: Final = (
    "Write a list such as openai:gpt-4o,bedrock:amazon.nova-pro-v1:0, or the name of a JSON file: "
    '[{"model": "openai:gpt-4o", "weight": 2}, {"model": "openai:judge", "base_url": "http://127.0.0.1:8080/v1"}]'
)


class _Member(BaseModel):
    """One member in a jury's file; what it leaves out is taken from the environment."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model: str
    weight: Annotated[float, Field(gt=0, le=1000)] = 1.0
    base_url: str | None = None
    api_key_env: str | None = None
    api_key_secret: str | None = None
    api_version: str = ""
    schema_mode: SchemaMode | None = Field(default=None, alias="schema")
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    extra_tokens: Annotated[int, Field(ge=0, le=65_536)] | None = None
    timeout: Annotated[float, Field(ge=0.1, le=900)] | None = None


@dataclass(frozen=True, slots=True)
class _Keys:
    """Where the members' keys come from."""

    env: Mapping[str, str]
    fetched: bool


def seated(base: LlmSettings, members: str, env: Mapping[str, str], *, with_key: bool) -> LlmSettings:
    """Return `base` with the jury that `members` describes: a list of identities, or a JSON file of them.

    Raises UsageError for a member that can't be asked, for one that is named twice, and for fewer than 2.
    """
    keys = _Keys(env, with_key)
    jury = tuple(_juror(base, member, keys) for member in _members(members))
    names = [juror.settings.identity for juror in jury]
    if not 2 <= len(jury) <= MOST or len(set(names)) != len(names):
        raise UsageError(f"A jury has 2 to {MOST} different models", where=_WHERE, fix=_FIX)
    return replace(base, jury=jury)


def _members(text: str) -> list[_Member]:
    if not text.endswith(".json"):
        return [_Member(model=name.strip()) for name in text.split(",") if name.strip()]
    try:
        read: Any = json.loads(Path(text).read_text("utf-8"))
        return TypeAdapter(list[_Member]).validate_python(read)
    except OSError as error:
        why, place = error.strerror or type(error).__name__, ""
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        why, place = first["msg"], "/".join(str(part) for part in first["loc"])
    except ValueError:
        why, place = "no JSON", ""
    raise UsageError(f"The jury can't be read: {why}", where=f"{text} {place}".strip(), fix=_FIX)


def _juror(base: LlmSettings, member: _Member, keys: _Keys) -> Juror:
    kind, _, model = member.model.partition(":")
    backend = next((known for known in BACKENDS if known == kind), None)
    if backend is None or not model:
        raise UsageError("A member of the jury is no openai:<model> or bedrock:<model id>", where=_WHERE, fix=_FIX)
    given = {
        name: value
        for name in ("seed", "temperature")
        if name in member.model_fields_set
        for value in (getattr(member, name),)
    }
    own_url = member.base_url is not None
    url = checked_url(member.base_url, _WHERE) if member.base_url is not None else _inherited_url(base)
    settings = replace(
        base,
        backend=backend,
        model=checked_model(model, _WHERE),
        base_url=url,
        api_key=_key(base, member, backend == "openai" and keys.fetched, keys, own_url=own_url),
        api_version=member.api_version if own_url or base.backend != backend else base.api_version,
        schema=member.schema_mode or base.schema,
        extra_tokens=base.extra_tokens if member.extra_tokens is None else member.extra_tokens,
        timeout=member.timeout or base.timeout,
        jury=(),
        **given,
    )
    if backend == "openai" and keys.fetched and not settings.api_key and key_is_wanted(backend, url):
        raise UsageError(
            f"There is no key for {settings.identity}",
            where=_WHERE,
            fix='Give the member "api_key_env" (a variable\'s name) or "api_key_secret" (name#member)',
        )
    return Juror(settings=settings, weight=member.weight)


def _inherited_url(base: LlmSettings) -> str:
    return base.base_url if base.backend == "openai" else DEFAULT_URL


def _key(base: LlmSettings, member: _Member, wanted: bool, keys: _Keys, *, own_url: bool) -> Secret:
    """Return a member's key: its own, or that of the environment where it is asked at the same address."""
    if not wanted:
        return Secret("")
    if member.api_key_secret is not None:
        return secret_from_manager(member.api_key_secret)
    if member.api_key_env is not None:
        return secret_of(keys.env.get(member.api_key_env, ""), member.api_key_env)
    return Secret("") if own_url else base.api_key
