"""Chat phrases around an answer ("Sure, here is ...", "I hope this helps"), which claim nothing about the world."""

from __future__ import annotations

from typing import Final

import regex

_MAX: Final = 240
_META_RE: Final = regex.compile(
    r"(?:(?:sure|certainly|absolutely|of course|no problem|great question|good question|okay|ok|alright|thank(?:s| "
    r"you)\b[^.!]{0,60}|you(?:'|’)re welcome|hello|hi|hi there|happy to help|glad to help)\s*[!.,:]*"
    r"(?:\s*(?:here(?:'|’)?s?|here is|here are|below is|below are|let me|let(?:'|’)s|i(?:'|’)ll|i will|i(?:'|’)d be"
    r"|i can|i would be)\b.{0,200})?"
    r"|(?:here(?:'|’)s|here is|here are|below is|below are|the following (?:is|are))\b.{0,160}:"
    r"|(?:i(?:'|’)d be|i would be|i(?:'|’)m|i am) (?:happy|glad|pleased) to (?:help|assist)\b.{0,120}"
    r"|(?:i )?hope (?:this|that|it|these)\b.{0,120}"
    r"|(?:please )?(?:let me know|feel free|don(?:'|’)t hesitate|do not hesitate|reach out)\b.{0,160}"
    r"|if you (?:have|need|would like|want|require) (?:any |further |more |additional |other )+.{0,160}"
    r"|is there anything else\b.{0,120}"
    r"|as an ai\b.{0,80}(?:model|assistant)[,.]?"
    r"|(?:in )?(?:summary|conclusion|short|answer|note|overall)\s*:"
    r"|(?:gerne|natürlich|selbstverständlich|klar)[!.,]?(?:\s*hier (?:ist|sind)\b.{0,160})?|hier (?:ist"
    r"|sind)\b.{0,160}:|ich hoffe,? (?:das|dies)\b.{0,120}"
    r"|(?:bien sûr|avec plaisir|certainement)\s*[!.,]?(?:\s*voici\b.{0,160})?|voici\b.{0,160}:|j(?:'|’)espère "
    r"que\b.{0,120}"
    r"|(?:claro|por supuesto|con gusto)[!.,]?(?:\s*aquí\b.{0,160})?|espero que (?:esto|te|le)\b.{0,120}"
    r"|(?:certo|certamente|ecco)[!.,]?(?:\s*ecco\b.{0,160})?:?|spero che\b.{0,120}"
    r"|(?:当然|好的|没问题|希望这|希望对)[^。]{0,60}[。！：:]?)",
    regex.IGNORECASE | regex.DOTALL,
)


def is_meta(sentence: str) -> bool:
    """Return whether the whole sentence is a phrase of the conversation rather than part of the answer.

    Known are the usual openings and closings in English, a few in German, French, Spanish, Italian and Chinese. A
    sentence of more than 240 characters never is one.
    """
    text = " ".join(sentence[: _MAX + 1].split()).strip("*_ ")
    return len(text) <= _MAX and bool(_META_RE.fullmatch(text.rstrip(".!")) or _META_RE.fullmatch(text))
