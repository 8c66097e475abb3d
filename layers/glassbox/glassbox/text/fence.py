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
_MARKER_RE: Final = regex.compile(
    r"[\[［](?!\u2060)(?=[\s\p{Cf}]*(?:[A-Z_][\p{Cf}]*){2,40}+[\s\p{Cf}]*[:：])", regex.IGNORECASE
)
# Each alternative takes the opening sign alone, so that every sign of "<<<s>" is looked at by itself; what follows is
# bounded. A sign that a word joiner follows is broken already.
_TAG_RE: Final = regex.compile(
    r"[<＜‹〈«](?!\u2060)(?=\s?[|｜¦][^<>＜＞‹›〈〉|｜¦\n]{1,60}[|｜¦]\s?[>＞›〉»])"
    r"|[<＜‹〈](?!\u2060)(?=\s?/?\s?(?:s|bos|eos|pad|unk|cls|sep|mask|think|thinking|system|user|assistant|human|model|tool"
    r"|developer|instructions?|prompt|unused[0-9]{1,4}|[A-Z][A-Z0-9]{0,24}(?:[_▁][A-Z0-9]{1,24}){1,6}+)\s?[>＞›〉])"
    r"|[<＜‹〈](?!\u2060)(?=[<＜‹〈]\s?[/\\]?\s?[A-Z_]{2,40}\s?[>＞›〉]{2})"
    r"|[\[［](?!\u2060)(?=\s?[/\\]?\s?(?:INST|SYS|SYSTEM|USER|ASSISTANT|IMG|PREFIX|SUFFIX|MIDDLE|CLS|SEP|MASK|PAD|BOS|EOS|UNK"
    r"|ARGS|THINK|[A-Z][A-Z0-9]{0,24}(?:_[A-Z0-9]{1,24}){1,6}+)\s?[\]］])",
    regex.IGNORECASE,
)
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

    Broken are brackets of the form "[NAME:" (DeepEval's "[DEEPEVAL:IMAGE:...]" among them) and the role and control
    tokens of chat templates: "<|im_start|>" and its full-width kin, "<start_of_turn>" and other tags with an
    underscore, "<s>", "<system>", "<<SYS>>", "[INST]", "[SYSTEM_PROMPT]". The text reads as before, nothing else is
    changed, and a text that was broken once stays as it is.
    """
    broken = _MARKER_RE.sub(lambda match: match.group() + _BREAK, text)
    return _TAG_RE.sub(lambda match: match.group() + _BREAK, broken)
