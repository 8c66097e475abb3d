"""Digits of every script, grouped and decimal numbers in several conventions, and numbers spelled in English."""

from __future__ import annotations

import sys
import unicodedata
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

import regex

from glassbox.text._words import words

_SPACES: Final = "\u00a0\u2007\u2009\u202f"
_MAX_DIGITS: Final = 40
_GROUPED_RE: Final = regex.compile(r"\d{1,3}(?:([,.'’ ])\d{3})(?:\1\d{3})*(?:([.,])(\d+))?")
_INDIAN_RE: Final = regex.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")


# What `parse_number` reads; a run of digits and separators that it doesn't is a version ("3.11.7") or a list ("1,2,3").
READABLE_RE: Final = regex.compile(
    r"[0-9]+(?:[.,][0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
DOTTED_RE: Final = regex.compile(r"[0-9]+(?:\.[0-9]+){2,}")


class Number(NamedTuple):
    """A number as read, and the other value it could have where its separator is ambiguous ("1.234")."""

    value: Decimal
    alternative: Decimal | None = None


@cache
def _folding() -> dict[int, str]:
    table = {ord(space): " " for space in _SPACES} | {0x066B: ".", 0x066C: ",", 0x2212: "-", 0xFE63: "-", 0xFF0D: "-"}
    table |= {0xFF05: "%", 0x066A: "%", 0xFE6A: "%", 0xFF0E: ".", 0xFF04: "$", 0xFFE1: "£", 0xFFE5: "¥", 0x2032: "'"}
    for code in range(0x660, sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) == "Nd":
            table[code] = str(unicodedata.decimal(char))
    return table


def fold_digits(text: str) -> str:
    """Return the text with decimal digits, separators, spaces and minus signs of all scripts as their ASCII ones.

    Every character is replaced by exactly one, so offsets stay as they are.
    """
    return text if text.isascii() else text.translate(_folding())


def parse_number(written: str) -> Number | None:
    """Return the number written in ASCII digits, None for more than 40 digits.

    A point that occurs once before exactly three digits is ambiguous: "1.234" is read as 1.234, with 1234 as its
    alternative. A comma there groups thousands: read both ways, "3,400 million" would be equal to "3.4 million".
    """
    if sum(char.isdigit() for char in written) > _MAX_DIGITS:
        return None
    if _INDIAN_RE.fullmatch(written):
        return Number(Decimal(written.replace(",", "")))
    grouped = _GROUPED_RE.fullmatch(written)
    if grouped is None:
        return Number(Decimal(written.replace(",", ".")))
    mark, decimal_mark, fraction = grouped.group(1), grouped.group(2), grouped.group(3)
    whole = written[: grouped.start(2)] if decimal_mark else written
    value = Decimal("".join(char for char in whole if char.isdigit()) + (f".{fraction}" if fraction else ""))
    if mark in ",." and not decimal_mark and written.count(mark) == 1:
        decimal = Decimal(written.replace(",", "."))
        if written.startswith("0"):
            return Number(decimal)
        return Number(decimal, value) if mark == "." else Number(value)
    return Number(value)


_UNITS: Final = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
            "sixteen seventeen eighteen nineteen",
        )
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SCALES: Final = {
    "hundred": 100, "dozen": 12, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_ANY: Final = "|".join([*_UNITS, *_TENS, *_SCALES])
_SMALL: Final = "|".join([*_UNITS, *_TENS])
# A pattern for the standard library's `re`, which tries it at every word of a text.
SPELLED: Final = (
    rf"(?:(?:{_SMALL})\b|an?\s+(?=(?:hundred|dozen|thousand|million|billion|trillion)\b))"
    rf"(?:[\s-]?(?:and\s+)?\b(?:{_ANY})\b){{0,11}}+"
)
_WORD_RE: Final = regex.compile(r"[a-z]+")

_ORDINAL_UNITS: Final = words(
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth",
    "sixteenth seventeenth eighteenth nineteenth twentieth",
)
ORDINAL_WORDS: Final = {word: value for value, word in enumerate(_ORDINAL_UNITS, start=3)}


def parse_spelled(words: str) -> Decimal | None:
    """Return the value of an English number in words ("two hundred and five"), None if the words make no number."""
    total, current = 0, 0
    last = 10**15
    for word in _WORD_RE.findall(words.lower()):
        if word in ("and", "a", "an"):
            current = current or (1 if word != "and" else 0)
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            if scale <= 100:
                current = max(1, current) * scale
            else:
                total += max(1, current) * scale
                current = 0
            last = scale
        else:
            value = _UNITS.get(word, _TENS.get(word, 0))
            # "nineteen eighty" is a year or two numbers, "five six" a list: neither is a sum.
            if current % 100 and not (current % 10 == 0 and current % 100 >= 20 and 0 < value < 10):
                return None
            if last < 10 and value >= last:
                return None
            current += value
            last = 10**15
    return Decimal(total + current)


def canonical(value: Decimal) -> str:
    """Return the plain decimal form without exponent or trailing zeros; "-0" is "0"."""
    if value == 0:
        return "0"
    plain = format(value, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
