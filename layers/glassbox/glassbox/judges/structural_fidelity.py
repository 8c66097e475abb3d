"""Judge 3, structural fidelity: does the answer keep the terms, entities and relations of its sources?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from glassbox.contract.measurement import Flag, JudgeResult, Measurement, Status
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.judges.entities import (
    Mention,
    answer_entities,
    measure_coverage,
    measure_precision,
    mentions,
    novel_flags,
    source_haystack,
)
from glassbox.judges.entity_match import short_forms
from glassbox.judges.hostility import injection_flags
from glassbox.judges.languages import Languages
from glassbox.judges.registry import JUDGES
from glassbox.judges.relations import NAME as RELATIONS
from glassbox.judges.relations import SourceRelations, answer_pairs, measure_relations, novel_relation_flags
from glassbox.judges.signature import signature
from glassbox.judges.terminology import ALIGNED, NAMES, absent_terminology, measure_terminology
from glassbox.judges.tools import Tools, Used
from glassbox.models.types import Entity
from glassbox.text.refusal import is_refusal

NAME: Final = "structural_fidelity"
ENTITIES: Final = "entity_precision"
COVERAGE: Final = "source_coverage"


def judge(request: Request, policy: Policy, tools: Tools) -> JudgeResult:
    """Return BLEU and ROUGE in both readings, entity precision, source coverage and relation faithfulness.

    Everything is `not_applicable` for an empty answer (`empty_answer`), a refusal (`refusal`) and where there is no
    source text (`no_sources`); no model is opened then. Raises ModelError where a model that is needed can't be used.
    """
    return _Judging(request, policy, tools).result()


class _Judging:
    """One call of the judge: what it found so far."""

    def __init__(self, request: Request, policy: Policy, tools: Tools) -> None:
        self._request = request
        self._policy = policy
        self._tools = tools
        self._used = Used()
        self._sources = request.sources
        self._languages = Languages(request)
        self._flags: list[Flag] = list(injection_flags(request, policy, NAME))
        self._entities: tuple[Entity, ...] | None = None

    def result(self) -> JudgeResult:
        reason = self._absence()
        measurements = self._absent(reason) if reason else self._measurements()
        return JudgeResult(
            judge=NAME,
            question=JUDGES[NAME].question,
            engine=self._used.engine(measurements),
            measurements=tuple(measurements),
            flags=tuple(self._flags),
            models=tuple(sorted(self._used.models)),
            libraries=tuple(sorted(self._used.libraries)),
        )

    def _absence(self) -> str | None:
        if not self._request.has_answer:
            return "empty_answer"
        if is_refusal(self._request.answer).recognised:
            return "refusal"
        return None if self._sources else "no_sources"

    def _enabled(self, *names: str) -> bool:
        return any(
            self._policy.enabled(f"{NAME}/{name}") or self._policy.enabled(f"{NAME}/nlp_score/{name}") for name in names
        )

    def _absent(self, reason: str) -> list[Measurement]:
        on, off = (Status.NOT_APPLICABLE, reason), (Status.SKIPPED, "disabled")
        found = list(absent_terminology(*(on if self._enabled(*NAMES) else off)))
        for name, path in ((ENTITIES, ENTITIES), (COVERAGE, ENTITIES), (RELATIONS, RELATIONS)):
            found.append(Measurement.absent(name, *(on if self._enabled(path) else off), signature(name, engine=None)))
        return found

    def _measurements(self) -> list[Measurement]:
        return [*self._terminology(), *self._names(), self._relations()]

    def _terminology(self) -> Sequence[Measurement]:
        if not self._enabled(*ALIGNED, *NAMES):
            return absent_terminology(Status.SKIPPED, "disabled")
        self._used.library("sacrebleu")
        self._used.library("rapidfuzz")
        found, flags = measure_terminology(self._request.answer, self._sources, self._request.source_mode)
        self._flags += flags
        return found

    def _names(self) -> tuple[Measurement, Measurement]:
        if not self._enabled(ENTITIES):
            return self._skipped(ENTITIES), self._skipped(COVERAGE)
        entry = self._tools.models.entry("entities")
        if not self._languages.within(self._request.answer, entry.languages):
            return self._unreadable(ENTITIES, entry.languages), self._absence_of(COVERAGE)
        found = self._mentions()
        model, mode = self._used.model(entry), self._request.source_mode
        readable = self._readable(entry.languages)
        # A name that stands in no source may still stand, in other letters, in one that can't be read here.
        if len(readable) < len(self._sources) and any(mention.found is None for mention in found):
            precision = self._unreadable(ENTITIES, entry.languages)
        else:
            precision = measure_precision(found, model, mode)
            self._flags += novel_flags(found)
        if not readable:
            return precision, self._absence_of(COVERAGE)
        extractor = self._tools.models.entities()
        return precision, measure_coverage(self._request.answer, readable, extractor, model, mode)

    def _readable(self, languages: Sequence[str]) -> tuple[str, ...]:
        return tuple(source for source in self._sources if self._languages.within(source, languages))

    def _mentions(self) -> tuple[Mention, ...]:
        return mentions(self._answer_entities(), source_haystack(self._request.answer, self._sources))

    def _answer_entities(self) -> tuple[Entity, ...]:
        if self._entities is None:
            extractor = self._tools.models.entities()
            self._used.model(extractor.entry)
            self._entities = answer_entities(self._request.answer, extractor)
        return self._entities

    def _relations(self) -> Measurement:
        if not self._enabled(RELATIONS):
            return self._skipped(RELATIONS)
        models, answer = self._tools.models, self._request.answer
        entry = models.entry("relations")
        measured = sorted(set(entry.languages) & set(models.entry("entities").languages))
        if not self._languages.within(answer, measured):
            return self._unreadable(RELATIONS, measured)
        extractor = models.relations()
        pairs = answer_pairs(answer, self._answer_entities(), extractor)
        forms = short_forms([*self._sources, answer])
        sources = SourceRelations(self._sources, forms, extractor) if pairs else None
        found = [sources.find(pair) for pair in pairs] if sources else []
        if any(item.match is None for item in found) and len(self._readable(measured)) < len(self._sources):
            return self._unreadable(RELATIONS, measured)
        self._flags += novel_relation_flags(found)
        return measure_relations(found, self._used.model(entry), self._request.source_mode)

    def _skipped(self, name: str) -> Measurement:
        return Measurement.absent(name, Status.SKIPPED, "disabled", signature(name, engine=None))

    def _unreadable(self, name: str, languages: Sequence[str]) -> Measurement:
        self._flags.append(self._languages.flag(name, [self._request.answer, *self._sources], languages))
        return self._absence_of(name)

    def _absence_of(self, name: str) -> Measurement:
        return Measurement.absent(name, Status.INCONCLUSIVE, "language", signature(name, engine=None))
