"""The manifest of the models: their files and digests, where they come from and how good they are."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator, model_validator

from glassbox.errors import ModelError

Task = Literal["embed", "entities", "relations", "claims"]
Role = Literal["graph", "tokenizer", "config", "weights", "other"]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]

MANIFEST = "manifest.json"
SCHEMA_VERSION = "1"


class Frozen(BaseModel):
    """A strict, immutable model that refuses unknown fields, NaN and Infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class ModelFile(Frozen):
    """One file of a model, pinned by length and digest."""

    path: str
    """Relative to the model's directory, with forward slashes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(gt=0)
    role: Role

    @field_validator("path")
    @classmethod
    def _stays_inside(cls, value: str) -> str:
        path = PurePosixPath(value)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in value:
            raise ValueError("must be a relative path inside the model's directory")
        return value


class Thresholds(Frozen):
    """Scores above which an entity or a relation counts."""

    default: Probability = 0.5
    by_label: dict[str, Probability] = Field(default_factory=dict)

    def of(self, label: str) -> float:
        """Return the threshold in [0,1] for `label`."""
        return self.by_label.get(label, self.default)


class Limits(Frozen):
    """How a long input is divided; what is absent takes the default of the task."""

    max_words: int | None = Field(default=None, ge=1)
    """Words of text in one run of the graph, margins included."""
    max_pair_words: int | None = Field(default=None, ge=2)
    """From the first word of one entity to the last of the other."""
    max_labels: int | None = Field(default=None, ge=1)
    """Labels in one prompt."""
    overlap_tokens: int | None = Field(default=None, ge=0)
    """Tokens that neighbouring windows of a long text share."""


class ModelEntry(Frozen):
    """One model: its files, its interface, its origin and its measured quality."""

    name: Name
    task: Task
    architecture: str = Field(min_length=1)
    directory: str | None = None
    """Where the files lie; relative to the manifest, or absolute. The name if absent."""
    files: tuple[ModelFile, ...] = Field(min_length=1)
    source: dict[str, JsonValue]
    licence: str = Field(min_length=1)
    attribution: str = Field(min_length=1)
    quantisation: str = Field(min_length=1)
    max_tokens: int = Field(ge=8)
    labels: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Default entity or relation types; for claims the classes in the order of the graph's output."""
    thresholds: Thresholds = Thresholds()
    calibration: dict[str, JsonValue] = Field(default_factory=dict)
    limits: Limits = Limits()
    languages: tuple[str, ...]
    """BCP 47 tags of the languages in which the model was measured."""
    training: dict[str, JsonValue] = Field(default_factory=dict)
    measured: dict[str, JsonValue] = Field(default_factory=dict)
    export: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_of_each(self) -> ModelEntry:
        paths = [file.path for file in self.files]
        if len(set(paths)) != len(paths):
            raise ValueError("files name a path twice")
        if len(set(self.labels)) != len(self.labels):
            raise ValueError("labels name a label twice")
        for role, least in (("graph", 1), ("tokenizer", 1), ("config", 0)):
            count = sum(file.role == role for file in self.files)
            if not least <= count <= 1:
                raise ValueError(f"files hold {count} of role {role}")
        return self

    def file(self, role: Role) -> ModelFile | None:
        """Return the file that plays `role`, or None if the model has none."""
        return next((file for file in self.files if file.role == role), None)

    @property
    def digest(self) -> str:
        """Return `sha256:` and the digest of all that decides the model's output.

        Canonical JSON (RFC 8785) over the files and over the labels, thresholds, calibration and limits, so that two
        runs with equal digests ran the same numbers under the same settings.
        """
        body: dict[str, Any] = {
            "files": sorted([file.path, file.sha256, file.bytes] for file in self.files),
            "labels": list(self.labels),
            "thresholds": self.thresholds.model_dump(),
            "calibration": self.calibration,
            "limits": self.limits.model_dump(),
            "max_tokens": self.max_tokens,
        }
        return "sha256:" + hashlib.sha256(rfc8785.dumps(body)).hexdigest()

    @property
    def identity(self) -> str:
        """Return `name@sha256:...`, the form in which a scorecard names the model."""
        return f"{self.name}@{self.digest}"


class Manifest(Frozen):
    """All models of a directory; the first of a task is that task's default."""

    schema_version: Literal["1"]
    models: tuple[ModelEntry, ...]

    @model_validator(mode="after")
    def _names_differ(self) -> Manifest:
        names = [model.name for model in self.models]
        if len(set(names)) != len(names):
            raise ValueError("models name a model twice")
        return self


def parse_manifest(text: str | bytes, *, where: str = MANIFEST) -> Manifest:
    """Return the manifest in the JSON `text`; raise ModelError that lists every offending path."""
    try:
        json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates)
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        faults = "; ".join(f"{_path(item['loc'])}: {item['msg']}" for item in errors)
        raise ModelError(f"The model manifest breaks its schema ({faults})", where=where) from None
    except ValueError as error:
        raise ModelError(f"The model manifest is not valid JSON ({error})", where=where) from None


def load_manifest(directory: Path) -> Manifest:
    """Return the manifest of `directory`; raise ModelError if it is missing or broken."""
    path = directory / MANIFEST
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"The model manifest can't be read ({type(error).__name__})",
            where=str(path),
            fix="Point GLASSBOX_MODELS at a directory that holds manifest.json.",
        ) from error
    return parse_manifest(text, where=str(path))


def _path(location: tuple[int | str, ...]) -> str:
    return "/" + "/".join(str(part) for part in location)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object names a key twice")
    return found
