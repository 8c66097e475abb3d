"""Small changes that make a supported sentence false: one name, number, date, unit, comparison or negation.

Every function returns the changed sentence, or None where the sentence gives it nothing to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from claim_opposites import (
    AUXILIARY,
    CANNOT,
    CARDINALS,
    FLIP,
    FLIPPABLE,
    HEDGES,
    IRREGULAR,
    MONTH,
    MONTHS,
    NEGATION,
    NEVER,
    NUMBER,
    ORDINAL,
    ORDINALS,
    PAST,
    PRESENT,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    WORD_NUMBER,
    YEAR,
)


def _replace(sentence: str, match: re.Match[str], new: str) -> str:
    return sentence[: match.start()] + new + sentence[match.end() :]


def change_digit(sentence: str, rng: Random) -> str | None:
    """Change one digit of one number, never to a leading zero."""
    found = list(NUMBER.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    value = match.group()
    places = [i for i, char in enumerate(value) if char.isdigit()]
    place = rng.choice(places)
    digit = rng.choice([d for d in "123456789" if d != value[place]])
    return _replace(sentence, match, value[:place] + digit + value[place + 1 :])


def change_number(sentence: str, rng: Random) -> str | None:
    """Exchange a number for a plainly different one: scaled, shifted or of another magnitude."""
    found = [m for m in NUMBER.finditer(sentence) if not YEAR.fullmatch(m.group())]
    if not found:
        return None
    match = rng.choice(found)
    value = float(match.group().replace(",", "") or 0)
    new = rng.choice((value * 2, value * 10, value + rng.randint(1, 9), max(1.0, value // 2), value + 0.5))
    if new == value:
        new = value + 1
    shown = f"{new:,.0f}" if "," in match.group() else f"{new:g}" if value < 1e5 else f"{new:.0f}"
    return _replace(sentence, match, shown)


def change_year(sentence: str, rng: Random) -> str | None:
    """Move a year by one to thirty years."""
    found = list(YEAR.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    return _replace(
        sentence, match, str(int(match.group()) + rng.choice((-1, 1)) * rng.choice((1, 1, 2, 3, 5, 10, 30)))
    )


def _other(pattern: re.Pattern[str], values: list[str]) -> Callable[[str, Random], str | None]:
    def change(sentence: str, rng: Random) -> str | None:
        found = list(pattern.finditer(sentence))
        if not found:
            return None
        match = rng.choice(found)
        return _replace(sentence, match, rng.choice([v for v in values if v != match.group()]))

    return change


change_month = _other(MONTH, MONTHS)
change_weekday = _other(WEEKDAY, WEEKDAYS)
change_word_number = _other(WORD_NUMBER, CARDINALS[1:])
change_ordinal = _other(ORDINAL, ORDINALS)


def change_unit(sentence: str, rng: Random) -> str | None:
    """Exchange the unit behind a number for another unit of its kind."""
    options: list[tuple[re.Match[str], str]] = []
    for group in UNITS:
        end = "" if group[0] == "%" else r"\b"
        for match in re.finditer(r"(?<=\d) ?" + re.escape(group[0]) + end, sentence):
            space = " " if match.group().startswith(" ") else ""
            options.extend((match, space + other) for other in group[1:])
    if not options:
        return None
    match, new = rng.choice(options)
    return _replace(sentence, match, new)


def flip_comparison(sentence: str, rng: Random) -> str | None:
    """Exchange one word for its opposite (more/less, before/after, won/lost, northern/southern ...)."""
    found = list(FLIPPABLE.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    return _replace(sentence, match, rng.choice(FLIP[match.group()]))


def negate(sentence: str, rng: Random) -> str | None:
    """Remove a negation if there is one, else put one in behind an auxiliary or before a known verb."""
    match = NEGATION.search(sentence)
    if match:
        return _replace(sentence, match, match.group(1) + " ")
    if CANNOT.search(sentence):
        return CANNOT.sub("can", sentence, count=1)
    if NEVER.search(sentence):
        return NEVER.sub("", sentence, count=1)
    found = list(AUXILIARY.finditer(sentence))[:2]
    if found:
        match = found[0] if rng.random() < 0.8 else found[-1]
        word = match.group()
        new = "cannot" if word == "can" else f"{word} {rng.choice(('not', 'not', 'not', 'never'))}"
        return _replace(sentence, match, new)
    match = PAST.search(sentence)
    if match:
        new = rng.choice((f"did not {IRREGULAR[match.group()]}", f"never {match.group()}"))
        return _replace(sentence, match, new)
    match = PRESENT.search(sentence)
    return _replace(sentence, match, f"does not {match.group()[:-1]}") if match else None


def overstate(sentence: str, rng: Random) -> str | None:
    """Exchange a hedge for certainty (may/will, some/all)."""
    options = [(m, b) for a, b in HEDGES for m in re.finditer(rf"\b{a}\b", sentence)]
    if not options:
        return None
    match, new = rng.choice(options)
    return _replace(sentence, match, new)


def swap_within(sentence: str, names: list[str], rng: Random) -> str | None:
    """Exchange two different names of one type that both stand in the sentence."""
    held = [name for name in dict.fromkeys(names) if sentence.count(name) == 1]
    pairs = [(a, b) for i, a in enumerate(held) for b in held[i + 1 :] if a not in b and b not in a]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    mark = "\x00"
    return sentence.replace(first, mark).replace(second, first).replace(mark, second)


def swap_name(sentence: str, name: str, others: list[str], rng: Random) -> str | None:
    """Exchange `name` for one of `others` that shares no word with it and is not in the sentence."""
    own = set(name.lower().split())
    options = [o for o in dict.fromkeys(others) if o not in sentence and not own & set(o.lower().split())]
    if not options or name not in sentence:
        return None
    return sentence.replace(name, rng.choice(options), 1)


VALUE_CHANGES: tuple[Callable[[str, Random], str | None], ...] = (
    change_digit, change_number, change_year, change_year, change_month, change_weekday, change_word_number,
    change_ordinal, change_unit, change_unit,
)  # fmt: skip


def change_value(sentence: str, rng: Random) -> str | None:
    """Apply one applicable change of a number, date or unit."""
    rules = list(VALUE_CHANGES)
    rng.shuffle(rules)
    for rule in rules:
        changed = rule(sentence, rng)
        if changed is not None and changed != sentence:
            return changed
    return None


def wrong_words(original: str, changed: str) -> list[bool]:
    """Return for each word of `changed` whether it differs from `original`; a deletion marks its neighbour."""
    from difflib import SequenceMatcher

    before, after = original.split(), changed.split()
    marks = [False] * len(after)
    for tag, _, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal" or not after:
            continue
        if tag == "delete":
            marks[max(0, min(start, len(after)) - 1)] = True
        for place in range(start, end):
            marks[place] = True
    return marks
