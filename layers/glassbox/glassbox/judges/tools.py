"""What a judge works with: the bundled models and, where one is configured, a judge model. Nothing of it is global."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal, Protocol

from glassbox.contract.judge_name import JudgeName
from glassbox.contract.measurement import Measurement, Status
from glassbox.contract.spending import Spending
from glassbox.errors import JudgeModelError, UsageError
from glassbox.llm.types import JudgeModel
from glassbox.models.types import ClaimScore, Entity, Relation

if TYPE_CHECKING:
    from glassbox.contract.policy import Policy
    from glassbox.judges.llm.bench import Bench
    from glassbox.judges.llm.jury import Consensus
    from glassbox.models.manifest import ModelEntry, Task
    from glassbox.models.session import FloatArray


class Embedder(Protocol):
    """Maps texts to unit vectors."""

    entry: ModelEntry

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Return one L2-normalised vector a text, float32 [texts, dimensions]."""
        ...


class EntityExtractor(Protocol):
    """Finds names in a text."""

    entry: ModelEntry

    def extract(self, text: str, labels: Sequence[str] | None = None) -> tuple[Entity, ...]:
        """Return the entities of `text` in order, none overlapping another."""
        ...


class RelationExtractor(Protocol):
    """Finds relations between the entities of a text."""

    entry: ModelEntry

    def extract(
        self, text: str, entities: Sequence[Entity], labels: Sequence[str] | None = None
    ) -> tuple[Relation, ...]:
        """Return the relations between `entities`, by their indices."""
        ...


class ClaimChecker(Protocol):
    """Says how a passage window bears on a claim."""

    entry: ModelEntry

    def fits(self, claim: str) -> bool:
        """Return whether `claim` leaves room for evidence in the model's input."""
        ...

    def check(self, claim: str, windows: Sequence[str]) -> tuple[ClaimScore, ...]:
        """Return one score for each window, in their order."""
        ...


class Models(Protocol):
    """The models of one directory, each loaded on first use: `glassbox.models.registry.Registry`."""

    def embedder(self) -> Embedder:
        """Return the default embedder."""
        ...

    def entities(self) -> EntityExtractor:
        """Return the default entity extractor."""
        ...

    def relations(self) -> RelationExtractor:
        """Return the default relation extractor."""
        ...

    def claims(self) -> ClaimChecker:
        """Return the default claim checker."""
        ...

    def entry(self, task: Task) -> ModelEntry:
        """Return the manifest's entry of a task without loading the model."""
        ...


class Seat(Protocol):
    """A judge model of a jury, and what its vote weighs."""

    @property
    def model(self) -> JudgeModel:
        """The model."""
        ...

    @property
    def weight(self) -> float:
        """More than 0."""
        ...


@dataclass(frozen=True, slots=True)
class _Alone:
    model: JudgeModel
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Tools:
    """The models that a judge may use; `llm` is None where an evaluation asks no judge model."""

    models: Models
    llm: JudgeModel | None = None
    salt: bytes | None = None
    """The evaluation's salt, which makes the fences around evaluated text."""

    jury: tuple[Seat, ...] = ()
    """Models that judge together, in place of `llm`."""
    repeats: int = 1
    """How often each judge model is asked, to see how far its scores scatter."""
    consensus: Consensus = "mean"
    """How the scores of a jury become one, where they are not counted from votes."""
    spending: Spending = field(default_factory=Spending, compare=False)
    """Is told of every question to a judge model, answered or not."""

    def asks(self, policy: Policy, judge: str) -> bool:
        """Return whether a judge is the judge model's: the policy says `llm`, or `auto` and there is one."""
        engine = policy.engine(judge)
        return engine == "llm" or (engine == "auto" and (self.llm is not None or bool(self.jury)))

    def asked(self, policy: Policy, judge: str) -> Bench | None:
        """Return who is asked, with the salt for their fences; None where the judge runs on the bundled models.

        An evaluation without a salt gets a random one: no digest depends on it. Raises UsageError where the policy
        demands a judge model and none is at hand.
        """
        if not self.asks(policy, judge):
            return None
        from glassbox.judges.llm.bench import Bench

        seats = self.jury or (() if self.llm is None else (_Alone(self.llm),))
        if not seats:
            raise UsageError(
                f"The policy demands a judge model for {judge}, and none is at hand",
                where="engine llm",
                fix="Configure one (GLASSBOX_LLM), or use --engine local",
            )
        bound = policy.judge_model(judge)
        if len(seats) == 1 and bound is not None:
            _check_bound(bound, seats[0].model.identity)
        named = bound if len(seats) > 1 else seats[0].model.identity
        salt = self.salt if self.salt is not None else secrets.token_bytes(32)
        return Bench(seats, salt, self.repeats, self.consensus, named or f"jury:{len(seats)}", self.spending)


def _check_bound(bound: str, identity: str) -> None:
    """Raise JudgeModelError unless a model is the one that the evaluation was bound to when it was taken in."""
    demanded = JudgeName.parse(bound).identity
    if identity != demanded:
        raise JudgeModelError(
            f"The evaluation is bound to the judge model {demanded}, and {identity} is at hand",
            code="another_model",
            retryable=False,
            where="engine llm",
            fix="Configure the model that it was taken in with, or send the request again",
        )


@dataclass(slots=True)
class Used:
    """Which models ran and which libraries computed a number in one call of a judge."""

    models: set[str] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)

    def engine(self, measurements: Iterable[Measurement]) -> Literal["local"] | None:
        """Return `local` where a model ran or anything was decided, None where the judge had nothing to look at."""
        decided = any(m.status is Status.SCORED or m.counts is not None for m in measurements)
        return "local" if self.models or decided else None

    def model(self, entry: ModelEntry) -> str:
        """Note that a model ran, and return its short name for a signature."""
        self.models.add(entry.identity)
        return short_identity(entry)

    def library(self, name: str) -> str:
        """Note that a library computed a number, and return `name-version` for a signature."""
        found = _version(name)
        self.libraries.add(f"{name} {found}")
        return f"{name}-{found}"


@cache
def _version(name: str) -> str:
    return version(name)


def short_identity(entry: ModelEntry) -> str:
    """Return `name@sha256:` and the first 12 digits of the digest; the whole one stands in `JudgeResult.models`."""
    name, _, digest = entry.identity.partition("@")
    return f"{name}@{digest[: len('sha256:') + 12]}"
