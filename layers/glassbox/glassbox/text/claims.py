"""The checkable statements of an answer, and the parts of it that aren't any, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import regex

from glassbox.text.markup import Block, blocks, plain
from glassbox.text.phrases import is_meta
from glassbox.text.refusal import refusal_rule
from glassbox.text.sentences import Span, split_sentences

ClaimKind = Literal["sentence", "list_item", "table_row", "code", "heading", "question", "meta"]
CHECKED_KINDS: Final[frozenset[ClaimKind]] = frozenset({"sentence", "list_item", "table_row"})

_QUESTION_END: Final = ("?", "？", "؟")
_WORD_RE: Final = regex.compile(r"[\p{L}\p{N}]")
_INLINE_MARKER_RE: Final = regex.compile(r"[*_]{0,3}\(?(\d{1,3})[.)][*_]{0,3}\s+(?=\S)")
_INLINE_MARKER_END_RE: Final = regex.compile(r"(?<=\s)\(?\d{1,3}[.)]$")
_LEAD_IN_RE: Final = regex.compile(r"[:：][*_\s]*$")
_SENTENCE_END_RE: Final = regex.compile(r"[.!?。！？؟।…][\"'”’»\)\]*_]*$")
_WORD_OR_SEMICOLON_RE: Final = regex.compile(r"(?P<word>[\p{L}\p{N}]++)|[;；]\s*+(?=\S)")
_LONG: Final = 120
_MIN_PART_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer.

    `text` is the statement without markup, list marker and citation marks; `start` and `end` are its place in the raw
    answer, so `answer[start:end]` may hold markup that `text` doesn't. Only the kinds in `CHECKED_KINDS` claim
    something; "heading", "question", "code" and "meta" (phrases of the conversation, refusals) are listed so that every
    part of the answer is accounted for. `context` is the lead-in of a list whose items are fragments ("The colours
    are:"), else "".
    """

    text: str
    start: int
    end: int
    kind: ClaimKind
    context: str = ""


def extract_claims(answer: str) -> tuple[Claim, ...]:
    """Return the claims of the answer in order of appearance; their spans don't overlap.

    A sentence is a claim; so is each sentence of a list item and each row of a table, whose text reads
    "header: cell; header: cell". A sentence of more than 120 characters is split at semicolons where each part has at
    least four words. A part without a letter or digit is no claim and isn't listed.
    """
    claims: list[Claim] = []
    header: tuple[str, ...] = ()
    lead_in = ""
    for block in blocks(answer):
        if block.kind == "table_header":
            header = block.cells
            claims.append(Claim(" | ".join(block.cells), block.start, block.end, "heading"))
        elif block.kind == "table_row":
            claims.extend(_row(block, header))
        elif block.kind == "code":
            claims.append(Claim(answer[block.start : block.end], block.start, block.end, "code"))
        elif block.kind == "heading":
            claims.append(Claim(plain(answer[block.start : block.end]), block.start, block.end, "heading"))
        else:
            claims.extend(_statements(answer, block, lead_in))
        if block.kind not in ("table_header", "table_row"):
            header = ()
        if block.kind != "list_item":
            lead_in = _lead_in(answer, block)
    return tuple(claim for claim in claims if _WORD_RE.search(claim.text))


def _row(block: Block, header: tuple[str, ...]) -> Iterator[Claim]:
    names = header + ("",) * max(0, len(block.cells) - len(header))
    parts = [f"{name}: {cell}" if name else cell for name, cell in zip(names, block.cells, strict=False) if cell]
    if parts:
        yield Claim("; ".join(parts), block.start, block.end, "table_row")


def _lead_in(answer: str, block: Block) -> str:
    if block.kind != "paragraph":
        return ""
    spans = split_sentences(answer[block.start : block.end])
    last = answer[block.start + spans[-1].start : block.start + spans[-1].end] if spans else ""
    return plain(last) if _LEAD_IN_RE.search(last) else ""


def _statements(answer: str, block: Block, lead_in: str) -> Iterator[Claim]:
    raw = answer[block.start : block.end]
    number = 0
    for span in split_sentences(raw):
        start, number = _after_marker(raw, span, number)
        sentence = raw[start : span.end]
        text = plain(sentence)
        if not text:
            continue
        kind = _kind(block, sentence, text)
        context = lead_in if kind == "list_item" and not _SENTENCE_END_RE.search(text) else ""
        for part in _parts(sentence) if kind in CHECKED_KINDS else (Span(0, len(sentence)),):
            yield Claim(
                plain(sentence[part.start : part.end]),
                block.start + start + part.start,
                block.start + start + part.end,
                kind,
                context,
            )


def _after_marker(raw: str, span: Span, number: int) -> tuple[int, int]:
    """Return where the sentence begins after an inline list marker, and the number of that marker.

    Only the next number of a running list ("1. ... 2. ...") is a marker; "5. Mai 2020" keeps its number.
    """
    marker = _INLINE_MARKER_RE.match(raw, span.start, span.end)
    if marker is not None and int(marker.group(1)) in (number + 1, 2 if number == 0 else number + 1):
        return marker.end(), int(marker.group(1))
    return span.start, number


def _kind(block: Block, sentence: str, text: str) -> ClaimKind:
    if text.endswith(_QUESTION_END):
        return "question"
    if is_meta(text):
        return "meta"
    rule = refusal_rule(text)
    if rule and not rule.startswith("partial:"):
        return "meta"
    if block.kind == "paragraph" and _LEAD_IN_RE.search(sentence):
        return "heading"
    return "list_item" if block.kind == "list_item" else "sentence"


def _parts(sentence: str) -> tuple[Span, ...]:
    if len(sentence) <= _LONG:
        return (Span(0, len(sentence)),)
    tokens = list(_WORD_OR_SEMICOLON_RE.finditer(sentence))
    words_left = sum(1 for token in tokens if token["word"])
    parts: list[Span] = []
    start = words_here = 0
    for token in tokens:
        if token["word"]:
            words_here, words_left = words_here + 1, words_left - 1
        elif min(words_here, words_left) >= _MIN_PART_WORDS:
            parts.append(Span(start, token.start()))
            start, words_here = token.end(), 0
    parts.append(Span(start, len(sentence)))
    return tuple(parts)
