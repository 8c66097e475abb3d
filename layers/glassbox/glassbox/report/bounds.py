"""How much of an evaluation one page shows, and the list of everything that it had to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from glassbox.report.read import of_n

Item = TypeVar("Item")

ANSWER: Final = 30_000
QUERY: Final = 3_000
PASSAGE: Final = 3_000
PASSAGES_TOTAL: Final = 200_000
QUOTE: Final = 1_000
CONTEXT: Final = 240
FIELD: Final = 400
CLAIMS: Final = 300
NAMES: Final = 200
RELATIONS: Final = 150
ALIGNMENTS: Final = 80
WINDOWS: Final = 10
SPANS: Final = 100
FINDINGS: Final = 60
FLAGS: Final = 100
FACTS: Final = 24
EVIDENCE: Final = 40
JUDGES: Final = 20
MEASUREMENTS: Final = 60
IDENTITIES: Final = 60
CALLS: Final = 100


@dataclass(slots=True)
class Shortened:
    """Collects what a page leaves out, so that nothing is cut off silently."""

    notes: list[str] = field(default_factory=list)

    def text(self, value: str, limit: int, what: str) -> str:
        """Return the first `limit` characters of a text and note what is missing."""
        if len(value) <= limit:
            return value
        self.notes.append(f"{what}: the first {limit:,} of {of_n(len(value), 'character')}")
        return value[:limit]

    def items(self, values: Sequence[Item], limit: int, what: str) -> list[Item]:
        """Return the first `limit` items and note how many are missing."""
        if len(values) > limit:
            self.notes.append(f"{what}: {limit:,} of {len(values):,}")
        return list(values[:limit])
