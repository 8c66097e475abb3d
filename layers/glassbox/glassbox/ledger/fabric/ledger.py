"""The ledger on Fabric as every other part of GlassBox uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from glassbox.errors import LedgerDamaged, LedgerRejected
from glassbox.ledger.calling import document
from glassbox.ledger.fabric import export as exporting
from glassbox.ledger.fabric.blocks import Block
from glassbox.ledger.fabric.channel import ChannelReader
from glassbox.ledger.fabric.errors import FabricMisconfigured
from glassbox.ledger.fabric.fsck import fsck_channel
from glassbox.ledger.fabric.gateway import Gateway
from glassbox.ledger.fabric.network import Network
from glassbox.ledger.fabric.pending import PendingStore
from glassbox.ledger.fabric.proving import ProofMaker
from glassbox.ledger.fabric.submitting import Submitter, Written
from glassbox.ledger.fabric.trust import Trust
from glassbox.ledger.port import ExportKind, FsckReport, Page, Receipt
from glassbox_contract import checks
from glassbox_contract.canonical import parse_canonical
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import Policy, policy_bytes

_PLACES: Final = 4096


class FabricLedger:
    """A LedgerPort on a channel. Threads may share it; connections are made when they are first needed."""

    backend: Final = "fabric"

    def __init__(self, network: Network, pending: PendingStore) -> None:
        self.network = network
        self._gateway = self._connected(network.client)
        self._admin = self._connected(network.admin) if network.admin is not None else None
        self._reader = ChannelReader(self._gateway)
        self._submitter = self._submitting(self._gateway, pending)
        self._registrar = None if self._admin is None else self._submitting(self._admin, pending)
        self._prover = ProofMaker(network, self._reader)
        self._heights: dict[str, int] = {}

    def __enter__(self) -> FabricLedger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def trust(self) -> Trust:
        """The roots of the network, as the connection profile has them."""
        return self.network.trust

    def commit(self, record: Mapping[str, Any], policy: Policy) -> Receipt:
        """Return the receipt of a record that is now, or was before, on the ledger; see LedgerPort.

        Raises CommitUnknown (retryable) where the network does not say; the next call settles it.
        """
        text, name = document(dict(record)), str(record.get("evaluation_id"))
        done = self._with_policy(
            policy, lambda: self._submitter.write(f"commit-{_key(name)}", "CommitScorecard", [text])
        )
        return self._receipt(name, done)

    def register_policy(self, policy: Policy) -> Receipt:
        """Return the receipt of a policy's registration; raises FabricMisconfigured without an admin's identity."""
        if self._registrar is None:
            raise FabricMisconfigured(
                "Registering a policy takes an admin's identity",
                where=self.network.client.msp_id,
                fix="Name the admin's certificate and key in the connection profile, or let an admin register it",
            )
        key = f"policy-{policy.digest.removeprefix('sha256:')}"
        done = self._registrar.write(key, "RegisterPolicy", [policy_bytes(policy).decode()])
        return self._receipt(policy.digest, done)

    def open_evaluation(self, evaluation_id: str, request_hmac: str, policy: Policy) -> Receipt:
        """Return the receipt of the note that an evaluation was begun; registers its policy where it may."""
        args = [evaluation_id, request_hmac, policy.digest]
        done = self._with_policy(
            policy, lambda: self._submitter.write(f"open-{_key(evaluation_id)}", "OpenEvaluation", args)
        )
        return self._receipt(evaluation_id, done)

    def get(self, evaluation_id: str) -> dict[str, Any]:
        """Return {digest, record, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""
        return self._placed(self._ask("GetScorecard", evaluation_id))

    def get_policy(self, policy_digest: str) -> dict[str, Any]:
        """Return {digest, document, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""
        return self._placed(self._ask("GetPolicy", policy_digest))

    def history(self, evaluation_id: str) -> dict[str, Any]:
        """Return {id, writes, supersedes, superseded_by} of an evaluation; raises LedgerNotFound."""
        answer = self._ask("GetHistory", evaluation_id)
        answer["writes"] = [self._placed(write) for write in answer["writes"]]
        return answer

    def list_by_day(self, day: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the records of a UTC day YYYY-MM-DD, oldest first."""
        return self._page("ListByDay", day, str(page_size), bookmark)

    def list_by_session(self, session_hmac: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of a session's records, oldest first."""
        return self._page("ListBySession", session_hmac, str(page_size), bookmark)

    def list_open(self, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the evaluations that were opened and never scored, oldest first."""
        return self._page("ListOpen", str(page_size), bookmark)

    def export(self, kind: ExportKind = "records") -> Iterator[str]:
        """Yield one canonical JSON line a record, or a block, up to the head at the time of the first line."""
        for block in self._reader.blocks(0, self._reader.height() - 1):
            yield from exporting.export_lines(kind, block, self.network.trust.chaincode)

    def proof(self, evaluation_id: str) -> dict[str, Any]:
        """Return what a third party needs to check offline that the record is valid; see `fabric.proof`."""
        return self.proof_until(evaluation_id, None)

    def proof_until(self, evaluation_id: str, number: int | None) -> dict[str, Any]:
        """Return the proof with the chain of headers from the record's block to a later one, as of a checkpoint."""
        known = self._ask("GetScorecard", evaluation_id)
        policy = self._ask("GetPolicy", str(known["record"]["policy_digest"]))
        return self._prover.proof(str(known["tx_id"]), known["record"], policy["document"], until=number)

    def checkpoint(self) -> dict[str, Any]:
        """Return the last block's header with the orderers' signatures."""
        return exporting.checkpoint(self._reader.block(self._reader.height() - 1), self.network.trust.channel)

    def fsck(self, checkpoint: Mapping[str, Any] | None = None) -> FsckReport:
        """Return what re-computing every block of the channel finds; see `fabric.fsck`."""
        return fsck_channel(self._reader, self.network.trust, checkpoint, ask=self._ask)

    def close(self) -> None:
        """Close the connections; may be called more than once."""
        for gateway in (self._gateway, self._admin):
            if gateway is not None:
                gateway.close()
        self._prover.close()

    def _connected(self, signer: Any) -> Gateway:
        network = self.network
        return Gateway(network.gateway, signer, network.trust.channel, deadlines=network.deadlines)

    def _submitting(self, gateway: Gateway, pending: PendingStore) -> Submitter:
        return Submitter(gateway, self.network.trust.chaincode, self._reader, pending)

    def _with_policy(self, policy: Policy, write: Callable[[], Written]) -> Written:
        """Carry a transaction through whose policy may have to be registered first."""
        try:
            return write()
        except LedgerRejected as error:
            if error.code != "NOTFOUND" or error.where != "/policy_digest":
                raise
        if self._registrar is None:
            raise LedgerRejected(
                "The policy is not registered on the ledger, and this identity may not register it",
                code="NOTFOUND",
                where=f"policy {policy.name}, {policy.digest}",
                fix=f"An admin of {self.network.client.msp_id} runs, with the same --engine and judge model: "
                f"glassbox policy register {policy.name} --ledger fabric",
            )
        self.register_policy(policy)
        return write()

    def _ask(self, function: str, *args: str) -> dict[str, Any]:
        data = self._gateway.evaluate(self.network.trust.chaincode, function, *(arg.encode() for arg in args))
        try:
            answer = parse_canonical(data)
        except ContractError:
            answer = None
        if not isinstance(answer, dict):
            raise LedgerDamaged(
                "The chaincode's answer is none of GlassBox's contract",
                where=function,
                fix="Check the chaincode's name in the profile, and which version of it the peers run",
            )
        return answer

    def _page(self, function: str, *args: str) -> Page:
        answer = self._ask(function, *args)
        return Page(items=answer["items"], bookmark=answer["bookmark"])

    def _placed(self, found: Mapping[str, Any]) -> dict[str, Any]:
        return {**found, "block": self._height_of(str(found["tx_id"]))}

    def _height_of(self, tx_id: str) -> int:
        """Return the number of the block that holds a transaction; it never changes, so it may be remembered."""
        if tx_id not in self._heights:
            if len(self._heights) >= _PLACES:
                self._heights.clear()
            self._heights[tx_id] = self._reader.place(tx_id).block.number
        return self._heights[tx_id]

    def _receipt(self, record_id: str, done: Written) -> Receipt:
        block = self._reader.block(done.block) if done.block is not None else self._reader.place(done.tx_id).block
        return Receipt(
            backend=self.backend,
            record_id=record_id,
            transaction_id=done.tx_id,
            block=block.number,
            head_hash=block.hash,
            signature=_signature(block),
            duplicate=done.duplicate,
        )


def _signature(block: Block) -> str:
    """Return the first orderer's signature, "" for a block that has none."""
    return f"ecdsa:{block.signatures[0].signature.hex()}" if block.signatures else ""


def _key(name: str) -> str:
    """Return an id as the name of a pending transaction; raises LedgerRejected for one that is none."""
    try:
        return checks.identifier(name, "/evaluation_id")
    except ContractError as error:
        raise LedgerRejected(
            "Not the id of an evaluation", code=error.code, where=error.path, fix="Give a UUID in lower case"
        ) from None
