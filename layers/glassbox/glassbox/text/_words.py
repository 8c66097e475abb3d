"""Word lists written as running text."""

from __future__ import annotations


def words(*lines: str) -> tuple[str, ...]:
    """Return the words of the lines, in order; they are separated by white space."""
    return tuple(word for line in lines for word in line.split())
