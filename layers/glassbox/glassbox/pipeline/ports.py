"""What the steps need from the outside: a place for JSON documents, a clock and random bytes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

Json = dict[str, Any]


class Documents(Protocol):
    """A durable store of JSON documents by evaluation and name; files on one machine, S3 in the cloud."""

    def get(self, evaluation_id: str, name: str) -> Json | None:
        """Return the document, or None where there is none; raises StoreError."""
        ...

    def put(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> None:
        """Store the document durably, replacing an older one in one step; raises StoreError."""
        ...

    def put_new(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> Json:
        """Store the document unless there is one, and return the one that now stands; raises StoreError."""
        ...

    def delete(self, evaluation_id: str, name: str) -> None:
        """Remove the document if it is there; raises StoreError."""
        ...

    def uri(self, evaluation_id: str, name: str) -> str:
        """Return where the document lies."""
        ...


def utc_now() -> str:
    """Return the time as RFC 3339 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def random_salt() -> str:
    """Return 32 random bytes as hex."""
    return secrets.token_hex(32)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose evaluation it is: the tenant and the secret under which its texts are digested."""

    tenant: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Chance:
    """The only sources of anything that differs between two identical runs."""

    now: Callable[[], str] = utc_now
    salt: Callable[[], str] = random_salt
