"""Relation faithfulness (3c): do the sources relate the names that the answer relates?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.contract.measurement import Flag, Measurement, Status
from glassbox.judges.signature import signature
from glassbox.judges.tools import RelationExtractor
from glassbox.judges.words import Token, tokens
from glassbox.models.types import Entity
from glassbox.text.normalise import entity_key, normalise
from glassbox.text.sentences import split_sentences
from glassbox.text.windows import sentence_windows

NAME: Final = "relation_faithfulness"
MOST_WINDOWS: Final = 4
"""Source windows in which one pair is put to the model, shortest first."""
_SIZES: Final = (1, 2)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that the answer relates: the subject, the object, and the most probable relation between them."""

    subject: Entity
    object: Entity
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair and where the sources relate it: `related` by the model, or in the `same_sentence`; None for neither."""

    pair: Pair
    match: str | None
    source: int | None


def answer_pairs(answer: str, entities: Sequence[Entity], extractor: RelationExtractor) -> tuple[Pair, ...]:
    """Return the different (subject, object) pairs that the answer relates, in the order of their first mention."""
    best: dict[tuple[str, str], Pair] = {}
    if len(entities) < 2:
        return ()
    for relation in extractor.extract(answer, entities):
        subject, object_ = entities[relation.subject_index], entities[relation.object_index]
        ends = _key(subject.text), _key(object_.text)
        known = best.get(ends)
        if ends[0] != ends[1] and (known is None or relation.score > known.score):
            best[ends] = Pair(subject, object_, relation.label, relation.score)
    return tuple(sorted(best.values(), key=lambda p: (p.subject.start, p.object.start)))


def _key(name: str) -> str:
    return entity_key(name) or normalise(name)


class SourceRelations:
    """The sources as windows of one or two sentences, prepared for asking whether they relate two names."""

    def __init__(self, sources: Sequence[str], pairs: Mapping[str, str], extractor: RelationExtractor) -> None:
        self._forms = pairs
        self._extractor = extractor
        self._windows: list[tuple[int, str, tuple[Token, ...]]] = []
        for index, source in enumerate(sources):
            spans = split_sentences(source)
            for window in sorted(
                sentence_windows(source, _SIZES, spans), key=lambda w: w.sentences[1] - w.sentences[0]
            ):
                text = source[window.start : window.end]
                self._windows.append((index, text, tokens(text)))
        self._holders: dict[str, list[int]] = {}
        for number, (_, _, held) in enumerate(self._windows):
            for form in dict.fromkeys(token.form for token in held):
                self._holders.setdefault(form, []).append(number)

    def find(self, pair: Pair) -> FoundPair:
        """Return whether and how the sources relate the pair; a window that holds both names is put to the model."""
        holding = self._holding(pair)
        for index, text, subject, object_ in holding[:MOST_WINDOWS]:
            ends = (
                Entity(*subject, text[subject[0] : subject[1]], pair.subject.label, 1.0),
                Entity(*object_, text[object_[0] : object_[1]], pair.object.label, 1.0),
            )
            if any(relation.subject_index == 0 for relation in self._extractor.extract(text, ends)):
                return FoundPair(pair, "related", index)
        for index, text, _, _ in holding:
            if len(split_sentences(text)) == 1:
                return FoundPair(pair, "same_sentence", index)
        return FoundPair(pair, None, None)

    def _holding(self, pair: Pair) -> list[tuple[int, str, tuple[int, int], tuple[int, int]]]:
        subjects, objects = self._spellings(pair.subject.text), self._spellings(pair.object.text)
        common = self._candidates(subjects) & self._candidates(objects)
        found = []
        for number in sorted(common, key=lambda n: (len(self._windows[n][2]), n)):
            index, text, held = self._windows[number]
            subject, object_ = _locate(held, subjects), _locate(held, objects)
            if subject and object_ and (subject[1] <= object_[0] or object_[1] <= subject[0]):
                found.append((index, text, subject, object_))
        return found

    def _spellings(self, name: str) -> list[tuple[str, ...]]:
        keys = [_key(name)]
        if keys[0] in self._forms:
            keys.append(self._forms[keys[0]])
        return [forms for key in keys if (forms := tuple(token.form for token in tokens(key)))]

    def _candidates(self, spellings: Sequence[tuple[str, ...]]) -> set[int]:
        found: set[int] = set()
        for forms in spellings:
            rarest = min(forms, key=lambda form: (len(self._holders.get(form, ())), form))
            found.update(self._holders.get(rarest, ()))
        return found


def _locate(held: Sequence[Token], spellings: Sequence[tuple[str, ...]]) -> tuple[int, int] | None:
    forms = [token.form for token in held]
    for wanted in spellings:
        size = len(wanted)
        for at in range(len(forms) - size + 1):
            if forms[at] == wanted[0] and tuple(forms[at : at + size]) == wanted:
                return held[at].start, held[at + size - 1].end
    return None


def measure_relations(found: Sequence[FoundPair], model: str, mode: str) -> Measurement:
    """Return the share of the answer's different (subject, object) pairs that the sources relate."""
    sign = signature(NAME, pairs=len(found), sources=mode, model=model)
    if not found:
        return Measurement.absent(NAME, Status.NOT_APPLICABLE, "no_relations", sign)
    hits = sum(item.match is not None for item in found)
    return Measurement.of_ratio(NAME, hits, len(found), sign, evidence=tuple(_evidence(item) for item in found))


def _evidence(item: FoundPair) -> dict[str, Any]:
    return {**_ends(item.pair), "found": item.match is not None, "match": item.match, "source": item.source}


def _ends(pair: Pair) -> dict[str, Any]:
    return {
        "subject": pair.subject.text,
        "object": pair.object.text,
        "label": pair.label,
        "score": round(pair.score, 6),
        "subject_span": [pair.subject.start, pair.subject.end],
        "object_span": [pair.object.start, pair.object.end],
    }


def novel_relation_flags(found: Sequence[FoundPair]) -> list[Flag]:
    """Return one `novel_relation` flag for each pair that the sources don't relate."""
    return [Flag(code="novel_relation", detail=_ends(item.pair)) for item in found if item.match is None]
