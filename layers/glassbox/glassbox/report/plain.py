"""Evaluated text made safe to look at: escaped, with every invisible character shown, never longer than asked."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from markupsafe import Markup, escape

# Invisible format characters that carry a glyph of their own in Arabic and Syriac, so they need no label.
_VISIBLE_FORMATS: Final = "\u0600-\u0605\u06dd\u070f\u08e2"
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_JOINERS: Final = "\u200c\u200d"
# After a character of these categories a joiner is spelling (Persian, Hindi) or part of an emoji.
_JOINABLE: Final = frozenset({"Lo", "Mn", "Mc", "So", "Sk"})


def name_of(run: str) -> str:
    """Return the code points of a run of invisible characters, such as `U+202E` or `U+200B ×12`."""
    first = f"U+{ord(run[0]):04X}"
    if len(run) == 1:
        return first
    if run.count(run[0]) == len(run):
        return f"{first} ×{len(run)}"
    distinct = sorted({ord(c) for c in run})
    shown = " ".join(f"U+{c:04X}" for c in distinct[:4])
    return f"{shown} … ×{len(run)}"


def _is_spelling(text: str, match: re.Match[str]) -> bool:
    run = match.group()
    if len(run) > 1 or run not in _JOINERS or match.start() == 0:
        return False
    return unicodedata.category(text[match.start() - 1]) in _JOINABLE


def visible(text: str) -> str:
    """Return plain text in which each run of control, bidi or zero-width characters reads `[U+202E]`.

    Line feed and tab stay. The result holds no character that a terminal or a text direction obeys. Linear time.
    """
    return _HIDDEN.sub(lambda m: m.group() if _is_spelling(text, m) else f"[{name_of(m.group())}]", text)


def markup(text: str) -> Markup:
    """Return HTML of the text: escaped, invisible characters as labelled boxes, line feeds and tabs as they are."""
    parts: list[str] = []
    end = 0
    for match in _HIDDEN.finditer(text):
        if _is_spelling(text, match):
            continue
        parts.append(str(escape(text[end : match.start()])))
        parts.append(f'<span class="ctl">{name_of(match.group())}</span>')
        end = match.end()
    parts.append(str(escape(text[end:])))
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def one_line(text: str) -> str:
    """Return `visible` text on one line, each run of white space as one space."""
    return " ".join(visible(text.replace("\r", " ")).split())


def shorten(text: str, limit: int) -> str:
    """Return the text, or its first `limit` - 1 characters and an ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
