"""The one error of the network's tool."""

from __future__ import annotations


class NetworkError(Exception):
    """Something the network can't do: what, where, and what to do about it."""

    def __init__(self, what: str, *, where: str, fix: str) -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(f"{what} ({where}). {fix}.")
