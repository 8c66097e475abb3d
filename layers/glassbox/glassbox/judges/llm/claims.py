"""The claims of an answer: Ragas' statements of it, held against the answer, so that none is invented or left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from glassbox.judges.exact_evidence import canonical, opposed, unheard_numbers
from glassbox.judges.faithfulness import split_answer
from glassbox.judges.words import is_content, keys, stem, tokens, untokenised
from glassbox.text.claims import Claim, extract_claims
from glassbox.text.normalise import normalise
from glassbox.text.numbers import Quantity, extract_quantities

PART: Final = 6_000
"""Characters of an answer that are broken down in one question."""
OWN: Final = 0.4
"""Share of a statement's words that the answer (or the question) must hold; below it, the answer doesn't say it."""
COVERED: Final = 0.5
"""Share of a sentence's words that the statements made of it must hold; below it, the sentence was left out."""
_COMMON: Final = 200
"""Texts that hold a word from which on the word tells none of them apart."""


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
    found: dict[str, Stated] = {}
    places = _Places(query, answer)
    for text in statements:
        key = normalise(text)
        if key in found:
            found[key] = replace(found[key], times=found[key].times + 1)
        elif text.strip():
            found[key] = Stated(places.claim(text.strip()), 1, places.is_foreign(text), added=False)
    told = [stated.claim.text for stated in found.values() if not stated.foreign]
    added = [Stated(claim, times, foreign=False, added=True) for claim, times in left_out(query, answer, told)]
    return (*found.values(), *added)


def left_out(query: str, answer: str, statements: Sequence[str]) -> list[tuple[Claim, int]]:
    """Return the answer's sentences that the statements leave out, each with how often the answer has it."""
    made = _Statements(query, statements)
    return [(claim, times) for claim, times in split_answer(answer)[0] if made.leave_out(claim.text)]


def foreign(query: str, answer: str, statements: Sequence[str]) -> tuple[bool, ...]:
    """Return for each statement whether it says something that the answer doesn't."""
    places = _Places(query, answer)
    return tuple(places.is_foreign(text) for text in statements)


class _Numbers:
    """The numbers of a text, to look others up in."""

    def __init__(self, held: Iterable[Quantity]) -> None:
        self._held = tuple(held)
        self._known = {canonical(quantity) for quantity in self._held}

    def lack(self, text: str) -> bool:
        """Return whether a text has a number that is not among them, in whatever form."""
        if all(fault.number in self._known for fault in unheard_numbers(text, "", ())):
            return False
        return bool(unheard_numbers(text, "", self._held))


class _Holders:
    """Which texts hold a word; words that many texts hold tell none of them apart and are looked up last."""

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        self._holders: dict[str, list[int]] = {}
        for number, held in enumerate(texts):
            for key in dict.fromkeys(held):
                self._holders.setdefault(key, []).append(number)
        self._common = {key: frozenset(held) for key, held in self._holders.items() if len(held) > _COMMON}

    def shared(self, wanted: Iterable[str]) -> dict[int, int]:
        """Return how many of the wanted words each text holds, of the texts that hold one of the rarer ones."""
        known = sorted((key for key in dict.fromkeys(wanted) if key in self._holders), key=self._spread)
        near = {number: 0 for key in known if key not in self._common for number in self._holders[key]}
        if known and not near:
            near = dict.fromkeys(self._holders[known[0]][:_COMMON], 0)
        for key in known:
            for number in near.keys() & self._common[key] if key in self._common else self._holders[key]:
                near[number] += 1
        return near

    def _spread(self, key: str) -> int:
        return len(self._holders[key])


class _Statements:
    """Statements that were made of an answer, prepared for the question whether they say a sentence."""

    def __init__(self, query: str, statements: Sequence[str]) -> None:
        asked = set(keys(query))
        self._texts = tuple(statements)
        self._keys = [_keys(text) for text in statements]
        self._own = [(held - asked) or held for held in self._keys]
        self._known = {normalise(text) for text in statements}
        self._holders = _Holders(sorted(held) for held in self._own)
        self._quantities: dict[int, tuple[Quantity, ...]] = {}

    def leave_out(self, sentence: str) -> bool:
        """Return whether they leave out what a sentence says, in whole or in part."""
        if normalise(sentence) in self._known:
            return False
        wanted = _keys(sentence)
        near = self._holders.shared(sorted(wanted))
        made = [n for n in sorted(near) if len(self._own[n] & wanted) >= 0.5 * len(self._own[n])]
        held: set[str] = set().union(*(self._keys[n] for n in made))
        if len(wanted & held) < COVERED * len(wanted):
            return True
        if _Numbers(q for n in made for q in self._numbers(n)).lack(sentence):
            return True
        return bool(made) and all(opposed(sentence, self._texts[n]) for n in made)

    def _numbers(self, number: int) -> tuple[Quantity, ...]:
        if number not in self._quantities:
            self._quantities[number] = extract_quantities(untokenised(self._texts[number]))
        return self._quantities[number]


class _Places:
    """Where in an answer a statement comes from, found by its words."""

    def __init__(self, query: str, answer: str) -> None:
        self._query, self._answer = query, answer
        self._parts = extract_claims(answer) or (Claim(answer.strip(), 0, len(answer), "sentence"),)
        self._own = {normalise(part.text) for part in self._parts}
        self._holders = _Holders(keys(part.text) for part in self._parts)
        self._keys = set(keys(answer, content=False)) | set(keys(query, content=False))
        self._forms = {stem(token.form) for token in (*tokens(answer), *tokens(query))}

    @cached_property
    def _numbers(self) -> _Numbers:
        return _Numbers(extract_quantities(untokenised(f"{self._answer}\n{self._query}")))

    def claim(self, statement: str) -> Claim:
        """Return a statement as a claim at the place of the part of the answer that shares most words with it."""
        shared = self._holders.shared(keys(statement))
        part = self._parts[min(shared, key=lambda number: (-shared[number], number), default=0)]
        return Claim(statement, part.start, part.end, part.kind)

    def is_foreign(self, statement: str) -> bool:
        """Return whether the answer can't have said this: other words, a name or a number of the statement's own."""
        if normalise(statement) in self._own:
            return False
        wanted = _keys(statement)
        if len(wanted & self._keys) < OWN * len(wanted):
            return True
        names = {stem(t.form) for t in tokens(statement)[1:] if statement[t.start].isupper() and is_content(t.form)}
        if names - self._forms:
            return True
        return self._numbers.lack(statement)


def _keys(text: str) -> set[str]:
    return set(keys(text)) or set(keys(text, content=False))
