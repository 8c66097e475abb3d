"""What the contract needs from a ledger: Fabric's shim, the embedded ledger and the development peer each give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from glassbox_contract.errors import ContractError

_SEPARATOR: Final = "\x00"
_LAST: Final = "\U0010ffff"

Role = Literal["client", "admin", "peer", "orderer"]


@dataclass(frozen=True, slots=True)
class Creator:
    """Who signed the transaction: the organisation's MSP id and the role in the certificate."""

    msp: str
    role: str


@dataclass(frozen=True, slots=True)
class Modification:
    """One write of a key: by which transaction, when (milliseconds since 1970), and what (None: a delete)."""

    tx_id: str
    timestamp: int
    value: bytes | None


class Stub(Protocol):
    """One transaction's view of the world state; reads don't see the transaction's own writes."""

    @property
    def tx_id(self) -> str:
        """Id of the transaction."""

    @property
    def tx_timestamp(self) -> int:
        """Time that the client put into the transaction, milliseconds since 1970."""

    @property
    def creator(self) -> Creator:
        """Who submitted the transaction."""

    def get_state(self, key: str) -> bytes | None:
        """Return the value of ``key``, None when it was never written."""

    def put_state(self, key: str, value: bytes) -> None:
        """Write ``key`` when the transaction commits."""

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return up to ``limit`` (key, value) pairs with start <= key < end, in the order of the keys' UTF-8."""

    def get_history(self, key: str) -> Sequence[Modification]:
        """Return every write of ``key``, oldest first."""

    def set_event(self, name: str, payload: bytes) -> None:
        """Emit one event when the transaction commits."""


def composite_key(kind: str, *attributes: str) -> str:
    """Return Fabric's composite key of ``attributes``; raises ContractError for a part that would break it."""
    for part in (kind, *attributes):
        if _SEPARATOR in part or _LAST in part:
            raise ContractError("INVALID", "a key's part may not hold U+0000 or U+10FFFF")
    return _SEPARATOR + _SEPARATOR.join((kind, *attributes)) + _SEPARATOR


def composite_range(kind: str, *attributes: str) -> tuple[str, str]:
    """Return (start, end) of all composite keys that begin with ``attributes``."""
    prefix = composite_key(kind, *attributes)
    return prefix, prefix + _LAST


def attributes_of(key: str) -> tuple[str, ...]:
    """Return the attributes of a composite key, without its kind."""
    return tuple(key[1:-1].split(_SEPARATOR))[1:]
