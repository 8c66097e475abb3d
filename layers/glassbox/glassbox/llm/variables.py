"""Reading the judge model's variables from an environment: each value checked, each fault with its name and a fix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar
from urllib.parse import urlsplit

from glassbox.errors import UsageError

PREFIX: Final = "GLASSBOX_LLM"
Number = TypeVar("Number", int, float)
Choice = TypeVar("Choice", bound=str)


def text_in(env: Mapping[str, str], name: str) -> str:
    """Return the value of GLASSBOX_LLM_<name> without blanks around it, `""` where it is not set."""
    return env.get(f"{PREFIX}_{name}", "").strip()


def number_in(
    env: Mapping[str, str], name: str, default: Number, kind: Callable[[str], Number], low: Number, high: Number
) -> Number:
    """Return a number from `low` to `high`; raises UsageError."""
    text = text_in(env, name)
    if not text:
        return default
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        raise UsageError(
            f"{PREFIX}_{name} is not a {'whole ' if kind is int else ''}number from {low} to {high}",
            where="environment",
            fix=f"Set {PREFIX}_{name}={default}, or leave it out",
        )
    return value


def optional_in(
    env: Mapping[str, str], name: str, default: Number, kind: Callable[[str], Number], low: Number, high: Number
) -> Number | None:
    """Return a number as `number_in` does, or None where the value is `none`."""
    return None if text_in(env, name).lower() == "none" else number_in(env, name, default, kind, low, high)


def choice_in(env: Mapping[str, str], name: str, choices: tuple[Choice, ...]) -> Choice:
    """Return one of `choices`, the first one where nothing is set; raises UsageError."""
    text = text_in(env, name)
    for choice in choices:
        if text in (choice, ""):
            return choice
    raise UsageError(
        f"{PREFIX}_{name} is none of {', '.join(choices)}",
        where="environment",
        fix=f"Set {PREFIX}_{name}={choices[0]}, or leave it out",
    )


def checked_url(text: str, where: str = "environment") -> str:
    """Return an http(s) address without its last slash and without /chat/completions; raises UsageError."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    plain = text.isascii() and text.isprintable() and " " not in text
    bare = not (parts.username or parts.password or parts.query or parts.fragment)
    if not plain or not bare or parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise UsageError(
            f"{PREFIX}_BASE_URL is no http(s) address without credentials and query",
            where=where,
            fix=f"Set it to something like https://host/v1; the key goes into {PREFIX}_API_KEY",
        )
    return text.rstrip("/").removesuffix("/chat/completions")
