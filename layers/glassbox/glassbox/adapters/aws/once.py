"""A value that a process makes once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Makes a value at the first call and returns it at every one; threads that ask at once get the same.

    `functools.cache` makes one for each of them, and what is not returned again is never closed.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self.__doc__ = make.__doc__
        self._make = make
        self._lock = RLock()
        self._made: list[T] = []

    def __call__(self) -> T:
        """Return the value; an error while it is made is raised, and the next call tries again."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    @property
    def made(self) -> bool:
        """Whether the value was made."""
        return bool(self._made)

    def cache_clear(self) -> None:
        """Forget the value, so that the next call makes another."""
        with self._lock:
            self._made.clear()
