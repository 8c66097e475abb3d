"""Checks of one block in itself: its data under its header, and its header under the orderers' signatures."""

from __future__ import annotations

from collections.abc import Iterator

from glassbox.ledger.fabric.blocks import Block, data_hash
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.trust import Trust


def data_faults(block: Block) -> Iterator[tuple[str, str]]:
    """Yield (code, detail) where the transactions are not those of the header."""
    if data_hash(block.data) != block.data_hash:
        yield "data", "the transactions do not have the hash in the header"


def signature_faults(block: Block, trust: Trust, at: int) -> Iterator[tuple[str, str]]:
    """Yield (code, detail) for what is wrong with the orderers' signatures, judged at a time in milliseconds."""
    good: set[str] = set()
    seen: set[bytes] = set()
    for number, one in enumerate(block.signatures):
        try:
            creator = one.creator
            identity, fault = trust.orderer_fault(creator, at)
            signed = block.signed_by(one)
        except Malformed as error:
            yield "orderer", f"signature {number}: {error}"
            continue
        if creator in seen:
            fault = "it signed twice"
        seen.add(creator)
        fault = fault or identity.fault(one.signature, signed)
        if fault:
            yield "orderer", f"signature {number} by {identity.name}: {fault}"
        else:
            good.add(identity.msp_id)
    if not trust.validated(good):
        yield (
            "orderer",
            f"the block-validation policy ({trust.block_validation} of {len(trust.orderers)} organisations) is not met",
        )
