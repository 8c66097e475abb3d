"""The words of a text as parts of an order to a judge: each word's mask, with its place and sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import regex

from glassbox.text._injection_words import CONCEPTS, ENGLISH
from glassbox.text._injection_words_more import JOINED, MORE

_LONGEST: Final = 24
_TOKEN_RE: Final = regex.compile(
    r"(?P<word>[\p{L}][\p{L}\p{M}]{0,60}+)|(?P<figure>\d{1,3}(?:\s?/\s?\d{1,3}|\.\d{1,2})?)(?![\d%])|(?P<stop>[.!?;。！？；\n।؟]+)"
)
_JOINED_RE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_PREFIXED_RE: Final = regex.compile(r"[\p{Arabic}\p{Hebrew}]")
_CHUNK: Final = 3  # letters of a language without spaces that count as one word
_TOP_FIGURES: Final = frozenset({"10/10", "5/5", "100/100", "1.0", "1.00", "1/1", "20/20"})


class Part(NamedTuple):
    """A word that plays a part: its mask, its number among the words, its sentence and its span in the text."""

    mask: int
    word: int
    sentence: int
    start: int
    end: int


def bit(name: str) -> int:
    """Return the bit of one part."""
    return 1 << CONCEPTS.index(name)


def fold(word: str) -> str:
    """Return the word in lower case without accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(char for char in decomposed if not "\u0300" <= char <= "\u036f").replace("ł", "l").replace("ı", "i")


def _entries() -> Iterator[tuple[str, str]]:
    for part, words in ENGLISH.items():
        for word in words.split():
            yield part, word
    for family in MORE:
        for entry in family.split("|"):
            part, _, words = entry.partition(":")
            for word in words.split():
                yield part, word


def _tables() -> tuple[dict[str, int], dict[str, int]]:
    whole: dict[str, int] = {}
    stems: dict[str, int] = {}
    for part, word in _entries():
        table, key = (stems, word[:-1]) if word.endswith("*") else (whole, word)
        key = fold(key)
        table[key] = table.get(key, 0) | bit(part)
    return whole, stems


_WHOLE, _STEMS = _tables()
_JOINED_TERMS: Final[dict[str, int]] = {}
for _part, _words in JOINED.items():
    for _word in _words.split():
        _JOINED_TERMS[_word] = _JOINED_TERMS.get(_word, 0) | bit(_part)
_TERMS_RE: Final = regex.compile(
    "|".join(regex.escape(term) for term in sorted(_JOINED_TERMS, key=lambda term: (-len(term), term)))
)


def _mask(word: str) -> int:
    folded = fold(word)
    mask = _known(folded)
    if not mask and _PREFIXED_RE.match(word):
        # An article, a preposition or an "and" is written as part of the next word.
        for cut in (1, 2, 3):
            if len(folded) - cut >= 2 and (mask := _known(folded[cut:])):
                break
    return mask


def _known(folded: str) -> int:
    mask = _WHOLE.get(folded, 0)
    for length in range(3, min(len(folded), _LONGEST) + 1):
        mask |= _STEMS.get(folded[:length], 0)
    return mask


def parts(text: str) -> Iterable[Part]:
    """Yield the words of the text that play a part, in order; a "10/10" is the top score."""
    cache: dict[str, int] = {}
    count = sentence = 0
    for match in _TOKEN_RE.finditer(text):
        kind, seen = match.lastgroup, match.group()
        if kind == "stop":
            # A line that breaks inside a sentence is no end of it.
            if seen != "\n":
                sentence += 1
            continue
        if kind == "figure":
            count += 1
            if seen.replace(" ", "") in _TOP_FIGURES:
                yield Part(bit("top") | bit("full"), count, sentence, *match.span())
            continue
        if _JOINED_RE.search(seen):
            for term in _TERMS_RE.finditer(seen):
                start = match.start() + term.start()
                place = count + 1 + term.start() // _CHUNK
                yield Part(_JOINED_TERMS[term.group()], place, sentence, start, match.start() + term.end())
            count += 1 + len(seen) // _CHUNK
            continue
        count += 1
        mask = cache.get(seen)
        if mask is None:
            mask = cache[seen] = _mask(seen)
        if mask:
            yield Part(mask, count, sentence, *match.span())
