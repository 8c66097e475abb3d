"""What every ledger of scorecards offers: the embedded one and the one on Fabric are used through this port alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from glassbox_contract.policy import Policy

ExportKind = Literal["records", "blocks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Where a transaction stands on a ledger, and the ledger's signature for it."""

    backend: str
    """"embedded" or "fabric"."""
    record_id: str
    """The evaluation's id or the policy's digest."""
    transaction_id: str
    block: int
    """Height of the block that holds the transaction."""
    head_hash: str
    """Hash of that block's header, which fixes all blocks before it."""
    signature: str
    """Signature of that header."""
    duplicate: bool = False
    """Whether the ledger held the very same bytes before this call."""

    def to_json(self) -> dict[str, Any]:
        """Return the receipt as a scorecard's `ledger`: equal for the first call and for every repetition."""
        return {
            "backend": self.backend,
            "record_id": self.record_id,
            "transaction_id": self.transaction_id,
            "block": self.block,
            "head_hash": self.head_hash,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a listing; `bookmark` begins the next one and is empty at the end."""

    items: Sequence[Mapping[str, Any]]
    bookmark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault of a ledger or of a proof: a machine-readable code, the block's height if it has one, and what."""

    code: str
    height: int | None
    detail: str

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        return {"code": self.code, "height": self.height, "detail": self.detail}


@dataclass(frozen=True, slots=True, kw_only=True)
class FsckReport:
    """What a walk over a whole ledger found."""

    findings: Sequence[Finding]
    height: int
    """Height of the last block, -1 where there is none."""
    head: str
    """Hash of the last block's header, empty where there is none."""
    statement: str
    """What the walk proves, in one sentence."""
    records: int = 0
    """Scorecards on the ledger."""
    never_scored: Sequence[str] = field(default=())
    """Ids of the evaluations that were opened and never scored: no fault of the ledger, but to be explained."""

    @property
    def intact(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "intact": self.intact,
            "statement": self.statement,
            "height": self.height,
            "head": self.head,
            "records": self.records,
            "never_scored": list(self.never_scored),
            "findings": [finding.to_json() for finding in self.findings],
        }


class LedgerPort(Protocol):
    """A ledger that keeps records under the rules of `glassbox_contract`.

    Every method may raise LedgerUnavailable (retryable) and LedgerDamaged; what is written is never changed.
    """

    @property
    def backend(self) -> str:
        """ "embedded" or "fabric"."""

    def commit(self, record: Mapping[str, Any], policy: Policy) -> Receipt:
        """Return the receipt of a record that is now, or was before, on the ledger.

        Registers the policy first where this ledger allows it. Raises LedgerRejected for a record that breaks the
        contract and LedgerConflict where another record stands under the id.
        """

    def register_policy(self, policy: Policy) -> Receipt:
        """Return the receipt of a policy's registration, the first one if it was registered before."""

    def open_evaluation(self, evaluation_id: str, request_hmac: str, policy: Policy) -> Receipt:
        """Return the receipt of the note that an evaluation was begun."""

    def get(self, evaluation_id: str) -> dict[str, Any]:
        """Return {digest, record, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""

    def get_policy(self, policy_digest: str) -> dict[str, Any]:
        """Return {digest, document, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""

    def history(self, evaluation_id: str) -> dict[str, Any]:
        """Return {id, writes, supersedes, superseded_by} of an evaluation; raises LedgerNotFound."""

    def list_by_day(self, day: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the records of a UTC day YYYY-MM-DD, oldest first."""

    def list_by_session(self, session_hmac: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of a session's records, oldest first."""

    def list_open(self, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the evaluations that were opened and never scored, oldest first."""

    def export(self, kind: ExportKind = "records") -> Iterator[str]:
        """Yield one JSON line a record, or a block; from the first to the last at the time of the call."""

    def proof(self, evaluation_id: str) -> dict[str, Any]:
        """Return what a third party needs to check offline that the record stands on this ledger."""

    def checkpoint(self) -> dict[str, Any]:
        """Return the signed head; kept elsewhere, it lets `fsck` find a cut tail or a rewritten chain."""

    def fsck(self, checkpoint: Mapping[str, Any] | None = None) -> FsckReport:
        """Return what re-computing the whole ledger from its blocks finds."""

    def close(self) -> None:
        """Release files and connections; may be called more than once."""
