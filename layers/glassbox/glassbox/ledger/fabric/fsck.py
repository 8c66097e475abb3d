"""The walk over a whole channel: every block, signature, code and record is computed again from the blocks alone.

Found and named: blocks that are changed, missing or out of order; data that is not under its header; signatures of
orderers, endorsers and submitters that don't hold or aren't of the organisations that are trusted; validation codes
that the blocks don't bear out; transactions that the contract would refuse or answer otherwise; a record that was
written twice; and a state that is not what the blocks give. With a checkpoint also a cut tail and a chain written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, Final

from glassbox.errors import LedgerDamaged, LedgerNotFound
from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.block_checks import data_faults, signature_faults
from glassbox.ledger.fabric.blocks import Block
from glassbox.ledger.fabric.channel import ChannelReader
from glassbox.ledger.fabric.channel_config import ChannelConfig, config_faults, read_config
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.export import CHECKPOINT_FIELDS, CHECKPOINT_FORMAT
from glassbox.ledger.fabric.proof_parts import block_signatures, hex_hash, octets
from glassbox.ledger.fabric.replay import Replay
from glassbox.ledger.fabric.transactions import read_envelope
from glassbox.ledger.fabric.trust import Trust
from glassbox.ledger.fabric.world import World
from glassbox.ledger.fsck import UNPROVABLE_TAIL, Findings
from glassbox.ledger.port import FsckReport
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.errors import ContractError

Ask = Callable[..., dict[str, Any]]

_AT_ONCE: Final = 4
_PAGE: Final = "200"


def fsck_channel(
    reader: ChannelReader, trust: Trust, checkpoint: Mapping[str, Any] | None = None, *, ask: Ask
) -> FsckReport:
    """Return the report on a channel as one peer gives it; `ask` puts a question to the contract.

    Raises LedgerUnavailable where the peer goes away meanwhile.
    """
    findings = Findings()
    seen = None if checkpoint is None else _read_checkpoint(checkpoint, trust, findings)
    world = World()
    try:
        walk = _Walk(trust, world, findings)
        last = reader.height() - 1
        try:
            for block in reader.blocks(0, last):
                walk.check(block)
        except LedgerDamaged as error:
            findings.add("storage", walk.height + 1, error.what)
        walk.compare_config()
        _compare_state(world, ask, walk.replay, findings)
    finally:
        world.close()
    promise = f"{UNPROVABLE_TAIL}, but as this peer and the orderers' signatures say"
    if seen is not None:
        promise = _compare_checkpoint(seen, walk, findings)
    total = len(findings.kept) + findings.more
    return FsckReport(
        findings=tuple(findings.kept),
        height=walk.height,
        head=walk.head,
        statement=f"damaged; {total} fault{'s' if total != 1 else ''} found" if total else promise,
        records=walk.replay.records,
        never_scored=walk.replay.never_scored,
    )


class _Walk:
    """One pass over the blocks from the first to the last."""

    def __init__(self, trust: Trust, world: World, findings: Findings) -> None:
        self._trust = trust
        self._findings = findings
        self.replay = Replay(trust, world, findings.add)
        self.height = -1
        self.head = ""
        self.hashes: dict[int, str] = {}
        self._config: tuple[int, ChannelConfig] | None = None
        """The latest configuration, with the number of its block."""

    def compare_config(self) -> None:
        """Compare the channel's latest configuration with what the profile trusts."""
        if self._config is None:
            self._findings.add("config", None, "no configuration of the channel was found in its blocks")
            return
        number, config = self._config
        for detail in config_faults(config, self._trust):
            self._findings.add("config", number, detail)

    def check(self, block: Block) -> None:
        """Check one block in itself, in its place, and all that is in it."""
        expected = self.height + 1
        if block.number != expected:
            self._findings.add("order", expected, f"the peer gives block {block.number} here")
        try:
            head = block.hash
            before = f"sha256:{block.previous_hash.hex()}" if block.previous_hash else ""
        except Malformed as error:
            self._findings.add("header", block.number, str(error))
            head = before = "?"
        if expected > 0 and before != self.head:
            self._findings.add("chain", block.number, "the block before it is not the one that its header names")
        for code, detail in data_faults(block):
            self._findings.add(code, block.number, detail)
        # Block 0 is what the channel's administrators agreed on; no orderer signs it.
        if expected > 0:
            for code, detail in signature_faults(block, self._trust, _time_of(block)):
                self._findings.add(code, block.number, detail)
        self._keep_config(block)
        self.replay.check(block)
        self.height, self.head = expected, head
        self.hashes[expected] = head

    def _keep_config(self, block: Block) -> None:
        """Remember a block's configuration, which stands alone in it."""
        if len(block.data) != 1:
            return
        try:
            envelope = read_envelope(block.data[0])
            if envelope.kind == int(protos.common.CONFIG):
                self._config = block.number, read_config(envelope)
        except Malformed as error:
            self._findings.add("config", block.number, f"the configuration can't be read: {error}")


def _time_of(block: Block) -> int:
    """Return the time of a block's first transaction: blocks have none of their own."""
    for data in block.data:
        try:
            return read_envelope(data).timestamp
        except Malformed:
            continue
    return 0


def _compare_state(world: World, ask: Ask, replay: Replay, findings: Findings) -> None:
    """Compare what the contract answers from the peer's state with what the blocks give."""
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="glassbox-state") as pool:
        for prefix, function in (("PO:", "GetPolicy"), ("SC:", "GetScorecard")):
            items = world.items(prefix)
            # Some at a time, since a pool takes all its work in at once.
            while some := list(islice(items, 16 * _AT_ONCE)):
                names = [key.removeprefix(prefix) for key, _ in some]
                answers = pool.map(partial(_asked, ask, function), names)
                for name, (_, value), answer in zip(names, some, answers, strict=True):
                    if answer != value:
                        what = "lacks" if answer is None else "holds something else under"
                        findings.add("state", None, f"the peer's state {what} {prefix}{name}")
    listed = _listed_openings(ask)
    for name in replay.never_scored:
        if name not in listed and _asked(ask, "GetScorecard", name) is None:
            findings.add("state", None, f"the peer's state does not list an opening: {name}")


def _asked(ask: Ask, function: str, name: str) -> bytes | None:
    try:
        return canonical_bytes(ask(function, name))
    except (LedgerNotFound, LedgerDamaged):
        return None


def _listed_openings(ask: Ask) -> frozenset[str]:
    found: set[str] = set()
    bookmark = ""
    while True:
        page = ask("ListOpen", _PAGE, bookmark)
        found.update(str(item["evaluation_id"]) for item in page["items"])
        bookmark = str(page["bookmark"])
        if not bookmark:
            return frozenset(found)


def _read_checkpoint(checkpoint: Mapping[str, Any], trust: Trust, findings: Findings) -> tuple[int, str] | None:
    """Return (number, hash) of the block that a checkpoint has seen; a damaged one is itself a finding."""
    try:
        raw = checks.fields(dict(checkpoint), CHECKPOINT_FIELDS, "")
        block = Block(
            number=checks.integer(raw["number"], "/number", 0, 2**53 - 1),
            previous_hash=hex_hash(raw["previous_hash"], "/previous_hash") if raw["previous_hash"] else b"",
            data_hash=hex_hash(raw["data_hash"], "/data_hash"),
            data=(),
            value=octets(raw["value"], "/value") if raw["value"] else b"",
            signatures=block_signatures(raw["signatures"], "/signatures"),
            codes=b"",
        )
        if (raw["format"], raw["channel"], raw["hash"]) != (CHECKPOINT_FORMAT, trust.channel, block.hash):
            raise ContractError("INVALID", "format, channel or hash do not hold")
    except ContractError as error:
        findings.add("checkpoint", None, f"the checkpoint itself is damaged: {error.path or '/'}: {error.reason}")
        return None
    return block.number, block.hash


def _compare_checkpoint(seen: tuple[int, str], walk: _Walk, findings: Findings) -> str:
    """Compare the channel with a head that was kept elsewhere; return what that proves if nothing is found."""
    number, head = seen
    if number > walk.height:
        findings.add("cut", walk.height, f"the channel ends here, but the checkpoint has seen block {number}")
    elif walk.hashes.get(number) != head:
        findings.add("rewritten", number, "another block stands here than when the checkpoint was taken")
    return f"consistent; complete at least up to block {number}, where the checkpoint was taken"
