"""Faults that a test asks for: who is away, what is lost, what is slow, and where the process dies."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Final

STAGES: Final = ("Evaluate", "Endorse", "Submit", "CommitStatus")
DEATHS: Final = ("before_block", "torn_block", "after_block")
"""Where the process can be made to die: a block is cut but not written, half written, or written and not told of."""


class BadFaults(Exception):
    """Faults that are none; the text says what is wrong."""


@dataclass(slots=True)
class Faults:
    """What is out of order now. The default is that nothing is."""

    orderer_away: bool = False
    peers_away: list[str] = field(default_factory=list)
    """MSP ids of peers that do not answer: their servers are stopped, and the other peers don't reach them."""
    chaincode_away: list[str] = field(default_factory=list)
    """MSP ids of peers that don't reach their chaincode process."""
    mismatches: dict[str, int] = field(default_factory=dict)
    """By MSP id, how many of a peer's next endorsements differ from everybody else's."""
    lost_replies: dict[str, int] = field(default_factory=dict)
    """By stage, how many of the next calls are carried out, and their connection then reset."""
    hung_replies: dict[str, int] = field(default_factory=dict)
    """By stage, how many of the next calls are carried out, and never answered."""
    lost_requests: dict[str, int] = field(default_factory=dict)
    """By stage, how many of the next calls are not carried out, and their connection reset."""
    commit_delay_ms: int = 0
    """How much later each block comes."""
    hold_blocks: bool = False
    """Whether transactions are taken, but no block is cut."""
    die: str = ""
    """One of DEATHS: where the process dies, at the next block."""

    def lose_reply(self, stage: str) -> bool:
        """Return whether this call's reply is lost, and count it."""
        return _take(self.lost_replies, stage)

    def hang_reply(self, stage: str) -> bool:
        """Return whether this call's reply never comes, and count it."""
        return _take(self.hung_replies, stage)

    def lose_request(self, stage: str) -> bool:
        """Return whether this call is lost before anything is done, and count it."""
        return _take(self.lost_requests, stage)

    def differ(self, msp_id: str) -> bool:
        """Return whether this endorsement differs, and count it."""
        return _take(self.mismatches, msp_id)

    def die_here(self, point: str) -> None:
        """End the process at once, without a word to anybody, where that was asked for."""
        if self.die == point:
            os._exit(9)


def read_faults(value: Any, msp_ids: tuple[str, ...]) -> Faults:
    """Return the faults in a JSON object; what it does not name is in order. Raises BadFaults."""
    default = Faults()
    if not isinstance(value, dict):
        raise BadFaults("must be a JSON object")
    for name, one in value.items():
        if name not in default.__slots__:
            raise BadFaults(f"unknown: {name}; known are {', '.join(default.__slots__)}")
        if type(one) is not type(getattr(default, name)):
            raise BadFaults(f"{name}: must be a JSON {type(getattr(default, name)).__name__}")
    found = Faults(**value)
    named = [*found.peers_away, *found.chaincode_away, *found.mismatches]
    if unknown := sorted(str(one) for one in named if one not in msp_ids):
        raise BadFaults(f"no such peer: {', '.join(unknown)}; there are {', '.join(msp_ids)}")
    staged = [*found.lost_replies, *found.hung_replies, *found.lost_requests]
    if unknown := sorted(str(one) for one in staged if one not in STAGES):
        raise BadFaults(f"no such stage: {', '.join(unknown)}; there are {', '.join(STAGES)}")
    if found.die and found.die not in DEATHS:
        raise BadFaults(f"die: must be one of {', '.join(DEATHS)}")
    counts = [found.mismatches, found.lost_replies, found.hung_replies, found.lost_requests]
    if not all(type(count) is int and count > 0 for one in counts for count in one.values()):
        raise BadFaults("a count must be a whole number above 0")
    return found


def _take(counts: dict[str, int], name: str) -> bool:
    left = counts.get(name, 0)
    if left:
        counts[name] = left - 1
    return left > 0
