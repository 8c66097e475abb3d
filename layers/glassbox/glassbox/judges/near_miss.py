"""Sentences that say almost what a claim says, but something else in the place that matters.

The claim checker is weakest just there: a name put in another's place, two names exchanged, the ends of two clauses
joined. So where a sentence is that close and not the same, the checker's word alone makes no claim supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import LCSseq

from glassbox.judges.evidence import Stretch
from glassbox.judges.exact_evidence import in_the_claims_numbers
from glassbox.judges.words import is_content, stem, tokens
from glassbox.text.sentences import split_sentences

CLOSE: Final = 0.6
"""Share of a claim's words that a sentence must hold in the claim's order to be compared word by word."""
FEW: Final = 3
"""Longest run of words that counts as put in the place of another."""
_QUANTIFIERS: Final = frozenset(
    {"all", "every", "most", "many", "few", "some", "several", "half", "both", "none", "no", "each", "any"}
)
_MODALS: Final = frozenset({"may", "might", "can", "could", "must", "shall", "should", "will", "would", "cannot"})
_JOINERS: Final = frozenset({"and", "or", "but", "while", "whereas"})
_TAKES_BACK: Final = frozenset(
    {"not", "never", "only", "no", "non", "neither", "nor", "without", "except", "unless", "until"}
)


@dataclass(frozen=True, slots=True)
class _Word:
    form: str
    name: bool
    """Whether it is written like a name or a number."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Words of the claim and the words of the sentence in their place; either side may be empty."""

    ours: tuple[_Word, ...]
    theirs: tuple[_Word, ...]
    inside: bool
    """Whether common words stand on both sides of it."""
    before: str = ""
    """The common word just before it."""


def near_miss(claim: str, aligned: Sequence[Stretch]) -> Stretch | None:
    """Return the sentence, closest to the claim in its words, that differs from it where it matters; else None."""
    ours = _words(claim)
    best: tuple[int, int] | None = None
    closest: tuple[Stretch, list[_Word]] | None = None
    for stretch in aligned:
        for span in split_sentences(stretch.text):
            theirs = _words(in_the_claims_numbers(claim, stretch.text[span.start : span.end]))
            common = LCSseq.similarity([w.form for w in ours], [w.form for w in theirs])
            rank = (common, -len(theirs))
            if common >= CLOSE * len(ours) and (best is None or rank > best):
                best, closest = rank, (stretch, theirs)
    if closest is None or not _differs(ours, closest[1]):
        return None
    return closest[0]


def _words(text: str) -> list[_Word]:
    found = tokens(text)
    return [
        _Word(stem(t.form), text[t.start].isdigit() or (i > 0 and text[t.start].isupper())) for i, t in enumerate(found)
    ]


def _differs(ours: list[_Word], theirs: list[_Word]) -> bool:
    changes = _changes(ours, theirs)
    if any(_splices(change) for change in changes) or _exchanges(ours, theirs):
        return True
    return any(_replaces(change) for change in changes)


def _changes(ours: list[_Word], theirs: list[_Word]) -> list[_Change]:
    """Return where the two differ, in order, with neighbouring removals and additions taken together."""
    changes: list[_Change] = []
    left: list[_Word] = []
    right: list[_Word] = []
    before = ""
    for tag, a, b, c, d in LCSseq.opcodes([w.form for w in ours], [w.form for w in theirs]):
        if tag == "equal":
            if left or right:
                changes.append(_Change(tuple(left), tuple(right), bool(before), before))
            left, right, before = [], [], ours[int(b) - 1].form
        else:
            left += ours[int(a) : int(b)]
            right += theirs[int(c) : int(d)]
    if left or right:
        changes.append(_Change(tuple(left), tuple(right), inside=False))
    return changes


def _replaces(change: _Change) -> bool:
    """Whether a word that matters stands in another's place."""
    ours, theirs = _content(change.ours), _content(change.theirs)
    for kind in (_QUANTIFIERS, _MODALS, _TAKES_BACK):
        if {w.form for w in change.ours} & kind != {w.form for w in change.theirs} & kind:
            return True
    if not ours or not theirs:
        return False
    if any(word.name for word in ours):
        return True
    return len(ours) <= FEW and len(change.theirs) <= len(change.ours) + 1


def _splices(change: _Change) -> bool:
    """Whether the claim leaves out the middle of two clauses: "built in [1932 and repainted in] 1960".

    What is left out then ends with the very word that stands before it, or joins two clauses and goes on.
    """
    if change.ours or not change.inside:
        return False
    forms = [word.form for word in change.theirs]
    if forms[-1] == change.before:
        return True
    joined = [at for at, form in enumerate(forms) if form in _JOINERS]
    return bool(joined) and joined[-1] != len(forms) - 1


def _exchanges(ours: list[_Word], theirs: list[_Word]) -> bool:
    """Whether the sentence holds the claim's words with two of them in exchanged places."""
    wanted, held = [w.form for w in _content(ours)], [w.form for w in _content(theirs)]
    if len(wanted) < 2 or set(wanted) - set(held) or _passive(ours) != _passive(theirs):
        return False
    places = [held.index(form) for form in dict.fromkeys(wanted)]
    return places != sorted(places)


def _passive(words: Sequence[_Word]) -> bool:
    return any(word.form == "by" for word in words)


def _content(words: Sequence[_Word]) -> list[_Word]:
    return [word for word in words if is_content(word.form)]
