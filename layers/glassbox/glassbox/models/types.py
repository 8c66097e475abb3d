"""What the models hand over: entities, relations and claim scores, as plain values without any model library."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entity:
    """A span of a text that names something, with its type."""

    start: int
    """Code-point offset of the first character."""
    end: int
    """Code-point offset after the last character."""
    text: str = field(repr=False)
    """The characters between `start` and `end`; evaluated text, so it stays out of the repr."""
    label: str
    score: float
    """Probability in [0,1] that the span is an entity of this type."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed relation between two entities, by their indices in the sequence that was passed in."""

    subject_index: int
    object_index: int
    label: str
    score: float
    """Probability in [0,1] of this label for this ordered pair."""


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """How one passage window bears on one claim; the three probabilities sum to 1."""

    supported: float
    contradicted: float
    """0.0 for a model of two classes, which knows only supported and unsupported."""
    unsupported: float
    parts: int = 1
    """Into how many overlapping parts the window was split because it exceeds the model's input."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A stretch of a claim that looks wrong beside a passage, by code-point offsets in the claim."""

    start: int
    end: int
    probability: float
