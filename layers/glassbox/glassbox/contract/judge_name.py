"""Who judges, as a policy names it: a judge model or a jury, how often it is asked, how a jury's scores become one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, cast

Consensus = Literal["mean", "median", "trimmed_mean"]
CONSENSUS: Final[tuple[Consensus, ...]] = ("mean", "median", "trimmed_mean")

_NAME: Final = re.compile(r"(.+?)(?:;repeats:([1-9][0-9]{0,2}))?(?:;consensus:(median|trimmed_mean))?")


@dataclass(frozen=True, slots=True)
class JudgeName:
    """A name such as `openai:gpt-4o;repeats:5`: another number of runs or another consensus is another instrument."""

    identity: str
    """`backend:model`, or `jury:<n>:` and a digest of its members."""
    repeats: int = 1
    consensus: Consensus = "mean"

    def __str__(self) -> str:
        parts = [self.identity]
        if self.repeats > 1:
            parts.append(f"repeats:{self.repeats}")
        if self.consensus != "mean":
            parts.append(f"consensus:{self.consensus}")
        return ";".join(parts)

    @classmethod
    def parse(cls, text: str) -> JudgeName:
        """Return the parts of a name; every text is one."""
        found = _NAME.fullmatch(text)
        if found is None:
            return cls(text)
        return cls(found[1], int(found[2] or 1), cast("Consensus", found[3] or "mean"))
