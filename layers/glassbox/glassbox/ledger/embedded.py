"""The embedded ledger: one SQLite file and one key file; append-only, chained, signed, under the contract."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from glassbox.ledger import blocks, reading
from glassbox.ledger.blocks import Block, Transaction
from glassbox.ledger.calling import ask, document, submit
from glassbox.ledger.creation import insert
from glassbox.ledger.fsck import fsck_file
from glassbox.ledger.port import ExportKind, FsckReport, Page, Receipt
from glassbox.ledger.session import Session
from glassbox.ledger.state import TableStub
from glassbox_contract import checks
from glassbox_contract.canonical import parse_canonical
from glassbox_contract.policy import Policy, policy_bytes
from glassbox_contract.rules import EVALUATOR, policy_key
from glassbox_contract.stub import Creator

CLIENT: Final = Creator(EVALUATOR, "client")
ADMIN: Final = Creator(EVALUATOR, "admin")


def now() -> int:
    """Return the time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class EmbeddedLedger:
    """A LedgerPort in a file. Threads of one process may share it; any number of processes may open one file."""

    backend: Final = "embedded"

    def __init__(
        self,
        path: Path,
        *,
        key_path: Path | None = None,
        read_only: bool = False,
        timeout: float = 30.0,
        clock: Callable[[], int] = now,
    ) -> None:
        """Open the ledger in `path`, and begin it there unless it exists or `read_only` is set; raises LedgerError.

        `key_path` is the key's file, by default `path` with the suffix `.key`. `timeout` is how many seconds a write
        waits for another process before it raises LedgerBusy. `clock` gives milliseconds since 1970.
        """
        self.path = path
        self.key_path = path.with_suffix(".key") if key_path is None else key_path
        self._clock = clock
        self._session = Session(path, self.key_path, read_only=read_only, timeout=timeout, clock=clock)

    def __enter__(self) -> EmbeddedLedger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def commit(self, record: Mapping[str, Any], policy: Policy) -> Receipt:
        """Return the receipt of a record that is now, or was before, on the ledger; see LedgerPort."""
        text = document(dict(record))
        with self._session.writing() as connection:
            self._ensure_policy(connection, policy)
            return self._append(connection, CLIENT, "CommitScorecard", [text])

    def register_policy(self, policy: Policy) -> Receipt:
        """Return the receipt of a policy's registration, the first one if it was registered before."""
        with self._session.writing() as connection:
            return self._append(connection, ADMIN, "RegisterPolicy", [policy_bytes(policy).decode()])

    def open_evaluation(self, evaluation_id: str, request_hmac: str, policy: Policy) -> Receipt:
        """Return the receipt of the note that an evaluation was begun; registers its policy first."""
        with self._session.writing() as connection:
            self._ensure_policy(connection, policy)
            return self._append(connection, CLIENT, "OpenEvaluation", [evaluation_id, request_hmac, policy.digest])

    def get(self, evaluation_id: str) -> dict[str, Any]:
        """Return {digest, record, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""
        with self._session.reading() as connection:
            return self._placed(connection, self._ask(connection, "GetScorecard", [evaluation_id]))

    def get_policy(self, policy_digest: str) -> dict[str, Any]:
        """Return {digest, document, tx_id, tx_timestamp, submitter, block}; raises LedgerNotFound."""
        with self._session.reading() as connection:
            return self._placed(connection, self._ask(connection, "GetPolicy", [policy_digest]))

    def history(self, evaluation_id: str) -> dict[str, Any]:
        """Return {id, writes, supersedes, superseded_by} of an evaluation; raises LedgerNotFound."""
        with self._session.reading() as connection:
            answer = self._ask(connection, "GetHistory", [evaluation_id])
            answer["writes"] = [self._placed(connection, write) for write in answer["writes"]]
            return answer

    def list_by_day(self, day: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the records of a UTC day YYYY-MM-DD, oldest first."""
        return self._page("ListByDay", [day], page_size, bookmark)

    def list_by_session(self, session_hmac: str, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of a session's records, oldest first."""
        return self._page("ListBySession", [session_hmac], page_size, bookmark)

    def list_open(self, *, page_size: int = 100, bookmark: str = "") -> Page:
        """Return a page of the evaluations that were opened and never scored, oldest first."""
        return self._page("ListOpen", [], page_size, bookmark)

    def export(self, kind: ExportKind = "records") -> Iterator[str]:
        """Yield one canonical JSON line a record, or a block, up to the head at the time of the first line."""
        with self._session.reading() as connection:
            height = reading.head(connection, self.path)[0]
        for at in range(height + 1):
            with self._session.reading() as connection:
                lines = reading.export_lines(kind, at, reading.block_at(connection, self.path, at))
            yield from lines

    def proof(self, evaluation_id: str) -> dict[str, Any]:
        """Return the signed blocks that hold the record and its policy; see `glassbox.ledger.proof`."""
        with self._session.reading() as connection:
            known = self._ask(connection, "GetScorecard", [evaluation_id])
            policy = self._ask(connection, "GetPolicy", [known["record"]["policy_digest"]])
            placed = [self._placed(connection, found)["block"] for found in (known, policy)]
            return reading.proof(connection, self.path, *placed)

    def checkpoint(self) -> dict[str, Any]:
        """Return the signed header of the last block, with the public key to check it by."""
        with self._session.reading() as connection:
            return reading.checkpoint(connection, self.path)

    def fsck(self, checkpoint: Mapping[str, Any] | None = None) -> FsckReport:
        """Return what re-computing every row from the blocks finds; see `glassbox.ledger.fsck`."""
        return fsck_file(self.path, self.key_path, checkpoint, timeout=self._session.timeout)

    def public_key(self) -> str:
        """Return the public key in block 0, to be kept elsewhere by whoever wants to check proofs."""
        with self._session.reading() as connection:
            return reading.public_key(connection, self.path)

    def close(self) -> None:
        """Close the file; may be called more than once."""
        self._session.close()

    def _ensure_policy(self, connection: sqlite3.Connection, policy: Policy) -> None:
        if TableStub(connection, "", 0, CLIENT).get_state(policy_key(policy.digest)) is None:
            self._append(connection, ADMIN, "RegisterPolicy", [policy_bytes(policy).decode()])

    def _append(self, connection: sqlite3.Connection, creator: Creator, function: str, args: Sequence[str]) -> Receipt:
        """Run one transaction of the contract and append its block; a duplicate appends nothing."""
        height, previous = reading.head(connection, self.path)
        ledger = previous.fields()["ledger"]
        document(args)
        who, moment = {"msp": creator.msp, "role": creator.role}, self._clock()
        tx_id = blocks.transaction_id(previous.hash, function, args, who, moment)
        stub = TableStub(connection, tx_id, moment, creator)
        answer = submit(stub, self.path, function, args)
        record_id = _subject(answer, function, args)
        if answer["status"] == "duplicate":
            at = reading.height_of(connection, self.path, answer["tx_id"])
            return _receipt(record_id, answer["tx_id"], at, reading.block_at(connection, self.path, at), duplicate=True)
        data = Transaction(function, args, tx_id, who, moment, stub.write_set, stub.event_digest).to_bytes()
        block = blocks.seal(
            self._session.signing_key(connection),
            ledger=ledger,
            height=height + 1,
            previous_hash=previous.hash,
            data=data,
            time=checks.format_timestamp(moment),
        )
        insert(connection, height + 1, block)
        connection.execute("INSERT INTO transactions (tx_id, height) VALUES (?, ?)", (tx_id, height + 1))
        connection.executemany(
            "INSERT INTO writes (key, height, value) VALUES (?, ?, ?)",
            [(key.encode(), height + 1, value) for key, value in stub.written.items()],
        )
        return _receipt(record_id, tx_id, height + 1, block)

    def _ask(self, connection: sqlite3.Connection, function: str, args: Sequence[str]) -> dict[str, Any]:
        return ask(TableStub(connection, "", 0, CLIENT), self.path, function, args)

    def _page(self, function: str, args: list[str], page_size: int, bookmark: str) -> Page:
        with self._session.reading() as connection:
            answer = self._ask(connection, function, [*args, str(page_size), bookmark])
            return Page(items=answer["items"], bookmark=answer["bookmark"])

    def _placed(self, connection: sqlite3.Connection, found: Mapping[str, Any]) -> dict[str, Any]:
        return {**found, "block": reading.height_of(connection, self.path, found["tx_id"])}


def _subject(answer: Mapping[str, Any], function: str, args: Sequence[str]) -> str:
    if function == "RegisterPolicy":
        return str(answer["digest"])
    return args[0] if function == "OpenEvaluation" else str(parse_canonical(args[0].encode())["evaluation_id"])


def _receipt(record_id: str, tx_id: str, height: int, block: Block, *, duplicate: bool = False) -> Receipt:
    return Receipt(
        backend=EmbeddedLedger.backend,
        record_id=record_id,
        transaction_id=tx_id,
        block=height,
        head_hash=block.hash,
        signature=block.signature,
        duplicate=duplicate,
    )
