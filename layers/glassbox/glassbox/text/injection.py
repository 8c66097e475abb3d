"""Orders to a judge inside evaluated text, in the open or hidden by an encoding."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

from glassbox.text._homoglyphs import INVISIBLE, LOOKALIKES
from glassbox.text._injection_rule import Rule
from glassbox.text._injection_rules import RULES

MAX_FOUND: Final = 100

_BASE64_RE: Final = regex.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,}+={0,2}")
_HEX_RE: Final = regex.compile(r"(?<![0-9A-Fa-f])(?:(?:\\x|%)?[0-9A-Fa-f]{2}){16,}+")
_ENTITIES_RE: Final = regex.compile(r"(?:&#x?[0-9A-Fa-f]{1,6};\s?){6,}+")
_SPACED_RE: Final = regex.compile(r"(?<!\p{L})(?:\p{L}[ .*_-]{1,3}+(?=\p{L}(?!\p{L}))){7,}+\p{L}")
_TAGS_RE: Final = regex.compile(r"[\U000E0020-\U000E007E]{8,}+")
_MIXED_RE: Final = regex.compile(r"(?<!\p{L})(?=\p{L}*\p{Latin})(?=\p{L}*[\p{Cyrillic}\p{Greek}])\p{L}++")
_SPACES_RE: Final = regex.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u3000]")
_ROT13_HINTS: Final = ("vtaber", "qvfertneq", "vafgehpgvba", "ireqvpg", "ehoevp", "sbetrg", "flfgrz cebzcg")
_LETTERS_RE: Final = regex.compile(r"[^\p{L}]+")


@dataclass(frozen=True, slots=True)
class Injection:
    """An order found at `text[start:end]` by `rule`; a rule "base64:score_order" was found in decoded text."""

    rule: str
    start: int
    end: int


def detect_injection(text: str) -> tuple[Injection, ...]:
    """Return the orders to a judge that the text holds, by place; at most 100 of them.

    Looked for are orders to ignore the rules, to give a verdict or a score, forged verdicts and role tokens, in about
    twenty languages (`_injection_rules`), also behind zero-width characters, look-alike letters of other scripts,
    spaced letters, Unicode tags, base64, hexadecimal, HTML entities and ROT13. A finding is a suspicion: a text about
    such attacks is found too.
    """
    found = list(_in_view(*_visible(text)))
    for name, start, end, decoded in _decoded(text):
        first = next(_in_view(decoded, None), None)
        if first is not None:
            found.append(Injection(f"{name}:{first.rule}", start, end))
        if len(found) >= MAX_FOUND:
            break
    found.extend(_rot13(text))
    unique = sorted(set(found), key=lambda one: (one.start, one.end, one.rule))
    return tuple(unique[:MAX_FOUND])


def _visible(text: str) -> tuple[str, list[int] | None]:
    """Return the text as a reader sees it, and for each of its characters the offset in the raw text (None: the same).

    Zero-width characters are taken out, other spaces become plain ones, and look-alikes inside words of mixed script
    become Latin letters.
    """
    if text.isascii():
        return text, None
    shown = _SPACES_RE.sub(
        " ", _MIXED_RE.sub(lambda match: match.group().translate(LOOKALIKES), text.translate(_FULL_WIDTH))
    )
    if not any(char in INVISIBLE for char in set(shown)):
        return shown, None
    offsets = [offset for offset, char in enumerate(shown) if char not in INVISIBLE]
    kept = "".join(shown[offset] for offset in offsets)
    return _MIXED_RE.sub(lambda match: match.group().translate(LOOKALIKES), kept), offsets


_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF21, 0xFF5B)} | {0xFF1A: ":"}


def _in_view(view: str, offsets: list[int] | None) -> Iterator[Injection]:
    lower = _same_length_lower(view)
    count = 0
    for rule in RULES:
        if not any(hint in lower for hint in rule.hints):
            continue
        for start, end in _matches(rule, view if rule.cased else lower):
            yield Injection(rule.name, *((start, end) if offsets is None else (offsets[start], offsets[end - 1] + 1)))
            count += 1
            if count >= MAX_FOUND:
                return


def _matches(rule: Rule, view: str) -> Iterator[tuple[int, int]]:
    for match in rule.pattern.finditer(view):
        start, end = match.span()
        while start < end and (view[start].isspace() or view[start] in ".!?:;,\"'”’"):
            start += 1
        if start < end:
            yield start, end


def _same_length_lower(text: str) -> str:
    lower = text.lower()
    # "İ" grows when lowered; offsets matter more than its case.
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _decoded(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield (name of the encoding, start, end, decoded text) for each run that decodes to readable text."""
    for match in _BASE64_RE.finditer(text):
        yield from _readable("base64", match, _base64(match.group()))
    for match in _HEX_RE.finditer(text):
        digits = match.group().replace("\\x", "").replace("%", "")
        yield from _readable("hex", match, bytes.fromhex(digits))
    for match in _ENTITIES_RE.finditer(text):
        yield "entities", match.start(), match.end(), html.unescape(match.group())
    for match in _TAGS_RE.finditer(text):
        yield "tags", match.start(), match.end(), "".join(chr(ord(char) - 0xE0000) for char in match.group())
    for match in _SPACED_RE.finditer(text):
        yield "spaced", match.start(), match.end(), _unspaced(match.group())


def _readable(name: str, match: regex.Match[str], raw: bytes) -> Iterator[tuple[str, int, int, str]]:
    try:
        decoded = raw.decode("utf-8")
    except UnicodeDecodeError:
        return
    if decoded.isprintable() or "\n" in decoded:
        yield name, match.start(), match.end(), decoded


def _base64(run: str) -> bytes:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body[: len(body) - (len(body) % 4 == 1)] + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return b""


def _unspaced(run: str) -> str:
    """Return spaced letters as words: a wider gap is a space between words."""
    words = regex.split(r"[ .*_-]{2,3}", run)
    return " ".join(_LETTERS_RE.sub("", word) for word in words)


def _rot13(text: str) -> Iterator[Injection]:
    lower = _same_length_lower(text)
    if not any(hint in lower for hint in _ROT13_HINTS):
        return
    for injection in _in_view(codecs.decode(text, "rot13"), None):
        yield Injection(f"rot13:{injection.rule}", injection.start, injection.end)
