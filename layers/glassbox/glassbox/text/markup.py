"""Markdown structure of an answer: its blocks, with offsets, and inline markup taken off."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import regex

BlockKind = Literal["paragraph", "list_item", "table_header", "table_row", "code", "heading"]

_FENCE_RE: Final = regex.compile(r" {0,3}(```+|~~~+)")
_HEADING_RE: Final = regex.compile(r" {0,3}#{1,6}(?:\s+|$)")
_UNDERLINE_RE: Final = regex.compile(r" {0,3}(?:=+|-{2,})\s*$")
_RULE_RE: Final = regex.compile(r" {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
# "5. Mai 2020" begins with a date and "J. R. Smith" with a name, not with a marker.
_MONTHS: Final = (
    r"(?:januar|jänner|februar|märz|april|mai|maj|juni?|juli?|august|september|oktober|november|"
    r"dezember|december)"
)
LIST_MARKER_RE: Final = regex.compile(
    r"[ \t>]*(?:[-*+•‣◦▪●○■□·–—]|\(?\d{1,3}[.)、]|\(?[a-zA-Z]\)|[a-z]\.|\(?[ivxIVX]{2,4}[.)])"
    rf"(?:[ \t]+|(?<=、))(?:\[[ xX]\][ \t]+)?(?=\S)(?!(?i:{_MONTHS})\b)"
)
_QUOTE_RE: Final = regex.compile(r"[ \t]*(?:>[ \t]*)+")
_SEPARATOR_CELL_RE: Final = regex.compile(r"\s*:?-+:?\s*")
_BOLD_LINE_RE: Final = regex.compile(r"\s*(?:\*\*[^*\n]{1,100}\*\*|__[^_\n]{1,100}__):?\s*$")
_ESCAPED_PIPE_RE: Final = regex.compile(r"(?<!\\)\|")

_IMAGE_RE: Final = regex.compile(r"!\[([^\[\]\n]{0,400})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,200}\")?\)")
_LINK_RE: Final = regex.compile(r"\[([^\[\]\n]{1,400})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,200}\")?\)")
# Citation marks are pointers, not content: "[1]" must not be read as the number one.
_CITATION_RE: Final = regex.compile(
    r"\s?(?:\[\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,20}\]|【[^】\n]{1,40}】|\[\^[\w-]{1,40}\]"
    r"|[(\[](?i:contexts?|sources?|documents?|docs?|passages?|refs?\.?|references?)\s#?\d{1,3}"
    r"(?:(?:\s?[,;&–-]\s?|\sand\s)#?\d{1,3}){0,20}[)\]])"
)
_TAG_RE: Final = regex.compile(
    r"</?(?:a|b|i|u|s|p|em|strong|br|hr|ul|ol|li|sub|sup|span|div|code|pre|mark|small|table|tr|td|th"
    r"|h[1-6])(?:\s[^<>]{0,300})?/?>",
    regex.IGNORECASE,
)
_EMPHASIS_RE: Final = regex.compile(
    r"(?<![\p{L}\p{N}])(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3}"
    r"|~~)(?![\p{L}\p{N}])|\*\*"
)
_SPACE_RE: Final = regex.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the answer: `text[start:end]` without its marker; `cells` only for rows of a table."""

    kind: BlockKind
    start: int
    end: int
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def plain(text: str) -> str:
    """Return the text without Markdown and HTML markup, citation marks and entities, on one line."""
    text = _IMAGE_RE.sub(r"\1", text)
    text = _LINK_RE.sub(r"\1", text)
    text = _CITATION_RE.sub("", text)
    text = _TAG_RE.sub(" ", text)
    text = _EMPHASIS_RE.sub("", text.replace("`", ""))
    return _SPACE_RE.sub(" ", html.unescape(text)).strip()


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of the text in order: paragraphs, list items, tables, code, headings.

    Fenced code runs to its closing fence or to the end of the text. A table is two or more lines of cells between
    bars, or a header line over a separator line; the separator itself is no block. Blank lines and rules are none.
    """
    lines = tuple(_lines(text))
    found: list[Block] = []
    at = 0
    while at < len(lines):
        at = (
            _code(lines, at, found)
            or _table(lines, at, found)
            or _single(lines, at, found)
            or _paragraph(lines, at, found)
        )
    return tuple(found)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, start + len(line), line.rstrip())
        start += len(line)


def _code(lines: tuple[_Line, ...], at: int, found: list[Block]) -> int:
    fence = _FENCE_RE.match(lines[at].text)
    if fence is None:
        return 0
    mark = fence.group(1)
    for end in range(at + 1, len(lines)):
        closing = lines[end].text.strip()
        if closing.startswith(mark) and not closing.strip(mark[0]):
            break
    else:
        end = len(lines) - 1
    found.append(Block("code", lines[at].start, lines[end].start + len(lines[end].text)))
    return end + 1


def _cells(line: str) -> tuple[str, ...]:
    return tuple(
        plain(cell.replace("\\|", "|"))
        for cell in _ESCAPED_PIPE_RE.split(line.strip().removeprefix("|").removesuffix("|"))
    )


def _is_separator(line: str) -> bool:
    body = line.strip().removeprefix("|").removesuffix("|")
    return "-" in body and all(_SEPARATOR_CELL_RE.fullmatch(cell) for cell in body.split("|"))


def _table(lines: tuple[_Line, ...], at: int, found: list[Block]) -> int:
    if at + 1 >= len(lines) or "|" not in lines[at].text:
        return 0
    has_header = "|" in lines[at + 1].text and _is_separator(lines[at + 1].text)
    barred = lines[at].text.lstrip().startswith("|") and lines[at + 1].text.lstrip().startswith("|")
    if not has_header and not barred:
        return 0
    end = at
    while end < len(lines) and "|" in lines[end].text:
        line = lines[end]
        if not _is_separator(line.text):
            kind: BlockKind = "table_header" if has_header and end == at else "table_row"
            found.append(_block(kind, line, 0, cells=_cells(line.text)))
        end += 1
    return end


def _block(kind: BlockKind, line: _Line, skip: int, cells: tuple[str, ...] = ()) -> Block:
    start = line.start + max(skip, len(line.text) - len(line.text.lstrip()))
    return Block(kind, start, line.start + len(line.text), cells)


def _single(lines: tuple[_Line, ...], at: int, found: list[Block]) -> int:
    """Take a line that is a block by itself (blank, rule, heading, list item with its wrapped lines)."""
    line = lines[at]
    if not line.text.strip() or _RULE_RE.match(line.text):
        return at + 1
    heading = _HEADING_RE.match(line.text)
    if heading is not None or _BOLD_LINE_RE.match(line.text):
        found.append(_block("heading", line, heading.end() if heading else 0))
        return at + 1
    if at + 1 < len(lines) and _UNDERLINE_RE.match(lines[at + 1].text) and not LIST_MARKER_RE.match(line.text):
        found.append(_block("heading", line, 0))
        return at + 2
    marker = LIST_MARKER_RE.match(line.text)
    if marker is None:
        return 0
    end = _continued(lines, at)
    last = lines[end - 1]
    found.append(Block("list_item", line.start + marker.end(), last.start + len(last.text)))
    return end


def _paragraph(lines: tuple[_Line, ...], at: int, found: list[Block]) -> int:
    quote = _QUOTE_RE.match(lines[at].text)
    start = _block("paragraph", lines[at], quote.end() if quote else 0).start
    end = at + 1 if quote else _continued(lines, at)
    last = lines[end - 1]
    if start < last.start + len(last.text):
        found.append(Block("paragraph", start, last.start + len(last.text)))
    return end


def _continued(lines: tuple[_Line, ...], at: int) -> int:
    """Return the index after the last line that belongs to the paragraph or item begun at `at`."""
    end = at + 1
    while end < len(lines) and lines[end].text.strip() and not _begins(lines, end):
        end += 1
    return end


def _begins(lines: tuple[_Line, ...], at: int) -> bool:
    line = lines[at].text
    return bool(
        line.lstrip().startswith(("|", ">"))
        or _FENCE_RE.match(line)
        or _HEADING_RE.match(line)
        or _RULE_RE.match(line)
        or LIST_MARKER_RE.match(line)
        or _BOLD_LINE_RE.match(line)
        or (at + 1 < len(lines) and "|" in line and _is_separator(lines[at + 1].text))
    )
