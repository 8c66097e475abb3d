"""Dates and times of day in several languages and orders, as ISO values."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import regex

DateKind = Literal["date", "year", "time"]


class FoundDate(NamedTuple):
    """A date ("2021-03-03", "2021-03", "--03-03"), a year with its mark ("2021年") or a time ("15:30") at `start:end`.

    `alternative` is the other reading of a numeric date whose day and month could be exchanged, else "".
    """

    kind: DateKind
    value: str
    start: int
    end: int
    alternative: str = ""


_MONTH_NAMES: Final = (
    "January Jan janvier januari Januar Jänner enero gennaio janeiro janeiro stycznia styczeń январь января يناير "
    "जनवरी มกราคม",
    "February Feb février februari Februar febrero febbraio fevereiro lutego luty февраль февраля فبراير फ़रवरी "
    "फरवरी กุมภาพันธ์",
    "March Mar mars maart März marzo março marca marzec март марта مارس मार्च มีนาคม",
    "April Apr avril april April abril aprile abril kwietnia kwiecień апрель апреля أبريل إبريل अप्रैल เมษายน",
    "May mai mei Mai mayo maggio maio maja maj май мая مايو मई พฤษภาคม",
    "June Jun juin juni Juni junio giugno junho czerwca czerwiec июнь июня يونيو जून มิถุนายน",
    "July Jul juillet juli Juli julio luglio julho lipca lipiec июль июля يوليو जुलाई กรกฎาคม",
    "August Aug août augustus August agosto sierpnia sierpień август августа أغسطس अगस्त สิงหาคม",
    "September Sept Sep septembre september septiembre settembre setembro września wrzesień сентябрь сентября سبتمبر "
    "सितंबर सितम्बर กันยายน",
    "October Oct octobre oktober Oktober octubre ottobre outubro października październik октябрь октября أكتوبر "
    "अक्टूबर ตุลาคม",
    "November Nov novembre november noviembre novembro listopada listopad ноябрь ноября نوفمبر नवंबर नवम्बर พฤศจิกายน",
    "December Dec décembre december Dezember diciembre dicembre dezembro grudnia grudzień декабрь декабря ديسمبر "
    "दिसंबर दिसम्बर ธันวาคม",
)  # fmt: skip
# Spelled as written above: "may" and "march" in lower case are verbs.
_MONTHS: Final = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
_MONTH: Final = r"(?:" + "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name))) + r")(?![\p{L}\p{M}])\.?"
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR: Final = r"(?:1\d{3}|20\d{2}|21\d{2})(?!\d)"
_LINK: Final = r"(?:\s+(?:of|de|del|do|di))?\s+"
_ORDINAL: Final = r"(?:st|nd|rd|th|er|º|\.)?"

_DIGIT_FIRST_RE: Final = regex.compile(
    rf"(?P<iso>(?P<iy>{_YEAR})(?P<sep>[-/.])(?P<im>0?[1-9]|1[0-2])(?P=sep)(?P<id>{_DAY})(?!\d|[-/.]\d))"
    rf"|(?P<num>(?P<a>\d{{1,2}})(?P<nsep>[-/.])\s?(?P<b>\d{{1,2}})(?P=nsep)\s?(?P<ny>{_YEAR})(?![-/]\d))"
    rf"|(?P<dm>(?P<dmd>{_DAY}){_ORDINAL}{_LINK}(?P<dmm>{_MONTH})(?:,?{_LINK}(?P<dmy>{_YEAR}))?)"
    rf"|(?P<clock>(?P<ch>[01]?\d|2[0-3])[:h](?P<cm>[0-5]\d)(?::[0-5]\d)?(?!\d|:)(?:\s?(?P<cap>[ap]\.?m\b\.?))?)"
    rf"|(?P<uhr>(?P<uh>[01]?\d|2[0-4])(?:[.:](?P<um>[0-5]\d))?\s?Uhr\b)"
    rf"|(?P<half>(?P<hh>0?[1-9]|1[0-2])(?:[.:](?P<hm>[0-5]\d))?\s?(?P<hap>[ap]\.?m)\b\.?)"
    rf"|(?P<cjk>(?:(?P<cy>\d{{4}})年\s?)?(?P<cmo>0?[1-9]|1[0-2])月(?:\s?(?P<cd>{_DAY})[日号號])?)"
    rf"|(?P<cjy>(?P<cyy>\d{{4}})年)"
    rf"|(?P<kor>(?:(?P<ky>\d{{4}})년\s?)?(?P<km>0?[1-9]|1[0-2])월(?:\s?(?P<kd>{_DAY})일)?)"
)
_MONTH_FIRST_RE: Final = regex.compile(
    rf"(?P<md>(?P<mdm>{_MONTH})\s+(?P<mdd>{_DAY})(?:st|nd|rd|th)?(?![\p{{L}}\d:.,]*\d)(?:,?\s+(?P<mdy>{_YEAR}))?(?!\d))"
    rf"|(?P<my>(?P<mym>{_MONTH}),?{_LINK}(?P<myy>{_YEAR}))"
)
_MONTH_BEFORE_RE: Final = regex.compile(r"(?<![\p{L}\p{M}])([\p{L}\p{M}]{3,12})\.?,?\s+(?:(?:of|de|del|do|di)\s+)?$")
_LOOK_BACK: Final = 24
# "10-12 May": the second day of a range begins a date.
_DAY_RANGE_RE: Final = regex.compile(r"(?:^|(?<![\d.,/:-]))\d{1,2}-$")


def date_at(text: str, at: int) -> FoundDate | None:
    """Return the date or time of day whose first digit is at `at`, None if there is none. `text` has ASCII digits.

    "03.03.2021" is read day first; with "/" or "-" both orders are given where both are possible. A month with a year
    is "2021-03", a day with a month "--03-03". A month alone, and a year alone but for "2021年", is no date.
    """
    if (
        at
        and (text[at - 1].isdigit() or text[at - 1] in "_.,/:-")
        and not _DAY_RANGE_RE.search(text, max(0, at - 4), at)
    ):
        return None
    match = _DIGIT_FIRST_RE.match(text, at)
    if match is None:
        before = _MONTH_BEFORE_RE.search(text, max(0, at - _LOOK_BACK), at)
        if before is None or before.group(1) not in _MONTHS:
            return None
        match = _MONTH_FIRST_RE.match(text, before.start(1))
    return _read(match) if match is not None else None


_NOTHING: Final[dict[str, str]] = dict.fromkeys(
    ("md", "my", "iso", "num", "dm", "clock", "uhr", "half", "cjk", "cjy", "kor"), ""
)


def _read(match: regex.Match[str]) -> FoundDate | None:
    part = _NOTHING | match.groupdict()
    start, end = match.span()
    if part["clock"] or part["uhr"] or part["half"]:
        value = _time(part)
        return FoundDate("time", value, start, end) if value else None
    if part["num"]:
        return _numeric(part, start, end)
    if part["cjy"]:
        return FoundDate("year", part["cyy"], start, end)
    year, month, day = _fields(part)
    if part["cjk"] or part["kor"]:
        if not year and not day:
            return None
    elif not day and not year:
        return None
    return FoundDate("date", _iso(year, month, day), start, end)


def _fields(part: dict[str, str]) -> tuple[str, int, str]:
    if part["iso"]:
        return part["iy"], int(part["im"]), part["id"]
    if part["dm"]:
        return part["dmy"], _month(part["dmm"]), part["dmd"]
    if part["md"]:
        return part["mdy"], _month(part["mdm"]), part["mdd"]
    if part["my"]:
        return part["myy"], _month(part["mym"]), ""
    if part["cjk"]:
        return part["cy"], int(part["cmo"]), part["cd"]
    return part["ky"], int(part["km"]), part["kd"]


def _month(name: str) -> int:
    return _MONTHS[name.removesuffix(".")]


def _iso(year: str | None, month: int, day: str | None) -> str:
    head = year or "-"
    return f"{head}-{month:02d}-{int(day):02d}" if day else f"{head}-{month:02d}"


def _numeric(part: dict[str, str], start: int, end: int) -> FoundDate | None:
    first, second, year = int(part["a"]), int(part["b"]), part["ny"]
    day_first = _iso(year, second, str(first)) if 1 <= second <= 12 and 1 <= first <= 31 else ""
    month_first = _iso(year, first, str(second)) if 1 <= first <= 12 and 1 <= second <= 31 else ""
    if part["nsep"] == ".":
        month_first = ""
    value = day_first or month_first
    if not value:
        return None
    return FoundDate("date", value, start, end, month_first if month_first != value else "")


def _time(part: dict[str, str]) -> str:
    if part["clock"]:
        hour, minute, half = int(part["ch"]), part["cm"], part["cap"]
    elif part["uhr"]:
        hour, minute, half = int(part["uh"]), part["um"] or "00", None
    else:
        hour, minute, half = int(part["hh"]), part["hm"] or "00", part["hap"]
    if half:
        if hour > 12:
            return ""
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    return f"{hour % 24:02d}:{minute}"
