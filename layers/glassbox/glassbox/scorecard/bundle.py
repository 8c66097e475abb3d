"""The evidence bundle: its content, and the digest of each part so that a change can be named, not only noticed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from glassbox_contract.canonical import digest

FORMAT = "glassbox-bundle/1"

PART_DEPTH = 6
"""How deep parts are told apart: `/results/<judge>/measurements/<n>/evidence/<m>` is one part of its own."""


def parts_of(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the digest of every part of the content, by JSON Pointer in sorted order.

    A part is a scalar, an empty container, or whatever lies at depth 6.
    """
    return {path: digest(value) for path, value in sorted(_parts(content))}


def _parts(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    stack: list[tuple[str, int, Any]] = [("", 0, content)]
    while stack:
        path, depth, value = stack.pop()
        if depth == PART_DEPTH or not isinstance(value, Mapping | list) or not value:
            yield path, value
        elif isinstance(value, Mapping):
            stack.extend((f"{path}/{escape(str(k))}", depth + 1, v) for k, v in value.items())
        else:
            stack.extend((f"{path}/{i}", depth + 1, v) for i, v in enumerate(value))


def escape(token: str) -> str:
    """Return a JSON Pointer token (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def unequal_parts(stored: Mapping[str, str], actual: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each path whose part was `changed`, `removed` or `added` since its digest was taken."""
    for path in sorted(stored.keys() | actual.keys()):
        if path not in actual:
            yield path, "removed"
        elif path not in stored:
            yield path, "added"
        elif stored[path] != actual[path]:
            yield path, "changed"
