"""Signatures of measurements, in sacrebleu's manner: the name, then every parameter and version behind the number."""

from __future__ import annotations

from typing import Final

import regex

VERSION: Final = 1
"""Version of the local judges' rules; raised whenever equal inputs may give another number."""

_UNSAFE_RE: Final = regex.compile(r"[^\w.:@,/+*-]+", regex.ASCII)


def signature(name: str, *, engine: str | None = "local", **parts: object) -> str:
    """Return `name|engine:local|key:value|...|version:1` with the parts in the order given.

    Parts that are None are left out; characters that would break the form become `_`.
    """
    fields = [name] if engine is None else [name, f"engine:{engine}"]
    fields += [f"{key}:{_UNSAFE_RE.sub('_', str(value))}" for key, value in parts.items() if value is not None]
    return "|".join([*fields, f"version:{VERSION}"])
