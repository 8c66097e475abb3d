"""Verdicts that words and numbers give by themselves: what stands there, what is denied, what is another number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from glassbox.judges.evidence import Stretch
from glassbox.judges.exact_evidence import (
    ALIGNED,
    SAME_SUBJECT,
    NumberFault,
    aligned_number_faults,
    loose_recall,
    near_word_for_word,
    number_faults,
    opposed,
    word_for_word,
    wordless_numbers,
)
from glassbox.judges.verdict import ClaimVerdict, verdict_on
from glassbox.judges.words import keys, tokens
from glassbox.text.claims import Claim

SUPPORTED: Final = 0.55
"""Probability of support from which a conflict no longer counts: a negation where claim and sentence don't share all
words, a number where it stands elsewhere in the passages."""
NEVER: Final = 2.0
_NEGATORS: Final = frozenset({"not", "no", "never", "non", "without", "cannot", "nothing", "none", "n", "t"})


def told(claim: Claim, aligned: tuple[Stretch, ...], measured: bool) -> ClaimVerdict | None:
    """Return `supported` where a stretch tells the claim nearly word for word; None where none does."""
    ways = (word_for_word,) if measured else (word_for_word, near_word_for_word)
    denied = [s for s in aligned if any(opposed(reading, s.text) for reading in _readings(claim))]
    for stretch in aligned:
        # A sentence that says the opposite says it too when its neighbour stands beside it.
        if any(_overlap(stretch, other) for other in denied):
            continue
        if any(same(reading, stretch) for reading in _readings(claim) for same in ways):
            return verdict_on("supported", "The passage says so almost word for word", "exact", stretch)
    return None


def _overlap(a: Stretch, b: Stretch) -> bool:
    return a.passage == b.passage and a.start < b.end and b.start < a.end


def _readings(claim: Claim) -> tuple[str, ...]:
    """Return the texts under which a claim may stand in a passage: a table's row also without the column names."""
    if claim.kind != "table_row":
        return (claim.text,)
    cells = " ".join(part.partition(": ")[2] or part for part in claim.text.split("; "))
    return (claim.text, cells)


def without_model(claim: str, aligned: tuple[Stretch, ...]) -> ClaimVerdict:
    """Decide where no model was measured in the language: a number conflict contradicts, the rest stays open."""
    wanted = [token.form for token in tokens(wordless_numbers(claim))]
    for stretch in aligned:
        if loose_recall(wanted, [token.form for token in tokens(stretch.text)]) >= SAME_SUBJECT:
            faults = aligned_number_faults(claim, stretch.text)
            if any(fault.conflicting for fault in faults):
                reason = "The passage gives another number"
                return verdict_on("contradicted", reason, "number", stretch, numbers=faults)
    best = aligned[0] if aligned else None
    return ClaimVerdict(
        "inconclusive",
        "No model was measured in this language, and the words alone don't decide",
        "language",
        best.passage if best else None,
        best.text if best else None,
    )


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction that words and numbers show, and the probability of support from which it no longer counts."""

    verdict: ClaimVerdict
    outweighed_from: float


def conflict(claim: str, aligned: tuple[Stretch, ...]) -> Conflict | None:
    """Return a contradiction that words and numbers show by themselves, in the sentence closest to the claim."""
    bare = set(keys(wordless_numbers(claim))) - _NEGATORS
    for stretch in aligned:
        held = set(keys(stretch.text))
        shared = len(bare & held) / len(bare) if bare else 0.0
        if shared < ALIGNED:
            continue
        faults = (aligned_number_faults if shared >= SAME_SUBJECT else number_faults)(claim, stretch.text)
        if not faults and opposed(claim, stretch.text):
            found = verdict_on("contradicted", "The passage says the opposite", "negation", stretch)
            return Conflict(found, NEVER if shared == 1.0 else SUPPORTED)
        faults = _nowhere(claim, faults, aligned)
        if any(fault.conflicting for fault in faults):
            found = verdict_on("contradicted", "The passage gives another number", "number", stretch, numbers=faults)
            return Conflict(found, SUPPORTED)
        return None
    return None


def _nowhere(claim: str, faults: tuple[NumberFault, ...], aligned: tuple[Stretch, ...]) -> tuple[NumberFault, ...]:
    """Return the faults whose number stands in none of the sentences that speak of the claim's subject."""
    for stretch in aligned if faults else ():
        left = {fault.number for fault in number_faults(claim, stretch.text)}
        faults = tuple(fault for fault in faults if fault.number in left)
    return faults
