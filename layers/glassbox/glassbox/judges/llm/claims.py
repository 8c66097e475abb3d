"""The claims of an answer: Ragas' statements of it, held against the answer, so that none is invented or left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glassbox.judges.exact_evidence import number_faults, opposed, unheard_numbers
from glassbox.judges.faithfulness import split_answer
from glassbox.judges.words import is_content, keys, stem, tokens, untokenised
from glassbox.text.claims import Claim, extract_claims
from glassbox.text.normalise import normalise
from glassbox.text.numbers import extract_quantities

PART: Final = 6_000
"""Characters of an answer that are broken down in one question."""
OWN: Final = 0.4
"""Share of a statement's words that the answer (or the question) must hold; below it, the answer doesn't say it."""
COVERED: Final = 0.5
"""Share of a sentence's words that the statements made of it must hold; below it, the sentence was left out."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim with how often it was stated and whether the answer says it."""

    claim: Claim
    times: int
    foreign: bool
    """Whether the statement has words, names or numbers that the answer doesn't have."""
    added: bool
    """Whether it is a sentence of the answer itself, which the statements left out."""


def claims_of(query: str, answer: str, statements: Sequence[str]) -> tuple[Stated, ...]:
    """Return the claims to judge: the different statements in order, then the answer's sentences that they left out.

    A statement that the answer doesn't make is marked foreign. A sentence counts as left out where the statements made
    of it hold less than half of its words, not all of its numbers, or the opposite. Each claim bears the place of the
    sentence that it comes from.
    """
    places = _Places(query, answer)
    found: dict[str, Stated] = {}
    for text in statements:
        text = text.strip()
        if not text:
            continue
        key = normalise(text)
        if key in found:
            first = found[key]
            found[key] = Stated(first.claim, first.times + 1, first.foreign, first.added)
            continue
        found[key] = Stated(places.claim(text), 1, places.is_foreign(text), added=False)
    told = [stated.claim.text for stated in found.values() if not stated.foreign]
    for claim, times in split_answer(answer)[0]:
        key = normalise(claim.text)
        if key not in found and left_out(claim.text, query, told):
            found[key] = Stated(claim, times, foreign=False, added=True)
    return tuple(found.values())


def left_out(sentence: str, query: str, statements: Sequence[str]) -> bool:
    """Return whether the statements leave out what a sentence of the answer says, in whole or in part."""
    wanted = set(keys(sentence)) or set(keys(sentence, content=False))
    asked = set(keys(query))
    made: list[str] = []
    held: set[str] = set()
    for statement in statements:
        ours = set(keys(statement)) or set(keys(statement, content=False))
        own = (ours - asked) or ours
        if len(own & wanted) >= 0.5 * len(own):
            made.append(statement)
            held |= ours
    if len(wanted & held) < COVERED * len(wanted):
        return True
    together = " ".join(made)
    return bool(number_faults(sentence, together)) or all(opposed(sentence, statement) for statement in made)


def foreign(query: str, answer: str, statements: Sequence[str]) -> tuple[bool, ...]:
    """Return for each statement whether it says something that the answer doesn't."""
    places = _Places(query, answer)
    return tuple(places.is_foreign(text) for text in statements)


class _Places:
    """Where in an answer a statement comes from, found by its words."""

    def __init__(self, query: str, answer: str) -> None:
        self._parts = extract_claims(answer) or (Claim(answer.strip(), 0, len(answer), "sentence"),)
        self._own = {normalise(part.text) for part in self._parts}
        self._quantities = extract_quantities(untokenised(f"{answer}\n{query}"))
        self._keys = set(keys(answer, content=False)) | set(keys(query, content=False))
        self._forms = {stem(token.form) for token in (*tokens(answer), *tokens(query))}
        self._holders: dict[str, list[int]] = {}
        for number, part in enumerate(self._parts):
            for key in dict.fromkeys(keys(part.text)):
                self._holders.setdefault(key, []).append(number)

    def claim(self, statement: str) -> Claim:
        """Return a statement as a claim at the place of the part of the answer that shares most words with it."""
        shared: dict[int, int] = {}
        for key in dict.fromkeys(keys(statement)):
            for number in self._holders.get(key, ()):
                shared[number] = shared.get(number, 0) + 1
        best = min(shared, key=lambda number: (-shared[number], number), default=0)
        part = self._parts[best]
        return Claim(statement, part.start, part.end, part.kind)

    def is_foreign(self, statement: str) -> bool:
        """Return whether the answer can't have said this: other words, a name or a number of the statement's own."""
        if normalise(statement) in self._own:
            return False
        wanted = set(keys(statement)) or set(keys(statement, content=False))
        if wanted and len(wanted & self._keys) < OWN * len(wanted):
            return True
        names = {stem(t.form) for t in tokens(statement)[1:] if statement[t.start].isupper() and is_content(t.form)}
        if names - self._forms:
            return True
        return bool(unheard_numbers(statement, "", self._quantities))
