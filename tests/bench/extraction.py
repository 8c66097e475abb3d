"""Names and relations: F1 on labelled texts, and the share of relation pairs kept when sentences change places.

For names the words alone offer a baseline: every run of capitalised words is a name of the commonest type. For
relations it is: two names that stand in one sentence are related.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import sets
from labelled import COARSE, scores

from glassbox.judges.tools import Tools
from glassbox.models.types import Entity
from glassbox.text.normalise import entity_key

VALUES = frozenset({"date", "number", "money"})
CAPITALISED = re.compile(r"\b[A-Z][\w'’.-]*(?: (?:of |the |de |von )?[A-Z][\w'’.-]*)*")
COMMONEST = "person"
Pair = tuple[int, int]


def entities(tools: Tools, path: Path, limit: int | None) -> dict[str, Any]:
    """Return strict micro scores (same span, same merged type) of the extractor as the judge uses it, and by source."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in list(sets.read("ner_wnut_crossner", path))[:limit]:
        text = row["passages"][0]
        gold = {(e["start"], e["end"], COARSE.get(e["type"], "concept")) for e in row["entities"]}
        found = {(e.start, e.end, e.label) for e in tools.models.entities().extract(text) if e.label not in VALUES}
        plain = {(m.start(), m.end(), COMMONEST) for m in CAPITALISED.finditer(text)}
        for name, ours in (("model", found), ("capitalised words", plain)):
            _count(counts[name], ours, gold)
            _count(counts[f"{name}, spans only"], {f[:2] for f in ours}, {g[:2] for g in gold})
            corpus = row["source"].split("-")[0]
            _count(counts[f"{name}, spans only, {corpus}"], {f[:2] for f in ours}, {g[:2] for g in gold})
    return {name: scores(*c) for name, c in counts.items()}


def _count(counts: list[int], found: set[Any], gold: set[Any]) -> None:
    for place, value in enumerate((len(found & gold), len(found), len(gold))):
        counts[place] += value


def relations(tools: Tools, path: Path, limit: int | None) -> dict[str, Any]:
    """Return scores of related (subject, object) pairs given the gold entities, over whole documents."""
    names = ("ordered", "unordered", "same sentence, ordered", "same sentence, unordered")
    counts = {name: [0, 0, 0] for name in names}
    for row in list(sets.read("re_redocred", path))[:limit]:
        owner = {name: i for i, e in reversed(list(enumerate(row["entities"]))) for name in e["mentions"]}
        gold = {(owner[h], owner[t]) for h, _, t, _ in row["relations"] if h in owner and t in owner}
        gold = {pair for pair in gold if pair[0] != pair[1]}
        text, mentions = " ".join(row["passages"]), _mentions(row)
        found = _related(tools, text, mentions)
        near = set(_same_sentence(row))
        _count(counts["ordered"], found, gold)
        _count(counts["unordered"], _unordered(found), _unordered(gold))
        _count(counts["same sentence, ordered"], near, gold)
        _count(counts["same sentence, unordered"], _unordered(near), _unordered(gold))
    return {name: scores(*c) for name, c in counts.items()}


def _mentions(row: dict[str, Any]) -> list[tuple[Entity, int]]:
    """Return every mention of the gold entities in the joined text, none inside a longer one."""
    text = " ".join(row["passages"])
    owner: dict[Pair, int] = {}
    for number, item in enumerate(row["entities"]):
        for name in item["mentions"]:
            for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                owner.setdefault(match.span(), number)
    spans = [s for s in sorted(owner) if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in owner)]
    return [(Entity(a, b, text[a:b], row["entities"][owner[a, b]]["type"], 1.0), owner[a, b]) for a, b in spans]


def _related(tools: Tools, text: str, mentions: Sequence[tuple[Entity, int]]) -> set[Pair]:
    if len(mentions) < 2:
        return set()
    found = tools.models.relations().extract(text, [entity for entity, _ in mentions])
    pairs = {(mentions[r.subject_index][1], mentions[r.object_index][1]) for r in found}
    return {pair for pair in pairs if pair[0] != pair[1]}


def _same_sentence(row: dict[str, Any]) -> Iterator[Pair]:
    for sentence in row["passages"]:
        here = [i for i, e in enumerate(row["entities"]) if any(_stands(name, sentence) for name in e["mentions"])]
        yield from ((a, b) for a in here for b in here if a != b)


def _stands(name: str, sentence: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None


def _unordered(pairs: set[Pair]) -> set[Pair]:
    return {(min(p), max(p)) for p in pairs}


def reordered(tools: Tools, path: Path, limit: int | None, seed: int) -> dict[str, Any]:
    """Return the share of the pairs found in an answer that are found again when its sentences change places.

    Names and relations are both found by the models, as the judge does it; pairs are compared by their names.
    """
    kept = found = rows = 0
    random = Random(seed)
    for row in list(sets.read("re_redocred", path))[:limit]:
        sentences = list(row["passages"])
        first = _named_pairs(tools, " ".join(sentences))
        random.shuffle(sentences)
        second = _named_pairs(tools, " ".join(sentences))
        rows, found, kept = rows + 1, found + len(first), kept + len(first & second)
    return {"texts": rows, "pairs": found, "kept": kept, "share": round(kept / max(1, found), 4)}


def _named_pairs(tools: Tools, text: str) -> set[tuple[str, str]]:
    names = tools.models.entities().extract(text)
    if len(names) < 2:
        return set()
    found = tools.models.relations().extract(text, names)
    return {(entity_key(names[r.subject_index].text), entity_key(names[r.object_index].text)) for r in found}
