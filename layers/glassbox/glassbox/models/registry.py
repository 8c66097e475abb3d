"""Finding the models, checking them against the manifest, and loading each once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from glassbox.errors import ModelError, UsageError
from glassbox.models.files import FileCheck, LoadedModel, check_file, load_files
from glassbox.models.manifest import MANIFEST, Manifest, ModelEntry, Task, load_manifest

if TYPE_CHECKING:
    from glassbox.models.claims import ClaimChecker
    from glassbox.models.embedder import Embedder
    from glassbox.models.entities import EntityExtractor
    from glassbox.models.relations import RelationExtractor

ENVIRONMENT = "GLASSBOX_MODELS"
PACKAGED = Path(__file__).parent / "bundle"
REPOSITORY = Path(__file__).parents[4] / "models"

T = TypeVar("T")


def find_models(configured: Path | str | None = None) -> Path:
    """Return the directory of the models.

    `configured` if given, else the environment's GLASSBOX_MODELS, else the models inside the installed package, else
    `models/` of the repository. Raises ModelError if none of the places that apply holds a manifest.
    """
    chosen = configured or os.environ.get(ENVIRONMENT)
    places = [Path(chosen)] if chosen else [PACKAGED, REPOSITORY]
    for place in places:
        if (place / MANIFEST).is_file():
            return place.resolve()
    raise ModelError(
        "No manifest.json of models was found",
        where=" or ".join(str(place) for place in places),
        fix=f"Set {ENVIRONMENT} to the directory that holds it.",
    )


class Registry:
    """The models of one directory; each is checked and loaded on first use and kept.

    A faulty model is refused when it is asked for, and only it: the others stay usable.
    """

    def __init__(self, directory: Path | str | None = None, *, threads: int = 1) -> None:
        """Read the manifest of `directory` (or of where `find_models` looks); no model is opened yet."""
        self.directory = find_models(directory)
        self.manifest: Manifest = load_manifest(self.directory)
        self._threads = threads
        self._loaded: dict[tuple[str, str], object] = {}
        self._lock = threading.RLock()

    def embedder(self, name: str | None = None) -> Embedder:
        """Return the embedder called `name`, by default the manifest's first; raise ModelError if it is unfit."""
        from glassbox.models.embedder import Embedder

        return self._load("embed", name, lambda model: Embedder(model, threads=self._threads))

    def entities(self, name: str | None = None) -> EntityExtractor:
        """Return the entity extractor called `name`, by default the first; raise ModelError if it is unfit."""
        from glassbox.models.entities import EntityExtractor

        return self._load("entities", name, lambda model: EntityExtractor(model, threads=self._threads))

    def relations(self, name: str | None = None) -> RelationExtractor:
        """Return the relation extractor called `name`, by default the first; raise ModelError if it is unfit."""
        from glassbox.models.relations import RelationExtractor

        return self._load("relations", name, lambda model: RelationExtractor(model, threads=self._threads))

    def claims(self, name: str | None = None) -> ClaimChecker:
        """Return the claim checker called `name`, by default the first; raise ModelError if it is unfit."""
        from glassbox.models.claims import ClaimChecker

        return self._load("claims", name, lambda model: ClaimChecker(model, threads=self._threads))

    def entry(self, task: Task, name: str | None = None) -> ModelEntry:
        """Return the manifest's entry for `task`, the first if `name` is None; raise ModelError if there is none."""
        for model in self.manifest.models:
            if model.task == task and name in (None, model.name):
                return model
        wanted = f"called {name} " if name else ""
        raise ModelError(f"The manifest has no model {wanted}for the task {task}", where=str(self.directory / MANIFEST))

    def model_directory(self, entry: ModelEntry) -> Path:
        """Return where the files of `entry` lie: its `directory`, or one of its name, beside the manifest."""
        return self.directory / (entry.directory or entry.name)

    def identity(self, name: str) -> str:
        """Return `name@sha256:...` of a model; raise UsageError for an unknown name."""
        for model in self.manifest.models:
            if model.name == name:
                return model.identity
        raise UsageError(f"The manifest has no model called {name}", where=str(self.directory / MANIFEST))

    def verify(self) -> tuple[FileCheck, ...]:
        """Return one result a file, in the manifest's order; reads every byte and raises nothing for a difference."""
        return tuple(
            check_file(entry, self.model_directory(entry), file)
            for entry in self.manifest.models
            for file in entry.files
        )

    def describe(self) -> tuple[dict[str, Any], ...]:
        """Return a JSON object a model: what it is, where it comes from, under which licence, how good it is."""
        return tuple(self._describe(entry) for entry in self.manifest.models)

    def _describe(self, entry: ModelEntry) -> dict[str, Any]:
        return {
            "name": entry.name,
            "task": entry.task,
            "identity": entry.identity,
            "architecture": entry.architecture,
            "bytes": sum(file.bytes for file in entry.files),
            "files": [file.model_dump() for file in entry.files],
            "licence": entry.licence,
            "attribution": entry.attribution,
            "source": dict(entry.source),
            "quantisation": entry.quantisation,
            "languages": list(entry.languages),
            "labels": list(entry.labels),
            "measured": dict(entry.measured),
            "training": dict(entry.training),
            "default": self.entry(entry.task) is entry,
        }

    def _load(self, task: Task, name: str | None, make: Callable[[LoadedModel], T]) -> T:
        entry = self.entry(task, name)
        with self._lock:
            known = self._loaded.get((task, entry.name))
            if known is None:
                known = make(load_files(entry, self.model_directory(entry)))
                self._loaded[(task, entry.name)] = known
        return known  # type: ignore[return-value]  # each task stores what its own method makes
