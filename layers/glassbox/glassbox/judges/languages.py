"""The language gate: a model's word counts only in the languages in which it was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import regex

from glassbox.contract.measurement import Flag
from glassbox.contract.request import Request
from glassbox.judges.words import is_content, tokens
from glassbox.text.scripts import UNDETERMINED, guess_language

# Below this many words the language of a Latin text can't be told from its words; its surroundings decide.
_FEW_WORDS: Final = 8
_WORD_RE: Final = regex.compile(r"\p{L}[\p{L}\p{M}'’]*")
_OTHER_SCRIPT_RE: Final = regex.compile(r"[^\P{L}\p{Latin}\p{Common}\p{Inherited}]")
_SAMPLE: Final = 4_000
_LEAST_DIFFERENT: Final = 2
_LEAST_SHARE: Final = 0.15


class Languages:
    """Which texts of one evaluation are written in a given set of languages."""

    def __init__(self, request: Request) -> None:
        texts = [request.query, request.answer, *(p.text[:_SAMPLE] for p in request.retrieved_passages)]
        self._known: dict[str, str] = {}
        # A short text is in the language of the conversation rather than in that of the passages.
        conversation = guess_language(f"{request.query}\n{request.answer[:_SAMPLE]}")
        self.overall = conversation if conversation != UNDETERMINED else guess_language("\n".join(texts))

    def of(self, text: str) -> str:
        """Return the language of a text; where it is too short to tell, that of the evaluation as a whole."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._guess(text)
        return known

    def _guess(self, text: str) -> str:
        found = guess_language(text)
        if found != UNDETERMINED or _OTHER_SCRIPT_RE.search(text):
            return found
        words = [token.form for token in tokens(text[:_SAMPLE])]
        if self._english_enough(words):
            return "en"
        return self.overall if len(words) < _FEW_WORDS or self._mostly_names(text) else found

    @staticmethod
    def _english_enough(words: Sequence[str]) -> bool:
        """Return whether English function words are common: lists and logs have too few of them for a sure guess."""
        met = [word for word in words if len(word) > 1 and not is_content(word)]
        return len(set(met)) >= _LEAST_DIFFERENT and len(met) >= _LEAST_SHARE * len(words)

    @staticmethod
    def _mostly_names(text: str) -> bool:
        """Return whether most words are capitalised: headings, tables and lists of names have no grammar."""
        words = _WORD_RE.findall(text[:_SAMPLE])
        return 2 * sum(1 for word in words if word[0].isupper()) > len(words)

    def within(self, text: str, measured: Iterable[str]) -> bool:
        """Return whether a model that was measured in these languages may judge the text.

        A text without letters is in no language and passes. A short Latin text of an evaluation whose language can't be
        told at all passes too: there is nothing in it that would speak for another language.
        """
        languages = frozenset(tag.split("-")[0].lower() for tag in measured)
        if not _WORD_RE.search(text):
            return True
        found = self.of(text)
        if found != UNDETERMINED:
            return found in languages
        if _OTHER_SCRIPT_RE.search(text):
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
