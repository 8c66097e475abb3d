"""What a judge hands over: measurements, each a value or a typed absence, never both."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from glassbox_contract.arithmetic import float_leaf, ratio

Micros = Annotated[int, Field(ge=0, le=1_000_000)]


class Status(StrEnum):
    """Whether a measurement holds a value, and if not, which of the five absences it is."""

    SCORED = "scored"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    NOT_MEASURED = "not_measured"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


class Frozen(BaseModel):
    """A strict, immutable model that refuses unknown fields, NaN and Infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ClaimCounts(Frozen):
    """How many claims of an answer got each verdict."""

    supported: int = Field(ge=0)
    contradicted: int = Field(ge=0)
    unsupported: int = Field(ge=0)
    inconclusive: int = Field(ge=0)


class Measurement(Frozen):
    """One named number of a judge, in micro-units, or the reason why there is none."""

    name: str = Field(pattern=r"^[a-z0-9_]{1,64}$")
    status: Status
    micros: Micros | None = None
    """Value in millionths; present exactly when scored."""
    num: int | None = Field(default=None, ge=0)
    den: int | None = Field(default=None, gt=0)
    """Numerator and denominator where the value is a ratio."""
    bits: str | None = Field(default=None, pattern=r"^[01]{1,1000}$")
    """Relevance of each passage in rank order, where the value is an average precision."""
    counts: ClaimCounts | None = None
    reason: str | None = None
    """Why there is no value, as a short code such as `no_context`; never evaluated text."""
    signature: str
    """Every parameter and version behind the number, in sacrebleu's manner."""
    evidence: tuple[dict[str, Any], ...] = ()
    """What the value rests on; may quote evaluated text, so it stays in the bundle."""
    detail: dict[str, Any] = Field(default_factory=dict)
    """Numbers reported beside the value, such as precision, recall and F1."""

    @model_validator(mode="after")
    def _value_or_absence(self) -> Self:
        if (self.status is Status.SCORED) != (self.micros is not None):
            raise ValueError("a measurement has a value exactly when it is scored")
        if self.status is not Status.SCORED and not self.reason:
            raise ValueError("an absence names its reason")
        return self

    @classmethod
    def scored(cls, name: str, value: float, signature: str, **more: Any) -> Self:
        """Return a scored measurement of a float in [0, 1]; raises ValueError for NaN or anything outside."""
        return cls(name=name, status=Status.SCORED, micros=float_leaf(value), signature=signature, **more)

    @classmethod
    def of_ratio(cls, name: str, num: int, den: int, signature: str, **more: Any) -> Self:
        """Return a scored measurement of num/den, rounded half up to millionths."""
        return cls(
            name=name, status=Status.SCORED, micros=ratio(num, den), num=num, den=den, signature=signature, **more
        )

    @classmethod
    def absent(cls, name: str, status: Status, reason: str, signature: str, **more: Any) -> Self:
        """Return a typed absence with its reason code."""
        return cls(name=name, status=status, reason=reason, signature=signature, **more)


Effect = Literal["fail", "inconclusive", "review", "info"]


class Flag(Frozen):
    """Something a reader has to know: a code of the policy's list and where it was seen."""

    code: str = Field(pattern=r"^[a-z0-9_]{1,64}$")
    detail: dict[str, Any] = Field(default_factory=dict)
    """Where it was seen; may quote evaluated text, so it stays in the bundle and the scorecard."""


class JudgeResult(Frozen):
    """Everything that one judge found in one evaluation."""

    judge: str = Field(pattern=r"^[a-z0-9_]{1,64}$")
    question: str = Field(min_length=1, max_length=200)
    """The question that this judge answers, in plain words."""
    engine: Literal["local", "llm"] | None
    """Who did the interpreting; None where the judge ran no model at all."""
    measurements: tuple[Measurement, ...]
    flags: tuple[Flag, ...] = ()
    models: tuple[str, ...] = ()
    """Identities `name@sha256:<hex>` of the models that ran, sorted."""
    libraries: tuple[str, ...] = ()
    """Names and versions `name version` of the libraries that computed a number, sorted."""
    calls: tuple[dict[str, Any], ...] = ()
    """Calls to a judge model, with usage and digests; empty for the local engine."""
    lost: tuple[dict[str, Any], ...] = Field(default=(), exclude_if=lambda lost: not lost)
    """Questions to a judge model that were paid for and gave nothing of this result: those that ended in an error, and
    all of a run that did. Left out where there are none."""

    def measurement(self, name: str) -> Measurement | None:
        """Return the measurement of that name, or None."""
        return next((m for m in self.measurements if m.name == name), None)
