"""Manifests made on the fly over small random models that the upstream packages built."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from glassbox.models import Registry

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FOLDERS = (HERE / "fixtures", ROOT / "tests" / "fixtures" / "models")
MODELS = ROOT / "models"

NOT_MODEL = ("card.json", "expected.json", "__init__.py")

TASKS = {"embed": "embed", "claim": "claims", "gliner": "entities", "glirel": "relations"}
LABELS = {
    "claim-tiny-2": ["unsupported", "supported"],
    "claim-tiny-3": ["supported", "contradicted", "unsupported"],
    "claim-tiny-words": ["supported", "contradicted", "unsupported"],
}


def max_tokens(name: str) -> int:
    """Return how many positions the fixture's encoder has."""
    if "-tiny-" in name and name.startswith("gli"):
        return 256
    return 64 if name.startswith(("embed", "claim")) else 128


def folder_of(name: str) -> Path:
    """Return the folder of the fixture called `name`."""
    return next(folder / name for folder in FOLDERS if (folder / name).is_dir())


def load_build_manifest() -> ModuleType:
    """Return models/build_manifest.py as a module."""
    spec = importlib.util.spec_from_file_location("build_manifest", MODELS / "build_manifest.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def build_manifest() -> ModuleType:
    return load_build_manifest()


@pytest.fixture(scope="session")
def describe(build_manifest: ModuleType) -> Callable[..., dict[str, Any]]:
    """Return a maker of manifest entries: `describe(name, **changes)` points to the fixture where it lies."""

    def make(name: str, *, folder: Path | None = None, **changes: Any) -> dict[str, Any]:
        place = folder or folder_of(name)
        paths = [path for path in sorted(place.iterdir()) if path.name not in NOT_MODEL]
        played = build_manifest.roles(place, paths, None)
        entry: dict[str, Any] = {
            "name": name,
            "task": TASKS[name.split("-")[0]],
            "architecture": "random weights",
            "directory": str(place),
            "files": [build_manifest.describe_file(place, path, played[path]) for path in paths],
            "source": {"kind": "random"},
            "licence": "Apache-2.0",
            "attribution": "made for tests",
            "quantisation": "none",
            "max_tokens": max_tokens(name),
            "labels": LABELS.get(name, []),
            "languages": ["en"],
        }
        return entry | changes

    return make


@pytest.fixture
def install(tmp_path: Path, describe: Callable[..., dict[str, Any]]) -> Callable[..., Registry]:
    """Return a maker of registries over the given entries, or over the fixtures of the given names."""

    def make(*models: str | dict[str, Any], **changes: Any) -> Registry:
        entries = [describe(model, **changes) if isinstance(model, str) else model for model in models]
        document = {"schema_version": "1", "models": entries}
        (tmp_path / "manifest.json").write_text(json.dumps(document), encoding="utf-8")
        return Registry(tmp_path)

    return make


@pytest.fixture(scope="session")
def expected() -> Callable[[str], list[dict[str, Any]]]:
    """Return a reader of the outputs that the upstream package gave for a fixture."""

    def read(name: str) -> list[dict[str, Any]]:
        cases: list[dict[str, Any]] = json.loads((folder_of(name) / "expected.json").read_text("utf-8"))["cases"]
        assert cases
        return cases

    return read


def fixture_names(prefix: str) -> list[str]:
    """Return the names of all fixtures that begin with `prefix`, sorted."""
    return sorted({path.name for folder in FOLDERS if folder.is_dir() for path in folder.glob(f"{prefix}*/")})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that ask for `gliner` or `glirel` once for each fixture of that architecture."""
    if "gliner" in metafunc.fixturenames:
        metafunc.parametrize("gliner", [n for n in fixture_names("gliner-") if n != "gliner-tiny-token"])
    if "glirel" in metafunc.fixturenames:
        metafunc.parametrize("glirel", fixture_names("glirel-"))


@pytest.fixture(scope="session")
def bundled() -> Registry:
    """Return the registry of the repository's own models."""
    return Registry(MODELS)
