"""Give the entities of a document other names of their kind: what relates two names is the text between them.

Nine hundred documents are read many times over; without this the model would remember who is related to whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from corpora import Document, Mention

NAMED = ("PER", "ORG", "LOC", "MISC")
Names = Mapping[str, list[tuple[tuple[str, ...], ...]]]


def names_of(documents: Iterable[Document]) -> Names:
    """Return by kind, for every entity of the documents, its different names, the longest first."""
    out: dict[str, list[tuple[tuple[str, ...], ...]]] = defaultdict(list)
    for document in documents:
        forms: dict[tuple[int, str], set[tuple[str, ...]]] = defaultdict(set)
        for m in document.mentions:
            forms[m.entity, m.kind].add(document.sentences[m.sentence][m.start : m.end])
        for (_, kind), found in sorted(forms.items()):
            if kind in NAMED:
                out[kind].append(tuple(sorted(found, key=lambda words: (-len(words), words))))
    return out


def renamed(document: Document, names: Names, share: float, rng: Random) -> Document:
    """Return the document with about ``share`` of its named entities called by another entity's names throughout.

    An entity with a mention inside or across another's keeps its names.
    """
    fixed = _entangled(document)
    chosen: dict[int, tuple[tuple[str, ...], ...]] = {}
    kinds = {m.entity: m.kind for m in document.mentions}
    for entity, kind in sorted(kinds.items()):
        if entity not in fixed and names.get(kind) and rng.random() < share:
            chosen[entity] = rng.choice(names[kind])
    if not chosen:
        return document
    own = {e: sorted({len(_words(document, m)) for m in document.mentions if m.entity == e}) for e in chosen}
    sentences, mentions = [list(s) for s in document.sentences], list(document.mentions)
    # From the back of a sentence to its front, so that what is still to be moved stands where it stood.
    for place in sorted(range(len(mentions)), key=lambda i: (mentions[i].sentence, -mentions[i].start)):
        mention = mentions[place]
        if mention.entity in chosen:
            forms = chosen[mention.entity]
            longest = len(_words(document, document.mentions[place])) == own[mention.entity][-1]
            put = forms[0] if longest else forms[-1]
            sentences[mention.sentence][mention.start : mention.end] = put
            _shift(mentions, place, len(put) - (mention.end - mention.start))
    return replace(document, sentences=tuple(tuple(s) for s in sentences), mentions=tuple(mentions))


def _words(document: Document, mention: Mention) -> tuple[str, ...]:
    return document.sentences[mention.sentence][mention.start : mention.end]


def _entangled(document: Document) -> set[int]:
    found: set[int] = set()
    for a in document.mentions:
        for b in document.mentions:
            if a is not b and a.sentence == b.sentence and a.start < b.end and b.start < a.end:
                found |= {a.entity, b.entity}
    return found


def _shift(mentions: list[Mention], place: int, by: int) -> None:
    """Lengthen the mention at ``place`` by ``by`` words and move those that follow it in its sentence."""
    grown = mentions[place]
    for i, other in enumerate(mentions):
        if i != place and other.sentence == grown.sentence and other.start >= grown.end:
            mentions[i] = replace(other, start=other.start + by, end=other.end + by)
    mentions[place] = replace(grown, end=grown.end + by)
