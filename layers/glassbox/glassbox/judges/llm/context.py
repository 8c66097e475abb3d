"""What of long texts a judge model gets to read: everything where it fits, else the parts nearest to what is judged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.words import keys
from glassbox.text.sentences import split_sentences

MOST_CHARACTERS: Final = 48_000
"""Characters of passages in one question about claims."""
PART: Final = 6_000
"""Characters of a part of a long text; parts end where a sentence ends."""
_WINDOWS: Final = 6
_GAP: Final = "\n[…]\n"


@dataclass(frozen=True, slots=True)
class Part:
    """`passages[passage][start:end]`, which is shown under the passage's number."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as it is shown, and how many characters it has."""

    text: str
    characters: int

    @property
    def cut(self) -> bool:
        """Whether something was left out."""
        return len(self.text) < self.characters


def parts_of(text: str, most: int = PART) -> tuple[tuple[int, int], ...]:
    """Return the spans of a text's parts, which cover it in order; a part is longer than `most` never."""
    if len(text) <= most:
        return ((0, len(text)),)
    cuts, start = [0], 0
    ends = [span.end for span in split_sentences(text)]
    for number, end in enumerate(ends):
        following = ends[number + 1] if number + 1 < len(ends) else len(text)
        if following - start > most and end > start:
            cuts.append(end)
            start = end
    cuts.append(len(text))
    spans = [(a, b) for a, b in itertools.pairwise(cuts) if b > a]
    # A sentence that is longer than a part is cut where it must be.
    return tuple((at, min(at + most, b)) for a, b in spans for at in range(a, b, most))


class Reading:
    """The passages of one evaluation in parts, chosen for each batch of claims."""

    def __init__(self, evidence: PassageEvidence, most: int = MOST_CHARACTERS) -> None:
        self._evidence = evidence
        self._most = most
        self._parts = [
            Part(index, start, end)
            for index in evidence.unique
            for start, end in parts_of(evidence.passages[index])
            if evidence.passages[index][start:end].strip()
        ]
        self.parts = len(self._parts)

    def whole(self) -> bool:
        """Whether all passages fit into one question."""
        return sum(part.end - part.start for part in self._parts) <= self._most

    def parts_for(self, claims: Sequence[str]) -> tuple[Part, ...]:
        """Return all parts, or those that hold the windows nearest to the claims by their words, in passage order."""
        if self.whole():
            return tuple(self._parts)
        ranked: dict[Part, tuple[int, int]] = {}
        for number, claim in enumerate(claims):
            for rank, window in enumerate(self._evidence.windows(claim, _WINDOWS)):
                for part in self._parts:
                    if part.passage == window.passage and part.start < window.end and part.end > window.start:
                        ranked[part] = min(ranked.get(part, (rank, number)), (rank, number))
        chosen: list[Part] = []
        room = self._most
        for part in sorted(ranked, key=lambda p: (ranked[p], p.passage, p.start)):
            if part.end - part.start <= room:
                chosen.append(part)
                room -= part.end - part.start
        return tuple(sorted(chosen, key=lambda p: (p.passage, p.start)))


def shortened(text: str, wanted: str, most: int) -> Shown:
    """Return a text as it stands where it fits, else its parts that share most words with `wanted`, in their order."""
    if len(text) <= most:
        return Shown(text, len(text))
    goal = set(keys(wanted))
    size = max(1, min(PART, most) // 4)
    spans = parts_of(text, size)
    near = [len(goal.intersection(keys(text[a:b], content=False))) for a, b in spans]
    room, chosen = most, []
    for number in sorted(range(len(spans)), key=lambda i: (-near[i], i)):
        length = spans[number][1] - spans[number][0] + len(_GAP)
        if length <= room:
            chosen.append(number)
            room -= length
    return Shown(_GAP.join(text[a:b] for a, b in (spans[i] for i in sorted(chosen))), len(text))
