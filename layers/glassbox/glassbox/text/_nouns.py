"""What a bare number counts: the words that follow it."""

from __future__ import annotations

from typing import Final

import regex

from glassbox.text._words import words

_NOUNS_RE: Final = regex.compile(r"[ \t-]((?:[\p{L}\p{M}]+(?:[ \t-](?=[\p{L}]))?){1,3}+)")
_STOP_WORDS: Final = frozenset(
    words(
        "and or but of in on at by to from for with as is was are were be been has have had the a an this",
        "that these those it its he she they we you i not no after before during until since per each under",
        "over about between because while if so also only more less other than then when where which who",
    )
)


def nouns_after(text: str, end: int) -> tuple[str, ...]:
    """Return up to three words after the number that ends at `end`, lower-cased, without a plural "s"."""
    match = _NOUNS_RE.match(text, end, min(len(text), end + 80))
    if match is None:
        return ()
    nouns: list[str] = []
    for word in match.group(1).replace("-", " ").split():
        lower = word.lower()
        if lower in _STOP_WORDS:
            break
        nouns.append(lower[:-1] if len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss") else lower)
    return tuple(nouns)
