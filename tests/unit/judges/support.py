"""What the tests of the judges share: requests in one line, and models whose word is known beforehand.

The fakes stand in for models only where a test is about the judge's own logic; `real_models` are the bundled ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.policy import Policy, built_in, compile_policy
from glassbox.contract.request import Request
from glassbox.judges.tools import Tools
from glassbox.models.manifest import ModelEntry, Thresholds
from glassbox.models.registry import Registry
from glassbox.models.types import ClaimScore, Entity, Relation


def request(query: str, answer: str, passages: Sequence[Any] = (), **more: Any) -> Request:
    """Return a request; passages are strings or objects."""
    return Request.model_validate({"query": query, "answer": answer, "retrieved_passages": list(passages), **more})


def policy(**changes: Any) -> Policy:
    """Return the default policy, or one with changes to it."""
    if not changes:
        return built_in("default")
    return compile_policy({"name": "test", "extends": "default", **changes})


@lru_cache(maxsize=1)
def real_models() -> Registry:
    """Return the bundled models, loaded once for all tests."""
    return Registry()


def entry(name: str, task: str, labels: tuple[str, ...] = (), languages: tuple[str, ...] = ("en",)) -> ModelEntry:
    """Return a manifest entry for a model that has no files."""
    return ModelEntry.model_construct(
        name=name,
        task=task,
        files=(),
        labels=labels,
        languages=languages,
        thresholds=Thresholds(),
        calibration={},
        limits=ModelEntry.model_fields["limits"].default,
        max_tokens=256,
    )


class NamedEntities:
    """Finds exactly the names it is told, with their labels."""

    def __init__(self, **names: str) -> None:
        self.entry = entry("fake-entities", "entities", tuple(sorted(set(names.values()))))
        self._names = {name.replace("_", " "): label for name, label in names.items()}
        self.texts: list[str] = []

    def extract(self, text: str, labels: Sequence[str] | None = None) -> tuple[Entity, ...]:
        self.texts.append(text)
        found = []
        for name, label in self._names.items():
            at = text.find(name)
            while at >= 0:
                found.append(Entity(at, at + len(name), name, label, 0.9))
                at = text.find(name, at + len(name))
        return tuple(sorted(found, key=lambda e: e.start))


class VerbRelations:
    """Relates two entities wherever one of its verbs stands between them."""

    def __init__(self, *verbs: str) -> None:
        self.entry = entry("fake-relations", "relations", verbs)
        self._verbs = verbs
        self.calls = 0

    def extract(
        self, text: str, entities: Sequence[Entity], labels: Sequence[str] | None = None
    ) -> tuple[Relation, ...]:
        self.calls += 1
        found = []
        for i, a in enumerate(entities):
            for j, b in enumerate(entities):
                between = text[a.end : b.start] if a.end <= b.start and "." not in text[a.end : b.start] else ""
                found += [Relation(i, j, verb, 0.8) for verb in self._verbs if verb in between]
        return tuple(found)


class ScriptedChecker:
    """Gives the score that belongs to the first key found in the claim; unsupported where none is."""

    def __init__(self, languages: tuple[str, ...] = ("en",), **scores: tuple[float, float]) -> None:
        self.entry = entry("fake-claims", "claims", ("supported", "contradicted", "unsupported"), languages)
        # The judge takes this model's word as it is, so that a test decides by it alone.
        alone = {
            "checker": 1.0,
            "cosine": 0.0,
            "foreign_names": 0.0,
            "bias": 0.0,
            "words": 0.0,
        }
        self.entry.calibration["support"] = alone
        self._scores = {key.replace("_", " "): value for key, value in scores.items()}
        self.calls: list[tuple[str, str]] = []

    def fits(self, claim: str) -> bool:
        return len(claim) < 1500

    def check(self, claim: str, windows: Sequence[str]) -> tuple[ClaimScore, ...]:
        self.calls += [(claim, window) for window in windows]
        supported, contradicted = next((v for k, v in self._scores.items() if k in claim), (0.05, 0.05))
        return tuple(ClaimScore(supported, contradicted, 1.0 - supported - contradicted) for _ in windows)


class Models:
    """The bundled embedder beside fakes; asking for a model that a test did not provide is an error."""

    def __init__(self, **models: Any) -> None:
        self._models = models
        self.opened: list[str] = []

    def embedder(self) -> Any:
        self.opened.append("embed")
        return self._models.get("embedder") or real_models().embedder()

    def entities(self) -> Any:
        self.opened.append("entities")
        return self._models["entities"]

    def relations(self) -> Any:
        self.opened.append("relations")
        return self._models["relations"]

    def claims(self) -> Any:
        self.opened.append("claims")
        return self._models["claims"]

    def entry(self, task: str) -> ModelEntry:
        if task == "embed" and "embedder" not in self._models:
            return real_models().entry("embed")
        return self._models[task].entry


def tools(**models: Any) -> Tools:
    """Return tools with these models."""
    return Tools(models=Models(**models))


def value(result: JudgeResult, name: str) -> Measurement:
    """Return the measurement of that name."""
    found = result.measurement(name)
    assert found is not None, f"{name} is missing"
    return found


def codes(result: JudgeResult) -> list[str]:
    """Return the codes of the flags in order."""
    return [flag.code for flag in result.flags]
