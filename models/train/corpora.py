"""Read the training corpora into one shape: words and typed spans.

Words are those of the product's splitter, so that what the model learns is what it later sees.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SPLITTER = re.compile(r"\w+(?:[-_]\w+)*|\S")
DOMAINS = ("ai", "literature", "music", "politics", "science")


@dataclass(frozen=True)
class Span:
    """A mention: words ``start`` to ``end`` (exclusive) and its raw type in the corpus."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Sentence:
    """A sentence of ``words`` with its mentions; ``source`` names the corpus."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    source: str


@dataclass(frozen=True)
class Mention:
    """Where an entity of a document is named: words ``start`` to ``end`` (exclusive) of a sentence."""

    sentence: int
    start: int
    end: int
    entity: int
    kind: str


@dataclass(frozen=True)
class Document:
    """A document: sentences of words, mentions of entities, and (head entity, tail entity, relation id) facts."""

    sentences: tuple[tuple[str, ...], ...]
    mentions: tuple[Mention, ...]
    facts: tuple[tuple[int, int, str], ...]


def resplit(tokens: Iterable[str], spans: Iterable[Span]) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Return the tokens cut by the product's splitter, and the spans moved to the new word numbers."""
    words: list[str] = []
    first = [0]
    for token in tokens:
        words.extend(SPLITTER.findall(token))
        first.append(len(words))
    moved = (Span(first[s.start], first[s.end], s.kind) for s in spans)
    return tuple(words), tuple(s for s in moved if s.end > s.start)


def _bio_spans(tags: list[str]) -> list[Span]:
    """Return the spans of a BIO tag sequence; a stray I- tag opens a span."""
    spans: list[Span] = []
    start = 0
    for i in range(1, len(tags) + 1):
        if i < len(tags) and tags[i] == "I-" + tags[start][2:] and tags[start] != "O":
            continue
        if tags[start] != "O":
            spans.append(Span(start, i, tags[start][2:]))
        start = i
    return spans


def read_conll(path: Path, source: str) -> Iterator[Sentence]:
    """Yield the sentences of a two-column BIO file (tab or blank between word and tag)."""
    tokens: list[str] = []
    tags: list[str] = []
    with path.open(encoding="utf-8") as lines:
        for line in [*lines, ""]:
            columns = line.split()
            if len(columns) >= 2:
                tokens.append(columns[0])
                tags.append(columns[-1])
            elif tokens:
                words, spans = resplit(tokens, _bio_spans(tags))
                if words:
                    yield Sentence(words, spans, source)
                tokens, tags = [], []


# Relations that tell what a "miscellaneous" entity of Re-DocRED is: {relation: (type of the head, type of the tail)}.
_TELLING: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("P50", "P57", "P58", "P86", "P161", "P162", "P175", "P264", "P272", "P364", "P449", "P674", "P676"),
        ("WORK", ""),
    ),
    **dict.fromkeys(("P179", "P840", "P577", "P495", "P407"), ("WORK", "")),
    **dict.fromkeys(("P178", "P176", "P400", "P287", "P137"), ("PRODUCT", "")),
    **dict.fromkeys(("P710", "P580", "P582", "P585", "P276"), ("EVENT", "")),
    **dict.fromkeys(("P607", "P1344"), ("", "EVENT")),
    "P800": ("", "WORK"),
    "P1441": ("", "WORK"),
}
_ADJECTIVE = re.compile(r"^[A-Z][a-z]+(?:ish|ese|ian|[^l]ean|ican|ench|eli|ndic)s?$")
_PEOPLES = frozenset(
    {
        "German",
        "Germans",
        "Dutch",
        "Greek",
        "Greeks",
        "Swiss",
        "Thai",
        "Czech",
        "Roman",
        "Romans",
        "Argentine",
        "Iraqi",
        "Pakistani",
        "Bangladeshi",
        "Afghan",
        "Catalan",
        "Cuban",
        "Moroccan",
        "Venezuelan",
        "Zealander",
        "Scots",
        "Welsh",
        "Croat",
        "Serb",
        "Arab",
        "Turk",
        "Filipino",
    }
)


def is_demonym(text: str) -> bool:
    """Return whether a place mention is an adjective or a people ("German"), by its ending or a short list."""
    return text in _PEOPLES or bool(_ADJECTIVE.match(text))


def _kinds(document: dict[str, Any]) -> list[str]:
    """Return the raw type of each entity of a Re-DocRED document, "MISC" made more precise where a relation tells."""
    kinds = [entity[0]["type"] for entity in document["vertexSet"]]
    votes: dict[int, set[str]] = defaultdict(set)
    for label in document["labels"]:
        head, tail = _TELLING.get(label["r"], ("", ""))
        for entity, kind in ((label["h"], head), (label["t"], tail)):
            if kind and kinds[entity] == "MISC":
                votes[entity].add(kind)
    for entity, seen in votes.items():
        if len(seen) == 1:
            kinds[entity] = next(iter(seen))
        elif seen == {"WORK", "PRODUCT"}:
            kinds[entity] = "MISC"
    return kinds


def _mention_kind(kind: str, text: str) -> str:
    """Return the type of one mention: adjectives of places and sums of money are kinds of their own."""
    if kind == "LOC" and is_demonym(text):
        return "DEMONYM"
    if kind == "NUM" and re.search(r"[$€£¥]|dollar|euro\b|pound|USD", text):
        return "MONEY"
    return kind


def read_redocred(path: Path) -> Iterator[Document]:
    """Yield the documents of a Re-DocRED file, words cut by the product's splitter."""
    for raw in json.loads(path.read_text(encoding="utf-8")):
        kinds = _kinds(raw)
        found: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
        for entity, group in enumerate(raw["vertexSet"]):
            for mention in group:
                found[mention["sent_id"]].setdefault((mention["pos"][0], mention["pos"][1]), entity)
        sentences: list[tuple[str, ...]] = []
        mentions: list[Mention] = []
        for index, tokens in enumerate(raw["sents"]):
            spans = [Span(a, b, str(entity)) for (a, b), entity in sorted(found[index].items())]
            words, moved = resplit(tokens, spans)
            sentences.append(words)
            for span in moved:
                entity = int(span.kind)
                kind = _mention_kind(kinds[entity], " ".join(words[span.start : span.end]))
                mentions.append(Mention(index, span.start, span.end, entity, kind))
        facts = tuple(sorted({(label["h"], label["t"], label["r"]) for label in raw["labels"]}))
        yield Document(tuple(sentences), tuple(mentions), facts)


@dataclass(frozen=True)
class FewRelItem:
    """A FewRel sentence: the one annotated pair of mentions and its relation id."""

    words: tuple[str, ...]
    head: Span
    tail: Span
    relation: str


def read_fewrel(path: Path) -> Iterator[FewRelItem]:
    """Yield the sentences of a FewRel file."""
    for relation, items in json.loads(path.read_text(encoding="utf-8")).items():
        for item in items:
            spans = [Span(min(places), max(places) + 1, "") for places in (item["h"][2][0], item["t"][2][0])]
            words, moved = resplit(item["tokens"], spans)
            if len(moved) == 2:
                yield FewRelItem(words, moved[0], moved[1], relation)


def entity_sentences(folder: Path) -> Iterator[Sentence]:
    """Yield every sentence with entity labels below ``folder``, CrossNER first, then WNUT-17, then Re-DocRED."""
    for domain in DOMAINS:
        for part in ("train", "dev"):
            yield from read_conll(folder / f"crossner_{domain}_{part}.txt", f"crossner-{domain}")
    yield from read_conll(folder / "wnut17_wnut17train.conll", "wnut17")
    yield from read_conll(folder / "wnut17_emerging.dev.conll", "wnut17-dev")
    for name in ("redocred_dev.json", "redocred_more.json"):
        for document in read_redocred(folder / name):
            for index, words in enumerate(document.sentences):
                spans = tuple(Span(m.start, m.end, m.kind) for m in document.mentions if m.sentence == index)
                if words:
                    yield Sentence(words, spans, "redocred")
