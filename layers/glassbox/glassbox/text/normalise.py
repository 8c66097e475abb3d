"""Texts and names brought to a form in which equal things are written equally."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from glassbox.text._words import words

_SPACE_RE: Final = regex.compile(r"\s+")
_ARTICLE_RE: Final = regex.compile(
    r"^(?:the|an?|der|die|das|den|dem|des|ein|eine|einen|le|la|les|une|el|los|las|una|il|lo|gli|uno|o|os|as|um|uma"
    r"|het|een)"
    r"\s+(?=\S)|^(?:l|d)['’](?=\p{L})"
)
_ENGLISH_ARTICLE_RE: Final = regex.compile(r"\b(?:the|an?)\s+(?=\S)")
_POSSESSIVE_RE: Final = regex.compile(r"(?<=\p{L})['’`´ʼ]s\b|(?<=\p{L}s)['’`´ʼ](?=\s|$)")
_DOTTED_RE: Final = regex.compile(r"(?<!\p{L})(?:\p{L}\.){2,}")
_PUNCTUATION_RE: Final = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_PAIR_RE: Final = regex.compile(r"\(([^()\n]{2,120})\)")
_SHORT_RE: Final = regex.compile(r"(?=[^\n]*\p{Lu})[\p{L}\p{N}](?:[\p{L}\p{N}.&/-]{0,11})[\p{L}\p{N}.]")
_BEFORE_SHORT_RE: Final = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}.&/-]{1,12}\s*$")
_TOKEN_RE: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?")
_SMALL_WORDS: Final = frozenset(
    words(
        "of the and for in on at to a an de la le les du des der die das und für von et y e del",
    )
)
_LOOK_BACK: Final = 160
_MAX_NAME_WORDS: Final = 12


def normalise(text: str) -> str:
    """Return the text in NFKC, case-folded, with every run of white space as one space and none at the ends."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SPACE_RE.sub(" ", folded).strip()


def strip_articles(text: str) -> str:
    """Return the normalised text without the English articles; in other languages only a leading article is removed."""
    return _ARTICLE_RE.sub("", _ENGLISH_ARTICLE_RE.sub("", normalise(text)))


def entity_key(text: str) -> str:
    """Return the form under which two spellings of one name are equal.

    NFKC, case, a leading article, possessive endings, the dots of "U.S." and all other punctuation are levelled;
    diacritics are kept ("Malmö" and "Malmo" may be two places). A text of punctuation alone gives "".
    """
    name = _ARTICLE_RE.sub("", normalise(text))
    name = _POSSESSIVE_RE.sub("", name)
    name = _DOTTED_RE.sub(lambda match: match.group().replace(".", ""), name)
    return _PUNCTUATION_RE.sub(" ", name).strip()


def abbreviations(text: str) -> dict[str, str]:
    """Return the short and long forms that the text itself introduces, each as the entity key of the other.

    Found are "International Business Machines (IBM)" and "IBM (International Business Machines)". The letters of the
    short form must occur in order in the long form, its first at the start of a word. Keys and values are entity keys;
    the first pair of a short form wins. Same order for the same text.
    """
    pairs: dict[str, str] = {}
    for match in _PAIR_RE.finditer(text):
        inside = match.group(1).strip()
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()].rsplit("\n", 1)[-1]
        found = _short_inside(inside, before) or _short_before(inside, before)
        if found is None:
            continue
        short, long = entity_key(found[0]), entity_key(found[1])
        if short and long and short != long:
            pairs.setdefault(short, long)
            pairs.setdefault(long, short)
    return pairs


def _short_inside(inside: str, before: str) -> tuple[str, str] | None:
    """Return (short, long) for "Long Form (LF)": the fewest words before the bracket that spell the short form."""
    if not _SHORT_RE.fullmatch(inside):
        return None
    letters = [char for char in normalise(inside) if char.isalnum()]
    words = list(_TOKEN_RE.finditer(before))[-_MAX_NAME_WORDS:]
    for first in reversed(words):
        candidate = before[first.start() :].strip()
        if first.group().casefold() in _SMALL_WORDS:
            continue
        if len(letters) > 1 and _spells(letters, candidate):
            return inside, candidate
    return None


def _short_before(inside: str, before: str) -> tuple[str, str] | None:
    """Return (short, long) for "LF (Long Form)"."""
    match = _BEFORE_SHORT_RE.search(before)
    if match is None:
        return None
    short = match.group().strip()
    letters = [char for char in normalise(short) if char.isalnum()]
    upper = sum(char.isupper() for char in short)
    if upper < 2 or len(_TOKEN_RE.findall(inside)) < 2 or not _spells(letters, inside):
        return None
    return short, inside


def _spells(letters: list[str], long: str) -> bool:
    """Return whether the letters are spelled by the long form: its first word's first letter, then in order.

    Each letter must begin a word or stand inside the word where the letter before it was found, and every word but the
    small ones ("of", "the") must give a letter, so that a long run of words can't spell anything by chance.
    """
    words = [word.group() for word in _TOKEN_RE.finditer(normalise(long))]
    if not words or len(words) > _MAX_NAME_WORDS or words[0][0] != letters[0]:
        return False
    position = 0
    for index, word in enumerate(words):
        if position < len(letters) and word[0] == letters[position]:
            position += 1
            tail = sum(1 for later in words[index + 1 :] if later not in _SMALL_WORDS)
            at = 1
            # Letters inside a word ("TV" of "television") are taken only while enough stay for the words that follow.
            while len(letters) - position > tail and (at := word.find(letters[position], at) + 1):
                position += 1
        elif word not in _SMALL_WORDS:
            return False
    return position == len(letters)
