"""Faults of a Fabric network that a user can do something about, finer than the tree in `glassbox.errors`."""

from __future__ import annotations

from glassbox.errors import LedgerError, LedgerUnavailable


class FabricUnavailable(LedgerUnavailable):
    """The network can't do it now; nothing was committed by this call, and the same call may succeed later."""

    kind = "fabric-unavailable"

    def __init__(
        self, what: str, *, stage: str, tx_id: str = "", where: str | None = None, fix: str | None = None
    ) -> None:
        super().__init__(what, where=where or stage, fix=fix)
        self.stage = stage
        self.tx_id = tx_id


class PeersDisagree(FabricUnavailable):
    """Some peers refuse what others endorse: one of them may lag by a block, or they will refuse it for good."""

    kind = "fabric-peers-disagree"

    def __init__(self, refusal: LedgerError, *, stage: str, tx_id: str) -> None:
        super().__init__(
            f"Some peers refuse what others endorse: {refusal.what}",
            stage=stage,
            tx_id=tx_id,
            where=refusal.where,
            fix="Try again; if it stays so, compare the heights of the peers",
        )
        self.refusal = refusal


class CommitUnknown(LedgerUnavailable):
    """Whether the transaction was committed is not known; its envelope is kept, and the next call finds out."""

    kind = "fabric-unknown"
    undecided = True

    def __init__(self, what: str, *, stage: str, tx_id: str, where: str | None = None) -> None:
        super().__init__(
            what,
            where=where or f"{stage} of transaction {tx_id}",
            fix="Run the same command again: it asks for this transaction first and commits at most once",
        )
        self.stage = stage
        self.tx_id = tx_id


class CommitInvalid(LedgerError):
    """The network put the transaction into a block and found it invalid; it changed nothing."""

    kind = "fabric-invalid"

    def __init__(self, code: str, *, block: int, tx_id: str) -> None:
        super().__init__(
            f"The network found the transaction invalid ({code}); it changed nothing",
            where=f"block {block}, transaction {tx_id}",
            fix=_FIXES.get(code, "Ask the channel's administrators what this code means on their network"),
        )
        self.code = code
        self.block = block
        self.tx_id = tx_id


class FabricMisconfigured(LedgerError):
    """Endpoint, certificate, identity, channel or chaincode are not what the network expects; waiting does not help."""

    kind = "fabric-configuration"


class Malformed(Exception):
    """Bytes that are not the message they should be; callers say where they came from."""


_FIXES = {
    "ENDORSEMENT_POLICY_FAILURE": "Too few organisations endorsed it; see that peers of all of them can be reached",
    "MVCC_READ_CONFLICT": "Other writers were faster each time; run the same command again",
    "PHANTOM_READ_CONFLICT": "Other writers were faster each time; run the same command again",
    "EXPIRED_CHAINCODE": "The chaincode was changed meanwhile; run the same command again",
}
