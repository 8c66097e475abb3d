"""Where the quantities of a text are, and what they mean: numbers read together with the words beside them."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

import regex

from glassbox.text._measures import FoundSuffix, currency_before, suffix_at
from glassbox.text._nouns import nouns_after
from glassbox.text._ranges import share_units
from glassbox.text._reading import Reading
from glassbox.text._unit_tables import UNITS
from glassbox.text.dates import date_at
from glassbox.text.numerals import (
    DOTTED_RE,
    ORDINAL_WORDS,
    READABLE_RE,
    SPELLED,
    Number,
    canonical,
    fold_digits,
    parse_number,
    parse_spelled,
)
from glassbox.text.quantity import Quantity, QuantityKind

_ORDINALS: Final = "|".join(sorted(ORDINAL_WORDS, key=lambda word: (-len(word), word)))
# Digits and words that could be a quantity; whether they are is decided by what stands beside them.
_ANCHOR_RE: Final = re.compile(
    rf"(?P<digits>[0-9]++(?:[.,][0-9]++)*+)|\b(?:(?P<spelled>{SPELLED})|(?P<ordinal>{_ORDINALS})\b)",
    re.IGNORECASE | re.ASCII,
)
_GROUPED_BY_SPACE_RE: Final = re.compile(r"[0-9]{1,3}(?:([ '’])[0-9]{3})(?:\1[0-9]{3})*+(?![0-9])(?:[.,][0-9]++)?+")
_LETTER_RE: Final = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}_]")
_IDENTIFIER_LEFT_RE: Final = regex.compile(r"\p{L}[-/_]$|[\p{L}\d][:/]$|[#@]$|\d\.$")
_URL_LEFT_RE: Final = regex.compile(r"(?:://|www\.)\S*$")
_SIGN_RE: Final = regex.compile(r"(?:^|[\s(\[:=])(-|minus\s|negative\s)$", regex.IGNORECASE)
_APPROXIMATE_RE: Final = regex.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|over|more\sthan|under|less\sthan"
    r"|up\sto|at\sleast|at\smost|"
    r"etwa|rund|ungefähr|environ|près\sde|alrededor\sde|unos|casi|około|prawie|cerca\sde|quasi|约|大约|超过|近|约为|≈|~|حوالي"
    r"|نحو|लगभग)\s*$",
    regex.IGNORECASE,
)
_ORDINAL_SUFFIX_RE: Final = regex.compile(r"(?:st|nd|rd|th)(?![\p{L}\d])", regex.IGNORECASE)
_DECADE_RE: Final = regex.compile(r"['’]?s(?![\p{L}\d])")
_NEXT_AMOUNT_RE: Final = regex.compile(r"\s?\d")
_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2199
_BEFORE: Final = 24
_LONGEST: Final = 60


def extract_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of the text in order of appearance, without overlap.

    Read are digits of every script; "1,234.56", "1.234,56" and "1 234,56"; English numbers in words; percentages,
    money, measures, dates, times, years, decades and ordinals in the languages of the tables. Left out are numbers that
    are part of a name ("COVID-19", "H2O", "A4") or of an address, runs of more than 60 digits, "one", "first" and
    "second" where they need not count anything, and plurals ("thousands of").
    """
    folded = fold_digits(text)
    found: list[Quantity] = []
    end = 0
    for match in _ANCHOR_RE.finditer(folded):
        if match.start() < end or match.end() - match.start() > _LONGEST:
            continue
        read = _read(folded, match)
        if read and read[0].start < end:
            # The sign before it is the last one's ("5$ 6"): read again without what is taken.
            read = _read(" " * end + folded[end:], match)
        found += read
        end = read[-1].end if read else end
    return tuple(share_units(folded, found))


def _read(text: str, match: re.Match[str]) -> tuple[Quantity, ...]:
    start, end = match.span()
    if match["digits"]:
        return _read_digits(text, start, end)
    if (start and (text[start - 1].isalpha() or text[start - 1] in "-_'’")) or text[end : end + 1].isalpha():
        return ()
    if match["ordinal"]:
        value = str(ORDINAL_WORDS[match["ordinal"].lower()])
        return (Quantity("ordinal", value, "", start, end, nouns=nouns_after(text, end), spelled=True),)
    value_of_words = parse_spelled(match["spelled"])
    if value_of_words is None:
        return ()
    return _interpret(text, Reading(Number(value_of_words), start, end, spelled=True, grouped=False, approximate=False))


def _read_digits(text: str, start: int, end: int) -> tuple[Quantity, ...]:
    if start and _LETTER_RE.match(text, start - 1):
        return ()
    date = date_at(text, start)
    if date is not None:
        return (Quantity(date.kind, date.value, "", date.start, date.end, alternative=date.alternative),)
    before = text[max(0, start - _BEFORE) : start]
    if before and not before[-1].isspace() and (_IDENTIFIER_LEFT_RE.search(before) or _URL_LEFT_RE.search(before)):
        return ()
    spaced = _GROUPED_BY_SPACE_RE.match(text, start)
    if spaced is not None and spaced.end() - start <= _LONGEST:
        end = spaced.end()
    written = text[start:end]
    if spaced is None and not READABLE_RE.fullmatch(written):
        if DOTTED_RE.fullmatch(written):
            return (Quantity("number", written, "version", start, end),)
        return _list_of_numbers(start, written)
    number = parse_number(written)
    if number is None:
        return ()
    return _interpret(
        text, Reading(number, start, end, spelled=False, grouped=not written.isdigit(), approximate=False)
    )


def _list_of_numbers(start: int, written: str) -> tuple[Quantity, ...]:
    """Return the parts of "1,2,3": separators that group nothing separate."""
    found: list[Quantity] = []
    at = start
    for part in written.split(","):
        number = parse_number(part) if READABLE_RE.fullmatch(part) else None
        if number is not None:
            found.append(Quantity("number", canonical(number.value), "", at, at + len(part)))
        at += len(part) + 1
    return tuple(found)


def _interpret(text: str, reading: Reading) -> tuple[Quantity, ...]:
    currency = None if reading.spelled else currency_before(text, reading.start)
    at = currency.start if currency else reading.start
    before = text[max(0, at - _BEFORE) : at]
    sign = _SIGN_RE.search(before)
    if sign is not None:
        before = before[: sign.start(1)]
        at -= sign.end(1) - sign.start(1)
    if sign is not None or (currency is not None and currency.negative):
        other = reading.number.alternative
        reading.number = Number(-reading.number.value, None if other is None else -other)
    reading.start = at
    reading.approximate = bool(_APPROXIMATE_RE.search(before))
    following = _take_scale(text, reading, is_money=currency is not None)
    if currency is not None:
        return (_quantity(reading, "money", currency.code),)
    if following is not None:
        quantity = _with_suffix(text, reading, following)
        if quantity is not None:
            return (quantity,)
    bare = _bare(text, reading)
    return () if bare is None else (bare,)


def _take_scale(text: str, reading: Reading, *, is_money: bool) -> FoundSuffix | None:
    """Take a scale word into the number and return what follows it (or the number, where there is no scale)."""
    following = suffix_at(text, reading.end)
    if (
        is_money
        and text[reading.end : reading.end + 1] in ("m", "M")
        and not text[reading.end + 1 : reading.end + 2].isalnum()
    ):
        power, end = 6, reading.end + 1  # five metres is "5m", but five million is "$5m"
    elif (
        following is not None
        and following.suffix.kind == "scale"
        and _is_scale(text, reading.end, following, is_money=is_money)
    ):
        power, end = int(following.suffix.key), following.end
    else:
        return following
    factor = Decimal(10) ** power
    other = reading.number.alternative
    reading.number = Number(reading.number.value * factor, None if other is None else other * factor)
    reading.approximate = reading.approximate or not reading.spelled
    reading.end = end
    return suffix_at(text, end)


def _is_scale(text: str, at: int, found: FoundSuffix, *, is_money: bool) -> bool:
    """Return whether the short scales "k" and "b" are meant: attached, and "b" with money only."""
    name = text[at : found.end]
    if name in ("b", "B"):
        return is_money
    return len(name.strip(" -.")) > 1 or name in ("k", "K") or not name.strip(" -").isascii()


def _with_suffix(text: str, reading: Reading, following: FoundSuffix) -> Quantity | None:
    kind, key = following.suffix
    if kind == "unit":
        if _is_decade(text, reading):
            return None
        unit = UNITS[key]
        other = reading.number.alternative
        reading.number = Number(
            reading.number.value * unit.factor + unit.offset,
            None if other is None else other * unit.factor + unit.offset,
        )
        reading.end = following.end
        return _quantity(reading, "measure", unit.base, written=key)
    if kind == "scale" or (kind == "currency" and _NEXT_AMOUNT_RE.match(text, following.end) and _apart(text, reading)):
        return None
    reading.end = following.end
    return _quantity(reading, "percent", "%") if kind == "percent" else _quantity(reading, "money", key)


def _apart(text: str, reading: Reading) -> bool:
    """Return whether a space follows the number: in "in 2023 $5 million" the sign belongs to what comes after it."""
    return text[reading.end : reading.end + 1].isspace()


def _is_year(reading: Reading) -> bool:
    return not reading.grouped and not reading.spelled and _FIRST_YEAR <= reading.number.value <= _LAST_YEAR


def _is_decade(text: str, reading: Reading) -> bool:
    return _is_year(reading) and reading.number.value % 10 == 0 and _DECADE_RE.match(text, reading.end) is not None


def _bare(text: str, reading: Reading) -> Quantity | None:
    end = reading.end
    value = reading.number.value
    suffix = _ORDINAL_SUFFIX_RE.match(text, end)
    if suffix is not None and not reading.spelled:
        return Quantity(
            "ordinal", canonical(value), "", reading.start, suffix.end(), nouns=nouns_after(text, suffix.end())
        )
    if _is_decade(text, reading):
        decade = _DECADE_RE.match(text, end)
        return Quantity("year", f"{canonical(value)}s", "", reading.start, decade.end() if decade else end)
    if _LETTER_RE.match(text, end) or (reading.spelled and value == 1):
        return None
    nouns = nouns_after(text, end)
    if _is_year(reading) and not nouns:
        return Quantity("year", canonical(value), "", reading.start, end)
    return replace(_quantity(reading, "number", ""), nouns=nouns)


def _quantity(reading: Reading, kind: QuantityKind, unit: str, written: str = "") -> Quantity:
    other = reading.number.alternative
    return Quantity(
        kind,
        canonical(reading.number.value),
        unit,
        reading.start,
        reading.end,
        alternative="" if other is None else canonical(other),
        written=written or unit,
        approximate=reading.approximate,
        spelled=reading.spelled,
    )
