"""The idempotent commit: whatever dies where, a transaction takes effect once, and success is said only of a valid one.

The envelope is kept before it is submitted. Whoever tries again asks for its transaction first and submits the same
envelope where the network has not seen it; a transaction id is valid at most once on a channel.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.errors import LedgerDamaged, LedgerError
from glassbox.ledger.fabric.channel import ChannelReader
from glassbox.ledger.fabric.errors import CommitInvalid, CommitUnknown, PeersDisagree
from glassbox.ledger.fabric.gateway import Committed, Gateway, Prepared
from glassbox.ledger.fabric.pending import Pending, PendingStore
from glassbox_contract.canonical import parse_canonical
from glassbox_contract.errors import ContractError

CONFLICTS: Final = ("MVCC_READ_CONFLICT", "PHANTOM_READ_CONFLICT")
"""Codes that say another writer was faster; a new proposal sees what it wrote."""

_PROPOSALS: Final = 3
_SUBMISSIONS: Final = 4
_DISAGREEMENTS: Final = 6


@dataclass(frozen=True, slots=True)
class Written:
    """A transaction that is valid on the ledger."""

    tx_id: str
    answer: dict[str, Any]
    """What the contract answered: of this transaction, or of the earlier one that did the same."""
    duplicate: bool
    block: int | None = None
    """Number of its block, None where it has to be looked up."""


class Submitter:
    """Carries transactions of one chaincode through; threads may share it."""

    def __init__(
        self,
        gateway: Gateway,
        chaincode: str,
        reader: ChannelReader,
        pending: PendingStore,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._gateway = gateway
        self._chaincode = chaincode
        self._reader = reader
        self._pending = pending
        self._sleep = sleep

    def write(self, key: str, function: str, args: Sequence[str]) -> Written:
        """Return the valid transaction of a call, made now or before.

        Raises LedgerRejected or LedgerConflict for a refusal of the contract, CommitInvalid where the network found
        the transaction invalid, CommitUnknown where its fate is open: the next call with the same key settles it.
        """
        self._settle(key)
        for attempt in range(_PROPOSALS):
            prepared = self._endorsed(function, args)
            answer = _answer(prepared)
            if answer.get("status") == "duplicate":
                # Nothing to submit: a transaction that changes nothing would only fill a block.
                return Written(str(answer["tx_id"]), answer, duplicate=True)
            self._pending.put(key, Pending(prepared.tx_id, prepared.envelope))
            found = self._committed(prepared.tx_id, prepared.envelope)
            self._pending.delete(key, prepared.tx_id)
            if found.valid:
                return Written(prepared.tx_id, answer, duplicate=False, block=found.block)
            if found.code not in CONFLICTS or attempt == _PROPOSALS - 1:
                raise CommitInvalid(found.code, block=found.block, tx_id=prepared.tx_id)
            self._sleep(random.uniform(0.02, 0.1) * 2**attempt)  # noqa: S311 - spreads writers, hides nothing
        raise AssertionError("unreachable")

    def _settle(self, key: str) -> None:
        """Wait until what an earlier attempt left open is decided; raises CommitUnknown where the network does not say.

        What it did shows in the contract's answer to the next proposal, which also tells the same call from another.
        """
        left = self._pending.get(key)
        if left is None:
            return
        if self._reader.status(left.tx_id) is None:
            try:
                self._committed(left.tx_id, left.envelope)
            except CommitUnknown:
                raise
            except LedgerError as error:
                if error.retryable:
                    raise
                # The network takes this envelope no more, as after its certificate expired: it can have no effect.
        self._pending.delete(key, left.tx_id)

    def _endorsed(self, function: str, args: Sequence[str]) -> Prepared:
        data = [argument.encode() for argument in args]
        for attempt in range(_DISAGREEMENTS):
            try:
                return self._gateway.endorse(self._chaincode, function, *data)
            except PeersDisagree as error:
                # One peer may lag behind the block that another has; it catches up within moments.
                if attempt == _DISAGREEMENTS - 1:
                    raise error.refusal from None
                self._sleep(0.05 * 2**attempt)
        raise AssertionError("unreachable")

    def _committed(self, tx_id: str, envelope: bytes) -> Committed:
        """Return what the network found, submitting the same envelope until an orderer took it."""
        for attempt in range(_SUBMISSIONS):
            try:
                self._gateway.submit(tx_id, envelope)
                break
            except CommitUnknown:
                # It may have been ordered although the reply was lost.
                if (found := self._seen(tx_id)) is not None:
                    return found
                if attempt == _SUBMISSIONS - 1:
                    raise
                self._sleep(random.uniform(0.5, 1.0) * 0.2 * 2**attempt)  # noqa: S311 - spreads writers
        found = self._gateway.commit_status(tx_id)
        if found.code == "DUPLICATE_TXID":
            # The second copy of an envelope that was ordered twice; the first one's code counts.
            return self._reader.status(tx_id) or found
        return found

    def _seen(self, tx_id: str) -> Committed | None:
        try:
            return self._reader.status(tx_id)
        except LedgerError:
            return None


def _answer(prepared: Prepared) -> dict[str, Any]:
    return _parsed(prepared.result)


def _parsed(result: bytes) -> dict[str, Any]:
    try:
        value = parse_canonical(result)
    except ContractError:
        value = None
    if not isinstance(value, dict):
        raise LedgerDamaged(
            "The chaincode's answer is none of GlassBox's contract",
            where="endorse",
            fix="Check the chaincode's name in the profile, and which version of it the peers run",
        )
    return value
