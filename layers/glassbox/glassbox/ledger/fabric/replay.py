"""Replaying a channel: every transaction is judged again as the peers judged it, and its contract is run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.blocks import Block
from glassbox.ledger.fabric.contract_run import rerun_faults, shown
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.gateway import code_name
from glassbox.ledger.fabric.submitting import CONFLICTS
from glassbox.ledger.fabric.transactions import (
    Call,
    Envelope,
    endorsement_faults,
    envelope_faults,
    read_call,
    read_envelope,
)
from glassbox.ledger.fabric.trust import Trust
from glassbox.ledger.fabric.world import World

Note = Callable[[str, int | None, str], None]

DUPLICATE: Final = "DUPLICATE_TXID"
_BEYOND: Final = ("EXPIRED_CHAINCODE", "INVALID_CHAINCODE")
"""Codes that follow from the chaincode's life cycle, which is not replayed."""


class Replay:
    """Checks blocks in order; the state is that of the transactions that were valid so far."""

    def __init__(self, trust: Trust, world: World, note: Note) -> None:
        self._trust = trust
        self._world = world
        self._note = note
        self._valid = code_name(int(protos.transactions.VALID))
        self._opened: dict[str, None] = {}
        self.records = 0

    @property
    def never_scored(self) -> tuple[str, ...]:
        """Ids that were opened and not scored, in the order of their opening."""
        return tuple(self._opened)

    def check(self, block: Block) -> None:
        """Check every transaction of a block and take over what the valid ones write."""
        for index, data in enumerate(block.data):
            code = code_name(block.code(index))
            try:
                envelope = read_envelope(data)
                if envelope.is_transaction:
                    self._check_one(block.number, index, code, envelope)
            except Malformed as error:
                # Peers keep what orderers let through, and call it invalid; only a valid one must be readable.
                if code == self._valid:
                    self._note("transaction", block.number, f"transaction {index} can't be read: {error}")

    def _check_one(self, number: int, index: int, code: str, envelope: Envelope) -> None:
        name = f"transaction {index} ({envelope.tx_id[:12]})"
        fresh = self._world.see(envelope.tx_id)
        call = read_call(envelope)
        if call.chaincode != self._trust.chaincode:
            if self._trust.chaincode in call.written_spaces and code == self._valid:
                self._note("contract", number, f"{name}: another chaincode writes keys of {self._trust.chaincode}")
            return
        faults = [*envelope_faults(envelope, self._trust), *endorsement_faults(envelope, call, self._trust)]
        stale = [key for key, version in call.reads.items() if self._world.version(key) != version]
        if code != self._valid:
            if not _borne_out(code, fresh=fresh, faulty=bool(faults), stale=bool(stale)):
                self._note("code", number, f"{name}: the peer calls it {code}, which the blocks don't bear out")
            return
        for kind, detail in faults:
            self._note(kind, number, f"{name}: {detail}")
        if not fresh:
            self._note("twice", number, f"{name}: valid although its id stood on the channel before")
        if stale:
            self._note("version", number, f"{name}: valid although what it read had changed: {shown(stale[0])}")
        for kind, detail in rerun_faults(envelope, call, self._world.get):
            self._note(kind, number, f"{name}: {detail}")
        for key, value in call.writes.items():
            self._world.put(key, value, (number, index))
        self._count(call)

    def _count(self, call: Call) -> None:
        if call.args[:1] == (b"OpenEvaluation",) and len(call.args) > 1:
            self._opened[call.args[1].decode("utf-8", "replace")] = None
        elif call.args[:1] == (b"CommitScorecard",):
            self.records += 1
            for key in call.writes:
                if key.startswith("SC:"):
                    self._opened.pop(key.removeprefix("SC:"), None)


def _borne_out(code: str, *, fresh: bool, faulty: bool, stale: bool) -> bool:
    """Return whether the blocks show why a transaction was called invalid: a result may be buried by such a code."""
    if code in _BEYOND:
        return True
    if code == DUPLICATE:
        return not fresh
    return stale if code in CONFLICTS else faulty
