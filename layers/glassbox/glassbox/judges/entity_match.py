"""Whether a name, number or date stands in a text, under all the spellings that mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import regex

from glassbox.text.normalise import abbreviations, entity_key, normalise
from glassbox.text.numbers import Quantity, extract_quantities, same_quantity

_SPACED_RE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_MONTHS: Final = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug"
    " sep sept oct nov dec"
)
_QUANTITY_WORDS: Final = frozenset(
    f"{_MONTHS} percent per cent dollar dollars euro euros pound pounds million billion thousand hundred trillion of"
    " the about around approximately nearly over under more less than at least most early late mid year years month"
    " months"
    " day days hour hours minute minutes week weeks st nd rd th am pm ad bc ce usd eur gbp m bn k".split()
)


_TITLES: Final = _words(
    "mr mrs ms miss dr prof professor sir lord lady dame president chancellor minister senator governor mayor",
    "king queen prince princess saint st captain general judge justice",
)
_COMPANY_ENDINGS: Final = _words(
    "inc incorporated corp corporation co company ltd limited llc plc gmbh ag sa spa bv nv oy ab",
)
_CORE_LEAST: Final = 3


def short_forms(texts: Iterable[str]) -> dict[str, str]:
    """Return the pairs of short and long form that any of the texts introduces, each as the key of the other."""
    pairs: dict[str, str] = {}
    for text in texts:
        for short, long in abbreviations(text).items():
            pairs.setdefault(short, long)
    return pairs


@dataclass(frozen=True, slots=True)
class Found:
    """Where a name stands and by which rule it was found."""

    source: int
    match: str
    """`literal`, `abbreviation`, `core` (without titles and company forms) or `quantity`."""


class Haystack:
    """Texts prepared once for many questions of the kind "does this name stand in one of them?"."""

    def __init__(self, texts: Iterable[str], pairs: Mapping[str, str]) -> None:
        self._texts = tuple(texts)
        self._keys = tuple(f" {entity_key(text)} " for text in self._texts)
        self._plain = tuple(normalise(text) for text in self._texts)
        self._pairs = pairs
        self._quantities: dict[int, tuple[Quantity, ...]] = {}

    def find(self, name: str) -> Found | None:
        """Return where the name stands literally, as its short or long form, or as an equal number or date."""
        key = entity_key(name)
        if not key:
            return self._find_plain(name)
        found = self._find_key(key, "literal")
        if found is None and key in self._pairs:
            found = self._find_key(self._pairs[key], "abbreviation")
        core = core_of(key)
        if found is None and core != key:
            found = self._find_key(core, "core")
        return found or self._find_quantity(name)

    def _find_key(self, key: str, match: str) -> Found | None:
        # Scripts without spaces have no word boundaries to stop at.
        wanted = key if _SPACED_RE.search(key) else f" {key} "
        return next((Found(i, match) for i, held in enumerate(self._keys) if wanted in held), None)

    def _find_plain(self, name: str) -> Found | None:
        wanted = normalise(name)
        return next((Found(i, "literal") for i, held in enumerate(self._plain) if wanted and wanted in held), None)

    def _find_quantity(self, name: str) -> Found | None:
        if not is_quantity(name):
            return None
        wanted = extract_quantities(name)
        for index in range(len(self._texts)):
            held = self._quantities_in(index)
            if all(any(same_quantity(quantity, other) for other in held) for quantity in wanted):
                return Found(index, "quantity")
        return None

    def _quantities_in(self, index: int) -> tuple[Quantity, ...]:
        if index not in self._quantities:
            self._quantities[index] = extract_quantities(self._texts[index])
        return self._quantities[index]


def core_of(key: str) -> str:
    """Return an entity key without leading titles and trailing company forms, or unchanged where too little is left."""
    words = key.split()
    while len(words) > 1 and words[0] in _TITLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _COMPANY_ENDINGS:
        words = words[:-1]
    core = " ".join(words)
    return core if len(core) >= _CORE_LEAST else key


def is_quantity(name: str) -> bool:
    """Return whether a name is a number, an amount or a date and nothing else."""
    if not extract_quantities(name):
        return False
    return all(word in _QUANTITY_WORDS or any(c.isdigit() for c in word) for word in entity_key(name).split())
