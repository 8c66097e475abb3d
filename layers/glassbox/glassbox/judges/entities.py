"""Entity precision (3b): are the names, numbers and dates of the answer those of its sources?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.contract.measurement import Flag, Measurement, Status
from glassbox.judges.entity_match import Found, Haystack, short_forms
from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.signature import signature
from glassbox.judges.tools import EntityExtractor
from glassbox.models.types import Entity
from glassbox.text.normalise import entity_key, normalise
from glassbox.text.numbers import Quantity, extract_quantities

MOST_SOURCE_CHARACTERS: Final = 24_000
"""Characters of the sources that are searched for names of their own; of longer sources those nearest the answer."""
NO_NAMES: Final = frozenset(
    {"date", "time", "number", "money", "percent", "quantity", "ordinal", "cardinal", "concept"}
)
"""Types of the model that are no names: the rules read numbers and dates exactly, and terms are the subject of 3a."""
_BARE_DIGITS: Final = 2
"""A bare whole number of up to this many digits ("two reasons", "3 steps") names nothing by itself."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A different name, number or date of the answer, where it stands, and where the sources hold it."""

    entity: Entity
    key: str
    spans: tuple[tuple[int, int], ...]
    found: Found | None


def answer_entities(answer: str, extractor: EntityExtractor) -> tuple[Entity, ...]:
    """Return the names that the model finds and the numbers and dates that the rules find, in order, none overlapping.

    A number wins over a name that it overlaps: its value can be compared.
    """
    quantities = [
        Entity(q.start, q.end, answer[q.start : q.end], q.kind, 1.0)
        for q in extract_quantities(answer)
        if _names_something(q)
    ]
    taken = [(q.start, q.end) for q in quantities]
    names = [e for e in named(answer, extractor) if not any(e.start < end and start < e.end for start, end in taken)]
    return tuple(sorted([*quantities, *names], key=lambda e: (e.start, e.end)))


def named(text: str, extractor: EntityExtractor) -> tuple[Entity, ...]:
    """Return the names that the model finds in a text, without numbers, dates and terms."""
    return tuple(e for e in extractor.extract(text) if e.label not in NO_NAMES and e.text.strip())


def _names_something(quantity: Quantity) -> bool:
    if quantity.kind == "ordinal" or quantity.spelled:
        return False
    return quantity.kind != "number" or sum(c.isdigit() for c in quantity.value) > _BARE_DIGITS


def mentions(entities: Sequence[Entity], haystack: Haystack) -> tuple[Mention, ...]:
    """Return the different entities by their first occurrence, each looked up in the sources once."""
    groups: dict[str, list[Entity]] = {}
    for entity in entities:
        groups.setdefault(entity_key(entity.text) or normalise(entity.text), []).append(entity)
    return tuple(
        Mention(group[0], key, tuple((e.start, e.end) for e in group), haystack.find(group[0].text))
        for key, group in groups.items()
    )


def source_haystack(answer: str, sources: Sequence[str]) -> Haystack:
    """Return the sources, prepared for looking up names under the short forms that they or the answer introduce."""
    return Haystack(sources, short_forms([*sources, answer]))


def measure_precision(found: Sequence[Mention], model: str, mode: str) -> Measurement:
    """Return the share of the answer's different entities that stand in the sources, with each entity as evidence."""
    sign = signature("entity_precision", entities=len(found), sources=mode, model=model)
    if not found:
        return Measurement.absent("entity_precision", Status.NOT_APPLICABLE, "no_entities", sign)
    hits = sum(mention.found is not None for mention in found)
    evidence = tuple(_evidence(mention) for mention in found)
    return Measurement.of_ratio("entity_precision", hits, len(found), sign, evidence=evidence)


def _evidence(mention: Mention) -> dict[str, Any]:
    return {
        "entity": mention.entity.text,
        "label": mention.entity.label,
        "found": mention.found is not None,
        "match": mention.found.match if mention.found else None,
        "source": mention.found.source if mention.found else None,
        "start": mention.entity.start,
        "end": mention.entity.end,
        "spans": [list(span) for span in mention.spans],
        "score": round(mention.entity.score, 6),
    }


def novel_flags(found: Sequence[Mention]) -> list[Flag]:
    """Return one `novel_entity` flag for each entity that no source holds, with its text, type and span."""
    return [
        Flag(
            code="novel_entity",
            detail={
                "entity": mention.entity.text,
                "label": mention.entity.label,
                "start": mention.entity.start,
                "end": mention.entity.end,
            },
        )
        for mention in found
        if mention.found is None
    ]


def measure_coverage(
    answer: str, sources: Sequence[str], extractor: EntityExtractor, model: str, mode: str
) -> Measurement:
    """Return the share of the sources' different names that the answer mentions; reported, never weighed.

    Sources of more than 24,000 characters are searched for names only in the windows that share most words with the
    answer; `detail` says how much of them was read.
    """
    parts, read, total = _nearest_parts(answer, sources)
    names: dict[str, str] = {}
    for part in parts:
        for entity in named(part, extractor):
            key = entity_key(entity.text)
            if key:
                names.setdefault(key, entity.text)
    sign = signature("source_coverage", entities=len(names), sources=mode, read=f"{read}/{total}", model=model)
    detail = {"source_characters": total, "source_characters_read": read}
    if not names:
        return Measurement.absent("source_coverage", Status.NOT_APPLICABLE, "no_source_entities", sign, detail=detail)
    haystack = Haystack([answer], short_forms([*sources, answer]))
    hits = sum(haystack.find(name) is not None for name in names.values())
    return Measurement.of_ratio("source_coverage", hits, len(names), sign, detail=detail)


def _nearest_parts(answer: str, sources: Sequence[str]) -> tuple[list[str], int, int]:
    total = sum(len(source) for source in sources)
    if total <= MOST_SOURCE_CHARACTERS:
        return list(dict.fromkeys(sources)), total, total
    evidence = PassageEvidence(sources)
    chosen: dict[int, list[tuple[int, int]]] = {}
    read = 0
    for window in evidence.windows(answer, evidence.window_count):
        spans = chosen.setdefault(window.passage, [])
        if any(start < window.end and window.start < end for start, end in spans):
            continue
        if read + window.end - window.start > MOST_SOURCE_CHARACTERS:
            break
        spans.append((window.start, window.end))
        read += window.end - window.start
    parts = [sources[i][start:end] for i in sorted(chosen) for start, end in sorted(chosen[i])]
    return parts, read, total
