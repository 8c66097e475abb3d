"""Words of a text as lexical evidence: tokens of every script, content words, and how many another text holds."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

# Letters of scripts without spaces stand alone; numbers keep their separators, so that 1,234.50 is one token.
_TOKEN_RE: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*|\d+(?:[.,:/-]\d+)*|[\p{L}\p{M}\p{N}]+"
)
_UNSPACED_RE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_ENGLISH_FUNCTION_WORDS: Final = _words(
    "a an the this that these those it its he she they them his her their we our you your i me my of in on at to for",
    "from by with as into onto about over under between through during before after up down out off and or but nor so",
    "yet if then than because while although though since until unless when where which who whom whose what how why",
    "there here is are was were be been being am do does did done doing have has had having will would shall should",
    "can could may might must ought s t also just very too such both each some any all more most other own same only",
    "again further upon within without among according",
)
_ENDINGS: Final = ("ations", "ation", "ities", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "s", "e")
_STEM_MIN: Final = 3
_SPACED_RE: Final = regex.compile(r"[ \t]+(?=[,;:.!?](?:\s|$))|[ \t]+(?=n['’]t\b|['’](?:s|re|ve|ll|d|m)\b)")
_FIRST_SPELLED: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_SPELLED: Final = {word: str(number) for number, word in enumerate(_FIRST_SPELLED, start=2)}


@dataclass(frozen=True, slots=True)
class Token:
    """A token's normalised form and its code-point span in the text it came from."""

    form: str
    start: int
    end: int


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of the text in order: words, numbers, single letters of scripts without spaces."""
    return tuple(Token(_form(m.group()), m.start(), m.end()) for m in _TOKEN_RE.finditer(text))


@lru_cache(maxsize=8192)
def _form(raw: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", raw).casefold())


@lru_cache(maxsize=8192)
def stem(form: str) -> str:
    """Return an English word without its inflection, roughly ("opened" and "opens" meet); other words nearly as is.

    A number in words becomes its digits.
    """
    if form in _SPELLED:
        return _SPELLED[form]
    if not form.isascii() or not form.isalpha():
        return form
    for ending in _ENDINGS:
        if form.endswith(ending) and len(form) - len(ending) >= _STEM_MIN:
            root = form[: -len(ending)]
            # "stopped" and "stop" meet too.
            return root[:-1] if len(root) > _STEM_MIN and root[-1] == root[-2] and root[-1] not in "lsz" else root
    return form


def is_content(form: str) -> bool:
    """Return whether a token says something by itself: not an English function word."""
    return form not in _ENGLISH_FUNCTION_WORDS


def keys(text: str, *, content: bool = True) -> list[str]:
    """Return the keys under which a text's words are compared, in order.

    Content words are stemmed; function words are left out unless `content` is False. Letters of scripts without spaces
    are joined to pairs of neighbours, which say more than single letters.
    """
    found: list[str] = []
    run: list[Token] = []
    for token in tokens(text):
        if _UNSPACED_RE.match(token.form):
            if run and token.start != run[-1].end:
                found += _pairs(run)
                run = []
            run.append(token)
            continue
        found += _pairs(run)
        run = []
        if not content or is_content(token.form):
            found.append(stem(token.form))
    return found + _pairs(run)


def _pairs(run: Sequence[Token]) -> list[str]:
    if len(run) < 2:
        return [token.form for token in run]
    return [a.form + b.form for a, b in itertools.pairwise(run)]


def share_in(wanted: Iterable[str], held: frozenset[str] | set[str]) -> float | None:
    """Return the share in [0, 1] of the different `wanted` keys that `held` has; None where nothing is wanted."""
    different = set(wanted)
    return len(different & held) / len(different) if different else None


def untokenised(text: str) -> str:
    """Return a text without the spaces that tokenised corpora put before punctuation ("26 , 2014", "do n't")."""
    return _SPACED_RE.sub("", text)
