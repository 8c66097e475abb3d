"""The walk over a whole embedded ledger: everything in every table is computed again from the signed blocks.

Found and named: any changed, removed, added or reordered block, transaction or state row; a header or a signature
that is not the ledger's; a transaction that the contract would refuse; tables, triggers or settings that are not the
ledger's; pages that SQLite can't read. With a checkpoint also a cut tail and a chain that was rewritten by whoever
holds the key. Not looked at, since nothing is ever read from them: free pages and unused bytes inside pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from glassbox.errors import LedgerDamaged, LedgerError
from glassbox.ledger import keys, storage
from glassbox.ledger.blocks import NO_BLOCK, Block, block_faults, genesis_fields
from glassbox.ledger.creation import emptied
from glassbox.ledger.port import Finding, FsckReport
from glassbox.ledger.reading import CHECKPOINT_FORMAT
from glassbox.ledger.replay import Replay
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.errors import ContractError

MAX_FINDINGS: Final = 1000
CHECKPOINT_FIELDS: Final = ("format", "public_key", "head_hash", "header", "signature")
UNPROVABLE_TAIL: Final = "consistent; completeness of the tail not provable"


class Findings:
    """The findings so far; only the first thousand are kept, the rest is counted."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.more = 0

    def add(self, code: str, height: int | None, detail: str) -> None:
        """Note one fault."""
        if len(self.kept) < MAX_FINDINGS:
            self.kept.append(Finding(code=code, height=height, detail=detail))
        else:
            self.more += 1


def fsck_file(
    path: Path, key_path: Path, checkpoint: Mapping[str, Any] | None = None, *, timeout: float = 30.0
) -> FsckReport:
    """Return the report on a ledger's file, however damaged; raises LedgerNotFound where there is no file.

    Where the key's file is present its public half must be the one in block 0.
    """
    findings = Findings()
    seen = None if checkpoint is None else _read_checkpoint(checkpoint, findings)
    walk = Walk(findings, watch=-1 if seen is None else seen.height)
    with _noted(findings), closing(storage.connect(path, read_only=True, timeout=timeout)) as connection:
        if storage.is_empty(connection, path):
            raise emptied(path, key_path)
        with storage.translated(path):
            connection.execute("BEGIN")
        # Each part says what it can, although another one can't be read.
        with _noted(findings), storage.translated(path):
            _check_settings(connection, findings, quiet=storage.is_quiet(path))
        with _noted(findings), storage.translated(path):
            _check_structure(connection, findings)
        with storage.translated(path):
            walk.run(connection)
    _check_key(key_path, walk.public_key, findings)
    promise = UNPROVABLE_TAIL if seen is None else _compare_checkpoint(seen, walk, findings)
    return _report(walk, findings, promise)


@contextmanager
def _noted(findings: Findings) -> Iterator[None]:
    """Make a finding of what is damaged; what only keeps this program from looking stays an error."""
    try:
        yield
    except LedgerDamaged as error:
        detail = error.what if error.fix == storage.RESTORE else str(error)
        if not any(finding.detail == detail for finding in findings.kept):
            findings.add("storage", None, detail)


def _report(walk: Walk, findings: Findings, promise: str) -> FsckReport:
    total = len(findings.kept) + findings.more
    statement = f"damaged; {total} fault{'s' if total != 1 else ''} found" if total else promise
    if total and all(finding.code == "key" and finding.height is None for finding in findings.kept):
        statement = "every block holds, but the key's file is not in order"
    return FsckReport(
        findings=tuple(findings.kept),
        height=walk.height,
        head=walk.head,
        statement=statement,
        records=walk.replay.records if walk.replay else 0,
        never_scored=walk.replay.never_scored if walk.replay else (),
    )


class Walk:
    """One pass over the blocks from the first to the last."""

    def __init__(self, findings: Findings, watch: int) -> None:
        self.findings = findings
        self.watch = watch
        self.watched = ""
        """Hash of the block at the height to watch, which a checkpoint has seen."""
        self.public_key: str | None = None
        self.height = -1
        self.head = ""
        self.replay: Replay | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        """Check every block and every row that follows from it."""
        self.replay = Replay(connection, self.findings.add)
        previous, expected, ledger = NO_BLOCK, 0, None
        for (height,) in connection.execute("SELECT height FROM blocks ORDER BY height"):
            if height != expected:
                self.findings.add("missing", height, f"blocks {expected} to {height - 1} are missing before it")
            try:
                row = connection.execute(
                    "SELECT header, signature, data FROM blocks WHERE height = ?", (height,)
                ).fetchone()
                block = Block(bytes(row[0]), str(row[1]), bytes(row[2]))
            except (sqlite3.DatabaseError, TypeError) as error:
                self.findings.add("storage", height, f"the block can't be read ({type(error).__name__})")
                previous, expected = "", height + 1
                continue
            if height == 0:
                self._begin(block)
            ledger = self._check_block(height, block, previous, ledger)
            previous, expected = block.hash, height + 1
            self.height, self.head = height, block.hash
            if height == self.watch:
                self.watched = block.hash
        if self.public_key is None:
            self.findings.add("genesis", 0, "block 0, which names the ledger's key, is missing or can't be read")
        self.replay.finish()

    def _begin(self, block: Block) -> None:
        try:
            self.public_key = genesis_fields(block)["public_key"]
        except ContractError as error:
            self.findings.add("genesis", 0, f"block 0 can't be read: {error}")

    def _check_block(self, height: int, block: Block, previous: str, ledger: str | None) -> str | None:
        """Check one block in itself, in its place, and by running its transaction again; return the ledger's name."""
        faults = block_faults(block, self.public_key or "")
        for code, detail in faults:
            self.findings.add(code, height, detail)
        try:
            fields = block.fields()
        except ContractError:
            return ledger
        if fields["height"] != height:
            self.findings.add("order", height, f"the header says height {fields['height']}")
        if fields["previous_hash"] != previous:
            self.findings.add("chain", height, "the block before it is not the one that the signed header names")
        if ledger is not None and fields["ledger"] != ledger:
            self.findings.add("chain", height, "the block belongs to another ledger")
        if height == 0:
            if fields["ledger"] != fields["data_hash"]:
                self.findings.add("genesis", 0, "the ledger is not named by the hash of block 0")
        elif self.replay is not None and not any(code in ("data", "header") for code, _ in faults):
            try:
                self.replay.check(height, fields, block.data)
            except sqlite3.DatabaseError as error:
                self.findings.add("storage", height, f"the block's rows can't be read ({type(error).__name__})")
        return str(fields["ledger"])


def _check_settings(connection: sqlite3.Connection, findings: Findings, *, quiet: bool) -> None:
    """Compare the settings that stay with the file with the ledger's; SQLite hides the journal of a `quiet` one."""
    for name, wanted in storage.SETTINGS:
        if name == "journal_mode" and quiet:
            continue
        found = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if found != wanted:
            findings.add("settings", None, f"{name} is {found}, which is not the ledger's {wanted}")


def _check_structure(connection: sqlite3.Connection, findings: Findings) -> None:
    """Compare the file's own structure with the ledger's."""
    for (message,) in connection.execute("PRAGMA integrity_check(50)"):
        if message != "ok":
            findings.add("storage", None, f"SQLite finds: {message[:200]}")
    found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    for statement in sorted(set(storage.SCHEMA) - found):
        findings.add("schema", None, f"missing: {statement[:60]}")
    for statement in sorted(found - set(storage.SCHEMA)):
        findings.add("schema", None, f"not the ledger's: {statement[:60]}")


def _check_key(key_path: Path, public_key: str | None, findings: Findings) -> None:
    if not key_path.exists() or public_key is None:
        return
    try:
        own = keys.load(key_path).public_key
    except LedgerError as error:
        findings.add("key", None, str(error))
        return
    if own != public_key:
        findings.add("key", 0, "block 0 names another public key than that of the key file")


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a sound checkpoint has seen."""

    height: int
    hash: str
    public_key: str


def _read_checkpoint(checkpoint: Mapping[str, Any], findings: Findings) -> _Seen | None:
    """Return what a checkpoint has seen; a damaged one is itself a finding."""
    try:
        raw = checks.fields(dict(checkpoint), CHECKPOINT_FIELDS, "")
        block = Block(canonical_bytes(raw["header"], floats=False), str(raw["signature"]), b"")
        height = int(block.fields()["height"])
        signed = not any(code == "signature" for code, _ in block_faults(block, str(raw["public_key"])))
        if raw["format"] != CHECKPOINT_FORMAT or raw["head_hash"] != block.hash or not signed:
            raise ContractError("INVALID", "format, hash or signature do not hold")
    except ContractError as error:
        findings.add("checkpoint", None, f"the checkpoint itself is damaged: {error.reason}")
        return None
    return _Seen(height, block.hash, str(raw["public_key"]))


def _compare_checkpoint(seen: _Seen, walk: Walk, findings: Findings) -> str:
    """Compare the ledger with a head that was kept elsewhere; return what that proves if nothing is found."""
    if seen.public_key != walk.public_key:
        findings.add("rewritten", 0, "the checkpoint was signed by another ledger's key")
    elif seen.height > walk.height:
        findings.add("cut", walk.height, f"the ledger ends here, but the checkpoint has seen block {seen.height}")
    elif walk.watched != seen.hash:
        findings.add("rewritten", seen.height, "another block stands here than when the checkpoint was taken")
    return f"consistent; complete at least up to block {seen.height}, where the checkpoint was taken"
