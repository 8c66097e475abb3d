"""Sentence boundaries for many languages, found by punctuation and a table of abbreviations, in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

from glassbox.text._abbreviations import MAY_END, NEVER_END, NUMBER_FOLLOWS, ORDINAL_FOLLOWERS, STARTERS


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points, `text[start:end]`."""

    start: int
    end: int


_CLOSERS: Final = r"[\"'”’»›\)\]】」』》〉）］*_`]*"
# Full stops of scripts that need no space after them; they end a sentence wherever they stand.
_STRONG: Final = "。！？｡．؟۔।॥։።፧᙮។៕။၊།"
_NEWLINE: Final = r"(?:\r\n?|\n|\u2028|\u2029)"
# Every run is entered at its first character only and never given back, so that the scan stays linear.
_BOUNDARY_RE: Final = regex.compile(
    rf"(?P<strong>(?<![{_STRONG}])[{_STRONG}]++{_CLOSERS}+)"
    rf"|(?P<weak>(?<![.!?…;])[.!?…;]++{_CLOSERS}+)(?=\s|$|[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}])"
    rf"|(?P<block>{_NEWLINE}[ \t]*+{_NEWLINE}\s*+)"
    rf"|(?P<line>{_NEWLINE}[ \t]*+)"
    rf"|(?P<space>(?<=[\p{{Thai}}\p{{Lao}}])[ \u00a0]++(?=[\p{{Thai}}\p{{Lao}}]))"
)
_LINE_STARTER_RE: Final = regex.compile(r"[-*+•‣◦▪·–—]\s|\(?\d{1,3}[.)]\s|\(?[a-zA-Z][.)]\s|#{1,6}\s|\||>|```|~~~")
_WORD_BEFORE_RE: Final = regex.compile(r"[\p{L}\p{M}\p{N}.’'-]*$")
_NEXT_WORD_RE: Final = regex.compile(r"[\s\"'“‘«(\[*_]*([\p{L}\p{M}\p{N}'’]+)?")
_ACRONYM_RE: Final = regex.compile(r"(?:\p{L}\.)+\p{L}")
_MARKER_RE: Final = regex.compile(r"[\s\"'“‘(\[*_#>-]*\(?\d{1,3}")
_SOFT_WRAP: Final = 60
_LINE_WINDOW: Final = 200
_WORD_WINDOW: Final = 40
_MARKER_WINDOW: Final = 20
_THAI_MIN: Final = 20
_GREEK_RE: Final = regex.compile(r"\p{Greek}\s*$")
_STRONG_END_RE: Final = regex.compile(rf"[.!?…:{_STRONG}]{_CLOSERS}$")


def split_sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of the text in order, without white space at their ends.

    The spans don't overlap and cover every character that isn't white space. A boundary is a full stop of any script
    that isn't part of an abbreviation, an initial, an ordinal, an ellipsis that goes on in lower case or a list marker;
    an empty line; or a line break that doesn't look like a wrapped line. No number is split, since a Latin full stop
    counts only before white space. Thai and Lao have no full stop: spaces between their letters serve, once a
    segment is 20 characters long.
    """
    spans: list[Span] = []
    start = 0
    for end in _boundaries(text):
        span = _trimmed(text, start, end)
        if span is not None:
            spans.append(span)
        start = end
    last = _trimmed(text, start, len(text))
    if last is not None:
        spans.append(last)
    return tuple(spans)


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _boundaries(text: str) -> Iterator[int]:
    start = 0
    for match in _BOUNDARY_RE.finditer(text):
        kind = match.lastgroup
        if kind in ("strong", "block"):
            is_boundary = True
        elif kind == "line":
            is_boundary = _breaks_line(text, start, match.start(), match.end())
        elif kind == "space":
            is_boundary = match.start() - start >= _THAI_MIN
        else:
            is_boundary = _ends_sentence(text, start, match)
        if is_boundary:
            start = match.end()
            yield start


def _breaks_line(text: str, start: int, before: int, after: int) -> bool:
    """Return whether a single line break ends a sentence: it does unless the line looks wrapped at a margin."""
    lower_bound = max(start, before - _LINE_WINDOW)
    line_start = max(text.rfind("\n", lower_bound, before) + 1, lower_bound)
    line = text[line_start:before].rstrip()
    if _LINE_STARTER_RE.match(text, after) or line.lstrip().startswith(("|", "#")):
        return True
    if _STRONG_END_RE.search(line):
        return True
    following = text[after : after + 1]
    if following.islower():
        return False
    return before - line_start < _SOFT_WRAP


def _ends_sentence(text: str, start: int, match: regex.Match[str]) -> bool:
    mark = match.group("weak")
    following = _NEXT_WORD_RE.match(text, match.end(), min(len(text), match.end() + 80))
    word = (following.group(1) or "") if following else ""
    if mark[0] == ";":
        return bool(_GREEK_RE.search(text, max(start, match.start() - 3), match.start()))
    if word[:1].islower():
        return False
    if mark.startswith(("…", "..")):
        return not word or not word[:1].isdigit()
    if mark[0] != ".":
        return True
    if "?" in mark or "!" in mark:
        return True
    return _full_stop_ends(text, start, match.start(), word)


def _full_stop_ends(text: str, start: int, at: int, following: str) -> bool:
    """Return whether the single full stop at `at` ends the sentence that began at `start`."""
    lower_bound = max(start, at - _WORD_WINDOW)
    found = _WORD_BEFORE_RE.search(text, lower_bound, at)
    token = found.group() if found else ""
    if not token or not following:
        return True
    if token.isdigit():
        return _number_ends(text, start, at, token, following)
    key = token.casefold().lstrip("'’-")
    if key in NEVER_END:
        return False
    if key in NUMBER_FOLLOWS and following[:1].isdigit():
        return False
    starts_anew = following.casefold() in STARTERS
    if key in MAY_END or _ACRONYM_RE.fullmatch(token):
        return starts_anew
    if len(token) == 1 and token.isupper() and token.isalpha():
        # "J. Smith" goes on, "vitamin C. The body" doesn't; "I." is the pronoun or a numeral.
        return starts_anew
    return True


def _number_ends(text: str, start: int, at: int, token: str, following: str) -> bool:
    if len(token) <= 3 and at - start <= _MARKER_WINDOW:
        lead = _MARKER_RE.match(text, start, at)
        if lead is not None and lead.end() == at:
            return False  # the marker of a list item: "1. Paris"
    return not (len(token) <= 2 and following.casefold() in ORDINAL_FOLLOWERS)
