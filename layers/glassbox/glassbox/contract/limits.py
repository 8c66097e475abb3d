"""How much one request may hold; each limit can be set, and each has a clear error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force for one request."""

    bytes: int = 1_048_576
    """Largest body; larger payloads come as a file or by pointer."""
    passages: int = 200
    """Most retrieved passages, and most source documents."""
    characters: int = 2_000_000
    """Most characters of text in all fields together."""


INLINE = Limits()
"""For bodies that arrive in a message."""

FILE = Limits(bytes=16_777_216)
"""For a request in a file of one's own, where the characters are what counts."""
