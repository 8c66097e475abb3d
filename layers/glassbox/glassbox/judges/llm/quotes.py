"""Finding a model's quote in the passage that it names: literally, but for white space and broken markers."""

from __future__ import annotations

from typing import Final

import regex

from glassbox.judges.evidence import Stretch
from glassbox.judges.words import keys
from glassbox.text.scripts import UNDETERMINED, guess_language
from glassbox.text.sentences import Span, split_sentences

_JOINER: Final = "\u2060"
_AROUND_RE: Final = regex.compile(r"^[\s\"'“”„«»‘’`]+|[\s\"'“”„«»‘’`]+$")
_DOTS_RE: Final = regex.compile(r"^(?:\.{3}|…)\s*|\s*(?:\.{3}|…)$")
_WORD_RE: Final = regex.compile(r"[\p{L}\p{N}]")
_LATIN_RE: Final = regex.compile(r"\p{Latin}")
LONGEST: Final = 4_000
"""Characters of a quote that is looked for; nobody reads a longer one."""


class Quotable:
    """The passages of one evaluation, prepared for looking up quotes; each is prepared once, when it is needed."""

    def __init__(self, passages: tuple[str, ...]) -> None:
        self._passages = passages
        self._plain: dict[int, tuple[str, list[int]]] = {}
        self._sentences: dict[int, tuple[Span, ...]] = {}

    def find(self, passage: int, quote: str) -> Stretch | None:
        """Return the stretch of a passage that is the quote, or None where the passage doesn't hold it.

        The stretch's text is the passage's own. Runs of white space are equal, and the word joiners that broke a marker
        don't count; quotation marks and dots around the quote are not part of it. A quote without a letter or digit
        is none.
        """
        text = self._passages[passage]
        for wanted in _readings(quote):
            if not _WORD_RE.search(wanted) or len(wanted) > LONGEST:
                continue
            at = text.find(wanted)
            if at >= 0:
                return Stretch(passage, at, at + len(wanted), wanted, 1.0)
            found = self._loosely(passage, wanted)
            if found is not None:
                return found
        return None

    def _loosely(self, passage: int, wanted: str) -> Stretch | None:
        if passage not in self._plain:
            self._plain[passage] = _plain(self._passages[passage])
        plain, offsets = self._plain[passage]
        goal, _ = _plain(wanted)
        at = plain.find(goal.strip())
        if at < 0 or not goal.strip():
            return None
        start, end = offsets[at], offsets[at + len(goal.strip()) - 1] + 1
        return Stretch(passage, start, end, self._passages[passage][start:end], 1.0)

    def around(self, stretch: Stretch) -> Stretch:
        """Return the whole sentences that a stretch lies in: what a claim's numbers and negations are held against."""
        text = self._passages[stretch.passage]
        if stretch.passage not in self._sentences:
            self._sentences[stretch.passage] = tuple(split_sentences(text))
        touched = [s for s in self._sentences[stretch.passage] if s.start < stretch.end and s.end > stretch.start]
        start = min([stretch.start, *(s.start for s in touched)])
        end = max([stretch.end, *(s.end for s in touched)])
        return Stretch(stretch.passage, start, end, text[start:end], 1.0)


def speaks_of(claim: str, evidence: str) -> bool:
    """Return whether a claim and its evidence have a word in common, or can't be compared word by word.

    They can't where they are written in different scripts or languages.
    """
    ours, theirs = set(keys(claim)), set(keys(evidence, content=False)) | set(keys(evidence))
    if not ours or ours & theirs:
        return True
    if bool(_LATIN_RE.search(claim)) != bool(_LATIN_RE.search(evidence)):
        return True
    languages = {guess_language(claim), guess_language(evidence)}
    return len(languages) == 2 and UNDETERMINED not in languages


def _readings(quote: str) -> list[str]:
    """Return the quote as it stands, and without what models put around it or escape in it."""
    bare = _DOTS_RE.sub("", _AROUND_RE.sub("", quote))
    bare = _AROUND_RE.sub("", bare)
    unescaped = bare.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    return list(dict.fromkeys(text for text in (quote.strip(), bare, unescaped) if text))


def _plain(text: str) -> tuple[str, list[int]]:
    """Return the text with single spaces and without word joiners, and where each of its characters stands."""
    kept: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if char == _JOINER:
            continue
        if char.isspace():
            if kept and kept[-1] == " ":
                continue
            char = " "
        kept.append(char)
        offsets.append(offset)
    return "".join(kept), offsets
