"""What a name before or after a number means: a scale, a percentage, a currency or a unit."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import regex

from glassbox.text._unit_tables import CURRENCIES, PERCENT, SCALES, UNITS

SuffixKind = Literal["scale", "percent", "currency", "unit"]


class Suffix(NamedTuple):
    """What a name after a number means: a scale (power of ten), a percentage, a currency or a unit."""

    kind: SuffixKind
    key: str


def _suffixes() -> dict[str, Suffix]:
    table: dict[str, Suffix] = {name: Suffix("unit", name) for name in UNITS}
    table |= {name: Suffix("currency", code) for name, code in CURRENCIES.items()}
    table |= {name: Suffix("percent", "%") for name in PERCENT}
    table |= {name: Suffix("scale", str(power)) for name, power in SCALES.items()}
    return table


SUFFIXES: Final = _suffixes()
# Short unit names mean something only in their own case: "5 W" is watts, "5 MW" isn't milliwatts, "A" is an article.
CASED: Final = {
    "w": "W", "mw": "MW", "kw": "kW", "gw": "GW", "v": "V", "kv": "kV", "mv": "mV", "j": "J", "kj": "kJ", "ma": "mA",
    "pa": "Pa", "t": "t", "h": "h", "s": "s",
    "g": "g", "m": "m", "mi": "mi", "ora": "ora", "min": "min", "ore": "ore", "hz": "Hz",
}  # fmt: skip
_MOST_WORDS: Final = 3
_LONGEST: Final = 32
_WORDS_RE: Final = regex.compile(r"[\p{L}\p{M}°℃℉µ%$€£¥₹₽₩₺₴₪₫฿¢²³/'.]+[23]?(?:[\s-][\p{L}\p{M}][\p{L}\p{M}']*){0,2}")
_UNSPACED_RE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_WORD_END_RE: Final = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}\p{Arabic}\p{Devanagari}\p{M}\d]")


class FoundSuffix(NamedTuple):
    """A suffix and where it ends in the text."""

    suffix: Suffix
    end: int


def suffix_at(text: str, at: int) -> FoundSuffix | None:
    """Return the longest known name that begins at `at`, after at most one space or hyphen; None if there is none."""
    start = at + 1 if text[at : at + 1] in (" ", "-") else at
    chunk = text[start : start + _LONGEST]
    folded = chunk.lower()
    if not chunk or len(folded) != len(chunk):
        return None
    if _UNSPACED_RE.match(chunk) or not chunk[0].isalpha():
        symbol = _by_prefix(folded)
        if symbol is not None:
            return FoundSuffix(SUFFIXES[symbol], start + len(symbol))
    return _by_words(chunk, folded, start)


def _by_prefix(chunk: str) -> str | None:
    """Return the longest name the chunk begins with; for symbols and scripts without spaces."""
    for length in range(min(8, len(chunk)), 0, -1):
        name = chunk[:length]
        if name in SUFFIXES and not (name[-1].isascii() and name[-1].isalpha() and _WORD_END_RE.match(chunk, length)):
            return name
    return None


def _by_words(chunk: str, folded: str, start: int) -> FoundSuffix | None:
    match = _WORDS_RE.match(folded)
    if match is None:
        return None
    end = match.end()
    words = match.group()
    for _ in range(_MOST_WORDS):
        for name, length in ((words, end), (words.rstrip("."), len(words.rstrip(".")))):
            key = name.replace("-", " ")
            found = SUFFIXES.get(key)
            if (
                found is not None
                and CASED.get(key, chunk[:length]) == chunk[:length]
                and not _WORD_END_RE.match(chunk, length)
            ):
                return FoundSuffix(found, start + length)
        cut = max(words.rfind(" "), words.rfind("-"))
        if cut <= 0:
            return None
        words, end = words[:cut], cut
    return None


_BEFORE_RE: Final = regex.compile(
    r"(?<!\p{L})((?:US|CA|AU|NZ|HK|[ACSR])?[$€£¥₹₽₩₺₴₪₫฿]|\p{L}{2,3}\.?)\s?(-?)$", regex.IGNORECASE
)


class FoundPrefix(NamedTuple):
    """A currency before a number: its code, where it begins, and whether a minus stands between them."""

    code: str
    start: int
    negative: bool


def currency_before(text: str, at: int) -> FoundPrefix | None:
    """Return the currency sign or code that ends right before `at`, None if there is none."""
    match = _BEFORE_RE.search(text, max(0, at - 6), at)
    if match is None:
        return None
    name = match.group(1)
    code = CURRENCIES.get(name.lower())
    if code is None or (name.isalpha() and not (name.isupper() or name == "Rs")):
        return None
    return FoundPrefix(code, match.start(), bool(match.group(2)))
