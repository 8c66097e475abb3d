"""Sentences made from patterns, for kinds the corpora hardly show: money, quantities, dates, products, substances."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from corpora import SPLITTER, Sentence, Span

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = (
    "km",
    "kg",
    "miles",
    "litres",
    "GB",
    "MB",
    "users",
    "customers",
    "employees",
    "people",
    "orders",
    "pages",
    "degrees",
    "milligrams",
    "hectares",
    "patients",
    "seats",
    "units",
    "tokens",
    "watts",
    "points",
    "requests",
)
_SPANS = ("days", "weeks", "months", "years", "hours", "minutes", "business days", "working days", "calendar days")
_WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twelve",
    "twenty",
    "thirty",
    "ninety",
)
_BRANDS = (
    "Orion",
    "Falcon",
    "Aurora",
    "Vertex",
    "Nimbus",
    "Quantum",
    "Zephyr",
    "Atlas",
    "Pioneer",
    "Comet",
    "Helix",
    "Lumen",
    "Pulse",
    "Echo",
    "Titan",
    "Nova",
    "Apex",
    "Swift",
    "Ranger",
    "Breeze",
)
_MODELS = ("X1", "Pro", "200", "Max", "Mini", "S7", "Plus", "Air", "3000", "Go", "GT", "Z", "5", "Cloud", "Studio")
_SUBSTANCES = (
    "aspirin",
    "ibuprofen",
    "paracetamol",
    "metformin",
    "insulin",
    "caffeine",
    "ethanol",
    "sodium chloride",
    "carbon dioxide",
    "oxygen",
    "nitrogen",
    "glucose",
    "penicillin",
    "amoxicillin",
    "lithium",
    "warfarin",
    "acetylsalicylic acid",
    "methane",
    "ammonia",
    "hydrogen peroxide",
    "hemoglobin",
    "collagen",
    "calcium",
)
_PATTERNS = (
    "{ORG} reported revenue of {MONEY} in {TIME} , up {NUM} from {TIME} .",
    "Customers can return an item within {TIME} for a full refund of {MONEY} .",
    "The fee is {MONEY} per month and rises to {MONEY} after {TIME} .",
    "{PER} bought the {PRODUCT} for {MONEY} on {TIME} .",
    "The {PRODUCT} weighs {NUM} and costs {MONEY} .",
    "{ORG} will pay {MONEY} to settle the claim by {TIME} .",
    "On {TIME} , {PER} joined {ORG} in {LOC} .",
    "{ORG} was founded on {TIME} by {PER} and {PER} .",
    "Shipping takes {TIME} and is free for orders above {MONEY} .",
    "Adults should take {NUM} of {SUBSTANCE} every {TIME} .",
    "{SUBSTANCE} should not be taken with {SUBSTANCE} .",
    "The plant in {LOC} emits {NUM} of {SUBSTANCE} a year .",
    "The contract of {TIME} between {ORG} and {ORG} is worth {MONEY} .",
    "About {NUM} attended in {TIME} , compared with {NUM} in {TIME} .",
    "The warranty of the {PRODUCT} lasts {TIME} .",
    "{PER} earns {MONEY} a year at {ORG} .",
    "{ORG} opened an office in {LOC} with {NUM} .",
    "The price of the {PRODUCT} fell from {MONEY} to {MONEY} since {TIME} .",
    "Profit grew by {NUM} to {MONEY} .",
    "{LOC} has a population of {NUM} as of {TIME} .",
    "In {TIME} , {PER} was born in {LOC} .",
    "{ORG} released the {PRODUCT} in {LOC} on {TIME} .",
    "The policy covers damage up to {MONEY} and theft up to {MONEY} .",
    "You have {TIME} to cancel , after which {MONEY} is charged .",
    "The dose of {SUBSTANCE} was raised from {NUM} to {NUM} .",
    "Does the {PRODUCT} support {NUM} ?",
    "how much is the {PRODUCT} in {LOC} ?",
    "{PER} said that {ORG} would hire {NUM} by {TIME} .",
    "The loan of {MONEY} carries interest of {NUM} .",
    "Please contact us within {TIME} of delivery .",
)


def _money(rng: Random) -> str:
    amount = rng.choice(
        (
            f"{rng.randint(1, 999)}",
            f"{rng.randint(1, 99)}.{rng.randint(10, 99)}",
            f"{rng.randint(1, 99)},{rng.randint(100, 999)}",
            f"{rng.randint(1, 99)}.{rng.randint(1, 9)}",
        )
    )
    scale = rng.choice(("", "", "", " million", " billion", "k", "m"))
    shape = rng.random()
    if shape < 0.6:
        return rng.choice(("$", "$", "$", "\u20ac", "\u00a3", "US$")) + amount + scale
    name = rng.choice(("dollars", "euros", "USD", "EUR", "GBP", "pounds", "yen", "rupees", "cents", "US dollars"))
    return f"{amount}{scale if len(scale) > 1 else ''} {name}"


def _time(rng: Random) -> str:
    year, month, day = rng.randint(1900, 2026), rng.choice(_MONTHS), rng.randint(1, 28)
    count = rng.choice((str(rng.randint(2, 120)), rng.choice(_WORDS)))
    return rng.choice(
        (
            f"{day} {month} {year}",
            f"{month} {day} , {year}",
            f"{month} {year}",
            f"{year}",
            f"{year}",
            f"{month} {day}",
            f"{year}-{rng.randint(1, 12):02d}-{day:02d}",
            f"{rng.randint(1, 12)}/{day}/{year}",
            f"{count} {rng.choice(_SPANS)}",
            f"{count} {rng.choice(_SPANS)}",
            f"Q{rng.randint(1, 4)} {year}",
            f"the {rng.randint(15, 20)}th century",
            "last year",
            rng.choice(_DAYS),
            f"{rng.choice(_DAYS)} , {day} {month}",
            f"the {year // 10 * 10}s",
            "yesterday",
            "next month",
        )
    )


def _number(rng: Random) -> str:
    value = rng.choice(
        (
            str(rng.randint(2, 999)),
            f"{rng.randint(1, 999)},{rng.randint(100, 999)}",
            rng.choice(_WORDS),
            f"{rng.randint(1, 99)}.{rng.randint(1, 9)}",
            f"{rng.randint(2, 99)} million",
        )
    )
    if rng.random() < 0.3:
        return f"{value}%" if value[0].isdigit() and "million" not in value else f"{value} percent"
    return f"{value} {rng.choice(_UNITS)}"


def _product(rng: Random) -> str:
    name = rng.choice(_BRANDS)
    if rng.random() < 0.7:
        name += " " + rng.choice(_MODELS)
    return name


def sentences(mentions: dict[str, list[str]], count: int, rng: Random) -> Iterator[Sentence]:
    """Yield ``count`` sentences; ``mentions`` gives names for PER, ORG and LOC, taken from the training corpora."""
    for _ in range(count):
        words: list[str] = []
        spans: list[Span] = []
        for token in rng.choice(_PATTERNS).split():
            if not token.startswith("{"):
                words.append(token)
                continue
            kind = token[1:-1]
            text = {"MONEY": _money, "TIME": _time, "NUM": _number, "PRODUCT": _product}.get(
                kind, lambda r, k=kind: r.choice(_SUBSTANCES if k == "SUBSTANCE" else mentions[k])
            )(rng)
            start = len(words)
            words.extend(SPLITTER.findall(text))
            spans.append(Span(start, len(words), kind))
        if rng.random() < 0.1:
            words[-1:] = []
            spans = [s for s in spans if s.end <= len(words)]
        yield Sentence(tuple(words), tuple(spans), "generated")
