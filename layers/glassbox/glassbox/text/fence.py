"""Evaluated text as quoted data: a fence that the text can't foresee, and markers broken that libraries act on."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

import regex

_FENCE_LENGTH: Final = 32
_DOMAIN: Final = b"glassbox:fence:1\x00"
# "[DEEPEVAL:IMAGE:/path]" makes a library read that file; other brackets of the same make may follow, so that the
# whole form "[WORDS:" is broken, in any case and with zero-width or full-width characters in between.
_MARKER_RE: Final = regex.compile(r"[\[［](?=[\s\p{Cf}]*(?:[A-Z_][\p{Cf}]*){2,40}+[\s\p{Cf}]*[:：])", regex.IGNORECASE)
_TAG_RE: Final = regex.compile(r"<\|(?=[\p{L}_ ]{1,40}\|>)|\[(?=/?(?:INST|SYS)\])|<<(?=/?SYS>>)", regex.IGNORECASE)
_BREAK: Final = "\u2060"


def fence(salt: bytes, field: str) -> str:
    """Return the fence for one field of one evaluation: "GB-" and 32 hexadecimal digits of HMAC-SHA256(salt, field).

    Nobody without the salt can foresee it, and each field has its own, so that a text can't close its own quotation or
    open another's. ValueError for a salt of fewer than 16 bytes or an empty field.
    """
    if len(salt) < 16 or not field:
        raise ValueError("a fence needs a salt of at least 16 bytes and the name of a field")
    digest = hmac.new(salt, _DOMAIN + field.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"GB-{digest[:_FENCE_LENGTH]}"


def quote_as_data(text: str, fence: str) -> str:
    """Return the text between two lines that hold the fence, with its markers broken.

    ValueError when the text holds the fence itself, which happens only where the salt was given away.
    """
    if fence in text:
        raise ValueError("the text holds its own fence")
    return f"<<<{fence}\n{break_markers(text)}\n{fence}>>>"


def break_markers(text: str) -> str:
    """Return the text with a word joiner (U+2060) inside every marker that library or model code acts on.

    Broken are brackets of the form "[NAME:" (DeepEval's "[DEEPEVAL:IMAGE:...]" among them) and the role tokens of chat
    templates ("<|im_start|>", "[INST]", "<<SYS>>"). The text reads as before; nothing else is changed.
    """
    broken = _MARKER_RE.sub(lambda match: match.group() + _BREAK, text)
    return _TAG_RE.sub(lambda match: match.group()[0] + _BREAK + match.group()[1:], broken)
