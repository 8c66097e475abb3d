"""The language gate: a model's word counts only in the languages in which it was measured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import regex

from glassbox.contract.measurement import Flag
from glassbox.contract.request import Request
from glassbox.judges.words import is_content, tokens
from glassbox.text.scripts import UNDETERMINED, guess_language

# Below this many words the language of a Latin text is guessed from too little; the evaluation as a whole decides.
_FEW_WORDS: Final = 12
_WORD_RE: Final = regex.compile(r"\p{L}[\p{L}\p{M}'’]*")
_OTHER_SCRIPT_RE: Final = regex.compile(r"[^\P{L}\p{Latin}\p{Common}\p{Inherited}]")
_SAMPLE: Final = 4_000
_ENGLISH: Final = "en"
_ENGLISH_ALONE: Final = frozenset(
    (
        *("the", "and", "with", "that", "from", "this", "which", "have", "been", "their", "you", "your", "were"),
        *("would", "will", "not", "what", "when", "who", "how", "they", "she", "has", "there", "about", "where"),
    )
)
_LEAST_OWN: Final = 3
_LEAST_OWN_SHARE: Final = 0.06
_LEAST_SHARE: Final = 0.20


class Languages:
    """Which texts of one evaluation are written in a given set of languages."""

    def __init__(self, request: Request) -> None:
        self._known: dict[str, str] = {}
        conversation = f"{request.query}\n{request.answer[:_SAMPLE]}"
        texts = [conversation, *(p.text[:_SAMPLE] for p in request.retrieved_passages)]
        own = _guess(conversation)
        # A short conversation may look like many languages; English alone is recognised from few words.
        sure = own == _ENGLISH or (own != UNDETERMINED and len(_WORD_RE.findall(conversation)) >= _FEW_WORDS)
        self.overall = own if sure else _guess("\n".join(texts))

    def of(self, text: str) -> str:
        """Return the language of a text; where it can't be told, that of the evaluation as a whole."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._of(text)
        return known

    def _of(self, text: str) -> str:
        found = _guess(text)
        if found == _ENGLISH or _OTHER_SCRIPT_RE.search(text):
            return found
        words = [token.form for token in tokens(text[:_SAMPLE])]
        met = sum(1 for word in words if not is_content(word))
        if self.overall == _ENGLISH and len(words) < _FEW_WORDS and met >= _LEAST_SHARE * len(words):
            return _ENGLISH
        # Menus, tables, formulas and lists of names are in no language of their own.
        return self.overall if found == UNDETERMINED else found

    def within(self, text: str, measured: Iterable[str]) -> bool:
        """Return whether a model that was measured in these languages may judge the text.

        A text without letters is in no language and passes. A short ASCII text, of an evaluation whose language
        can't be told at all, passes for English: nothing in it speaks for another language.
        """
        languages = frozenset(tag.split("-")[0].lower() for tag in measured)
        if not _WORD_RE.search(text):
            return True
        found = self.of(text)
        if found != UNDETERMINED:
            return found in languages
        if not text.isascii():
            return False
        return self.overall == UNDETERMINED and len(_WORD_RE.findall(text[:_SAMPLE])) < _FEW_WORDS and "en" in languages

    def all_within(self, texts: Iterable[str], measured: Iterable[str]) -> bool:
        """Return whether every text that is not blank passes `within`."""
        languages = tuple(measured)
        return all(self.within(text, languages) for text in texts if text.strip())

    def flag(self, part: str, texts: Iterable[str], measured: Iterable[str]) -> Flag:
        """Return the `language_unmeasured` flag of a part of a judge, with the languages that were met."""
        languages = tuple(measured)
        met = sorted({self.of(text) for text in texts if text.strip() and not self.within(text, languages)})
        return Flag(code="language_unmeasured", detail={"part": part, "languages": met, "measured": sorted(languages)})


def _guess(text: str) -> str:
    """Return the guessed language; English also where headings and menus around it look like another language."""
    found = guess_language(text)
    if found == _ENGLISH or _OTHER_SCRIPT_RE.search(text):
        return found
    words = [token.form for token in tokens(text[: 5 * _SAMPLE])]
    own = [word for word in words if word in _ENGLISH_ALONE]
    varied, common = len(set(own)), len(own) / max(1, len(words))
    plain = (varied >= _LEAST_OWN and common >= _LEAST_OWN_SHARE) or (varied >= 2 and common >= 2 * _LEAST_OWN_SHARE)
    return _ENGLISH if plain else found
