"""Running the ledger's transactions again: each block's rows must be exactly what the contract writes for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from glassbox.ledger.blocks import Transaction, transaction_from, transaction_id
from glassbox.ledger.state import TableStub
from glassbox_contract import checks
from glassbox_contract.canonical import digest_bytes, parse_canonical
from glassbox_contract.contract import call
from glassbox_contract.errors import ContractError
from glassbox_contract.schema import TRANSACTIONS
from glassbox_contract.stub import Creator

Note = Callable[[str, int | None, str], None]


class Replay:
    """Checks blocks in the order of their heights; state comes from the rows checked so far, corrected where wrong."""

    def __init__(self, connection: sqlite3.Connection, note: Note) -> None:
        self._connection = connection
        self._note = note
        self._overlay: dict[bytes, bytes | None] = {}
        self._checked: set[int] = set()
        self._opened: dict[str, None] = {}
        self.records = 0

    @property
    def never_scored(self) -> tuple[str, ...]:
        """Ids that were opened and not scored, in the order of their opening."""
        return tuple(self._opened)

    def check(self, height: int, header: Mapping[str, Any], data: bytes) -> None:
        """Run one block's transaction again and compare everything that it left behind."""
        try:
            transaction = transaction_from(data)
        except ContractError as error:
            self._note("transaction", height, f"not a transaction: {error}")
            return
        expected_id = transaction_id(
            header["previous_hash"],
            transaction.function,
            transaction.args,
            transaction.creator,
            transaction.timestamp,
        )
        if transaction.tx_id != expected_id:
            self._note("transaction", height, "the transaction's id does not follow from its content and place")
        if checks.format_timestamp(transaction.timestamp) != header["time"]:
            self._note("transaction", height, "the header has another time than the transaction")
        stub = self._run(height, transaction)
        if stub is not None:
            self._compare(height, transaction, stub)
            self._count(transaction)

    def finish(self) -> None:
        """Note the rows that belong to no block."""
        for table, column in (("writes", "key"), ("transactions", "tx_id")):
            rows = self._connection.execute(f"SELECT height, {column} FROM {table} ORDER BY height")  # noqa: S608 - ours
            for height, name in rows:
                if height not in self._checked:
                    self._note(table, height, f"a row belongs to no sound block: {_shown(name)}")

    def _run(self, height: int, transaction: Transaction) -> TableStub | None:
        creator = Creator(transaction.creator["msp"], transaction.creator["role"])
        stub = TableStub(
            self._connection,
            transaction.tx_id,
            transaction.timestamp,
            creator,
            height=height,
            overlay=self._overlay,
        )
        if transaction.function not in TRANSACTIONS:
            self._note("contract", height, "the transaction calls no function that writes")
            return None
        try:
            answer = call(stub, transaction.function, transaction.args)
        except ContractError as refusal:
            self._note("contract", height, f"the contract refuses the transaction: {refusal}")
            return None
        if answer["status"] == "duplicate":
            self._note("contract", height, "the transaction repeats an earlier one")
            return None
        return stub

    def _compare(self, height: int, transaction: Transaction, stub: TableStub) -> None:
        self._checked.add(height)
        if list(transaction.writes) != stub.write_set:
            self._note("transaction", height, "the contract writes something else for this call")
        if transaction.event != stub.event_digest:
            self._note("transaction", height, "the contract raises another event for this call")
        ids = [row[0] for row in self._connection.execute("SELECT tx_id FROM transactions WHERE height = ?", (height,))]
        if ids != [transaction.tx_id]:
            self._note("transactions", height, "the index of transactions names another transaction, or none")
        self._compare_rows(height, {key.encode(): value for key, value in stub.written.items()}, stub)

    def _compare_rows(self, height: int, expected: Mapping[bytes, bytes], stub: TableStub) -> None:
        rows = self._connection.execute("SELECT key, value FROM writes WHERE height = ?", (height,))
        found = {bytes(key): bytes(value) for key, value in rows}
        for key in sorted(expected.keys() | found.keys()):
            if key not in expected:
                self._note("writes", height, f"added to the state: {_shown(key)}")
                self._overlay[key] = stub.get_state(key.decode("utf-8", "replace"))
            elif found.get(key) != expected[key]:
                what = "changed" if key in found else "removed"
                self._note("writes", height, f"{what} in the state: {_shown(key)}, {digest_bytes(expected[key])}")
                self._overlay[key] = expected[key]
            elif key in self._overlay:
                self._overlay[key] = expected[key]

    def _count(self, transaction: Transaction) -> None:
        if transaction.function == "OpenEvaluation":
            self._opened[transaction.args[0]] = None
        elif transaction.function == "CommitScorecard":
            self.records += 1
            identifier = str(call_record(transaction)["evaluation_id"])
            self._opened.pop(identifier, None)


def call_record(transaction: Transaction) -> dict[str, Any]:
    """Return the record in a CommitScorecard transaction that the contract has accepted."""
    value: dict[str, Any] = parse_canonical(transaction.args[0].encode())
    return value


def _shown(name: bytes | str) -> str:
    """Return a key for a message: keys hold ids, digests and times, never a text."""
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
    return "".join(character if character.isprintable() else "|" for character in text)[:160]
