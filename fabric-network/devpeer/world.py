"""The world state, which blocks write and simulations read, and the lock that keeps the two apart."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

Version = tuple[int, int]
"""Number of a block and index in it: where a key was last written."""


@dataclass(frozen=True, slots=True)
class Modification:
    """One write of a key; `value` None for a delete."""

    tx_id: str
    timestamp: Any
    value: bytes | None


class World:
    """Keys of one chaincode with values, versions and history. Keys sort by code point, as their UTF-8 does."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[bytes, Version]] = {}
        self._keys: list[str] = []
        self._history: dict[str, list[Modification]] = {}

    def get(self, key: str) -> tuple[bytes, Version] | None:
        """Return (value, version) of a key, None where it does not exist."""
        return self._values.get(key)

    def version(self, key: str) -> Version | None:
        """Return where a key was last written, None where it does not exist."""
        held = self._values.get(key)
        return None if held is None else held[1]

    def scan(self, start: str, end: str) -> Iterator[tuple[str, bytes, Version]]:
        """Yield the keys from `start` up to, but without, `end` ("": to the last), in order."""
        at = bisect_left(self._keys, start)
        while at < len(self._keys) and (not end or self._keys[at] < end):
            key = self._keys[at]
            value, version = self._values[key]
            yield key, value, version
            at += 1

    def history(self, key: str) -> list[Modification]:
        """Return every write of a key, newest first."""
        return self._history.get(key, [])[::-1]

    def apply(self, writes: Mapping[str, bytes | None], version: Version, tx_id: str, timestamp: Any) -> None:
        """Take over what a valid transaction writes."""
        for key, value in writes.items():
            self._history.setdefault(key, []).append(Modification(tx_id, timestamp, value))
            if value is None:
                if self._values.pop(key, None) is not None:
                    self._keys.pop(bisect_left(self._keys, key))
                continue
            if key not in self._values:
                insort(self._keys, key)
            self._values[key] = (value, version)


class StateLock:
    """Simulations hold it together, a block alone; a waiting block lets no further simulation in."""

    def __init__(self) -> None:
        self._changed = asyncio.Condition()
        self._reading = 0
        self._writing = False
        self._waiting = 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Hold the lock for a simulation."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._writing and not self._waiting)
            self._reading += 1
        try:
            yield
        finally:
            async with self._changed:
                self._reading -= 1
                self._changed.notify_all()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Hold the lock for a block."""
        async with self._changed:
            self._waiting += 1
            try:
                await self._changed.wait_for(lambda: not self._writing and not self._reading)
            finally:
                self._waiting -= 1
            self._writing = True
        try:
            yield
        finally:
            async with self._changed:
                self._writing = False
                self._changed.notify_all()
