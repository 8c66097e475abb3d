"""A text in other readings: runs that are decoded, and whole texts turned letter by letter."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import quopri
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from typing import Final, NamedTuple

import regex

_BESIDE: Final = 120
_DEPTH: Final = 3  # encodings inside encodings that are followed
_BASE64_RE: Final = regex.compile(
    r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{16,}+(?:\r?\n[A-Za-z0-9+/_-]{4,76}+)*+)={0,2}"
)
_BASE32_RE: Final = regex.compile(r"(?<![A-Z0-9])[A-Z2-7]{24,}+={0,6}")
_HEX_RE: Final = regex.compile(r"(?<![0-9A-Fa-f])(?:(?:\\x|\\u00|%|0x)?[0-9A-Fa-f]{2}[ ,:]?){12,}+")
_PERCENT_RE: Final = regex.compile(r"(?:%[0-9A-Fa-f]{2}){1,200}+")
_ENTITY_RE: Final = regex.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});")
_QUOTED_RE: Final = regex.compile(r"(?:=[0-9A-F]{2}){1,200}+|=\r?\n")
_ESCAPE_RE: Final = regex.compile(r"\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}")
_TAG_INSIDE_RE: Final = regex.compile(
    r"(?<=\p{L})(?:</?\w[^<>]{0,100}+>|<!--[^<>]{0,100}+-->|[*_~`]{1,3}+|[\"']\s?[+.]\s?[\"'])(?=\p{L})"
)
_MORSE_RE: Final = regex.compile(r"(?:[.·•\-−–—_]{1,6}+[ /|]{1,4}){8,}+(?:[.·•\-−–—_]{1,6}+)?+")
_BINARY_RE: Final = regex.compile(r"(?<!\d)(?:[01]{7,8}[ ,]?){8,}+")
_DECIMAL_RE: Final = regex.compile(r"(?<!\d)(?:\d{2,3}[ ,;\-]{1,2}){10,}+(?:\d{2,3}(?!\d))?+")
_TAGS_RE: Final = regex.compile(r"[\U000E0020-\U000E007E]{8,}+")
_SELECTORS_RE: Final = regex.compile(r"[\uFE00-\uFE0F\U000E0100-\U000E01EF]{8,}+")
_SPACED_RE: Final = regex.compile(r"(?<!\p{L})(?:\p{L}(?:\r?\n|[ .,*_|/·•\-]){1,3}+(?=\p{L}(?!\p{L}))){7,}+\p{L}")
_GAP_RE: Final = regex.compile(r"(?:\r?\n|[ .,*_|/·•\-]){2,3}+")
_GLUED_RE: Final = regex.compile(
    "((?i:ignore|disregard|forget|mark|rate|score|return|give|output|judge|grader|evaluator|all|every|this|the|previous|prior"
    "|answers?|claims?|statements?|as|instructions|rules|rubric|supported|faithful|grounded|relevant|verdict|full|please|must))"
)
_LITERALS_RE: Final = regex.compile(r"=\s?([\"'“])([^\"'“”\n]{1,120}+)[\"'”]")
_CODE: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
    " ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_MORSE: Final = dict(zip(_CODE.split(), "abcdefghijklmnopqrstuvwxyz0123456789", strict=True))
_DASHES: Final = str.maketrans("·•−–—_", "..----")
_LEET_RE: Final = regex.compile(
    r"(?<![\p{L}\d@$!|])(?=[A-Za-z\d@$!|]*[A-Za-z])(?=[A-Za-z@$!|]*[013457@$|])[A-Za-z\d@$!|]{3,30}+"
)
_LEET: Final = str.maketrans("013457@$!|", "oieastasil")
_LEET_L: Final = str.maketrans("013457@$!|", "oleastasil")
_ABC: Final = "abcdefghijklmnopqrstuvwxyz"
_TELLTALES: Final = (
    "verdict",
    "supported",
    "faithful",
    "disregard",
    "instruction",
    "evaluator",
    "grounded",
    "relevant",
)
_STOP_RE: Final = regex.compile(r"[.!?](?=\p{L})")
_WORD_RE: Final = regex.compile(r"\p{L}+")


class View(NamedTuple):
    """A reading of `text[start:end]`; `same` says that each character stands where it stood."""

    name: str
    start: int
    end: int
    text: str
    same: bool = False


def views_of(text: str) -> Iterator[View]:
    """Yield the decoded runs of the text (encodings in encodings too) and its turned readings; linear in the text."""
    budget = 4 * len(text) + 10_000
    pending = [(view, 1) for view in _runs(text)][::-1]
    while pending and budget > 0:
        one, depth = pending.pop()
        budget -= len(one.text)
        yield one
        if depth < _DEPTH:
            pending.extend(
                (View(f"{one.name}+{inner.name}", one.start, one.end, inner.text), depth + 1)
                for inner in chain(_runs(one.text), _turned(one.text))
            )
    yield from _turned(text)


def _runs(text: str) -> Iterator[View]:
    for name, pattern, decode in _DECODERS:
        for match in pattern.finditer(text):
            try:
                decoded = decode(match.group())
            except (ValueError, binascii.Error, KeyError):
                continue
            if decoded and decoded != match.group() and _is_readable(decoded):
                yield View(name, match.start(), match.end(), decoded)
    for name, pattern, least, decode in _PIECES:
        places = [match.span() for match in pattern.finditer(text)]
        if len(places) >= least or (places and places[0][1] - places[0][0] >= 4 * least):
            start, end = max(0, places[0][0] - _BESIDE), min(len(text), places[-1][1] + _BESIDE)
            yield View(name, places[0][0], places[-1][1], pattern.sub(partial(_piece, decode), text[start:end]))
    literals = list(_LITERALS_RE.finditer(text))
    if len(literals) > 1:
        values = [match.group(2) for match in literals]
        for glue in (" ", ""):
            yield View("joined", literals[0].start(), literals[-1].end(), glue.join(values))


def _piece(decode: Callable[[str], str], match: regex.Match[str]) -> str:
    try:
        return decode(match.group())
    except (ValueError, KeyError):
        return match.group()


def _is_readable(text: str) -> bool:
    return all(char.isprintable() or char in "\r\n\t\u200b" for char in text)


def _base64(run: str) -> str:
    body = "".join(run.split()).rstrip("=").replace("-", "+").replace("_", "/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    return base64.b64decode(body + "=" * (-len(body) % 4)).decode()


def _base32(run: str) -> str:
    body = run.rstrip("=")
    return base64.b32decode(body + "=" * (-len(body) % 8)).decode()


def _hex(run: str) -> str:
    return bytes.fromhex(regex.sub(r"\\x|\\u00|0x|[% ,:]", "", run)).decode()


def _binary(run: str) -> str:
    digits = regex.sub(r"[ ,]", "", run)
    width = 7 if len(digits) % 8 and len(digits) % 7 == 0 else 8
    whole = len(digits) - len(digits) % width
    return bytes(int(digits[at : at + width], 2) for at in range(0, whole, width)).decode()


def _decimal(run: str) -> str:
    return bytes(int(code) for code in regex.findall(r"\d+", run)).decode("ascii")


def _quoted_printable(run: str) -> str:
    return quopri.decodestring(run.encode()).decode().rstrip("\n")


def _morse(run: str) -> str:
    words = regex.split(r" {2,4}| ?[/|]+ ?", run.translate(_DASHES))
    return " ".join("".join(_MORSE.get(sign, "") for sign in word.split()) for word in words)


def _selectors(run: str) -> str:
    codes = (ord(char) for char in run)
    return bytes(code - 0xFE00 if code < 0xE0000 else code - 0xE0100 + 16 for code in codes).decode()


def _spaced(run: str) -> str:
    """Return spaced letters as words: a wider gap is a space between words, else known words are cut out."""
    words = " ".join("".join(_WORD_RE.findall(word)) for word in _GAP_RE.split(run))
    return words if " " in words else _GLUED_RE.sub(r" \1 ", words)


_DECODERS: Final[tuple[tuple[str, regex.Pattern[str], Callable[[str], str]], ...]] = (
    ("base64", _BASE64_RE, _base64),
    ("base32", _BASE32_RE, _base32),
    ("hex", _HEX_RE, _hex),
    ("morse", _MORSE_RE, _morse),
    ("binary", _BINARY_RE, _binary),
    ("decimal", _DECIMAL_RE, _decimal),
    ("tags", _TAGS_RE, lambda run: "".join(chr(ord(char) - 0xE0000) for char in run)),
    ("selectors", _SELECTORS_RE, _selectors),
    ("spaced", _SPACED_RE, _spaced),
)

_PIECES: Final[tuple[tuple[str, regex.Pattern[str], int, Callable[[str], str]], ...]] = (
    ("percent", _PERCENT_RE, 2, urllib.parse.unquote),
    ("entities", _ENTITY_RE, 3, html.unescape),
    ("quoted_printable", _QUOTED_RE, 3, _quoted_printable),
    ("escapes", _ESCAPE_RE, 3, lambda run: chr(int(run[2:], 16) if run[1] in "xu" else int(run[1:], 8))),
    ("markup", _TAG_INSIDE_RE, 1, lambda run: ""),
)  # fmt: skip


def _turned(text: str) -> Iterator[View]:
    """Yield the whole text with other letters, where a telltale word of that reading occurs."""
    lower = text.lower()
    for shift in range(1, 26):
        for start, end in _around(lower, _shifted_telltales(shift)):
            yield View(f"rot{shift}", start, end, _shifted(text[start:end], shift), same=True)
    mirror = str.maketrans(_ABC + _ABC.upper(), _ABC[::-1] + _ABC.upper()[::-1])
    for start, end in _around(lower, [word.translate(mirror) for word in _TELLTALES]):
        yield View("atbash", start, end, text[start:end].translate(mirror), same=True)
    for start, end in _around(
        lower, [word[::-1] for word in (*_TELLTALES, "ignore all", "ignore", "full marks", "score")]
    ):
        yield View("reversed", start, end, text[start:end][::-1])
        yield View(
            "reversed",
            start,
            end,
            _STOP_RE.sub(" ", _WORD_RE.sub(lambda match: match.group()[::-1], text[start:end])),
            same=True,
        )
    if len([match for match, _ in zip(_LEET_RE.finditer(text), range(2), strict=False)]) == 2:
        for table in (_LEET, _LEET_L):
            yield View("leet", 0, len(text), _LEET_RE.sub(partial(_translated, table), text), same=True)


def _translated(table: dict[int, int], match: regex.Match[str]) -> str:
    return str(match.group().translate(table))


def _around(lower: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield one stretch about the first place of each of the words that occurs, unless an earlier one holds it."""
    last = -1
    for place in sorted({place for word in words if (place := lower.find(word)) >= 0}):
        if place >= last:
            start, last = max(0, place - 500), min(len(lower), place + 500)
            yield start, last


@cache
def _shifted_telltales(shift: int) -> tuple[str, ...]:
    """Return the telltales as they look after a shift: the same for every text, so made once."""
    return tuple(_shifted(word, -shift) for word in _TELLTALES)


def _shifted(text: str, shift: int) -> str:
    if shift == 13:
        return codecs.encode(text, "rot13")
    turned = _ABC[shift:] + _ABC[:shift]
    return text.translate(str.maketrans(_ABC + _ABC.upper(), turned + turned.upper()))
