"""The registry finds models, refuses changed files and loads each model once."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from glassbox.errors import ModelError, UsageError
from glassbox.models import Registry, find_models

Describe = Callable[..., dict[str, Any]]
Install = Callable[..., Registry]
MODELS = Path(__file__).parents[3] / "models"


@pytest.fixture
def copied(tmp_path: Path, describe: Describe) -> dict[str, Any]:
    """An entry whose files lie in a folder that a test may spoil."""
    source = Path(describe("embed-tiny")["directory"])
    target = tmp_path / "copy"
    shutil.copytree(source, target)
    return describe("embed-tiny", folder=target)


def test_the_directory_comes_from_the_caller_or_the_environment(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("embed-tiny")
    assert find_models(tmp_path) == tmp_path.resolve()
    monkeypatch.setenv("GLASSBOX_MODELS", str(tmp_path))
    assert find_models() == tmp_path.resolve()
    assert find_models(MODELS) == MODELS.resolve()
    monkeypatch.delenv("GLASSBOX_MODELS")
    assert find_models() == MODELS.resolve()


def test_a_directory_without_a_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=re.escape(str(tmp_path / "nowhere"))):
        Registry(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("where", [0, 0.5, 1])
def test_one_changed_byte_is_refused(install: Install, copied: dict[str, Any], name: str, where: float) -> None:
    path = Path(copied["directory"]) / name
    content = bytearray(path.read_bytes())
    content[int(where * (len(content) - 1))] ^= 1
    path.write_bytes(content)
    stated = next(file for file in copied["files"] if file["path"] == name)["sha256"]
    with pytest.raises(ModelError) as caught:
        install(copied).embedder()
    message = str(caught.value)
    found = re.findall(r"sha256:([0-9a-f]{64})", message)
    assert name in message and found[0] == stated and len(found) == 2 and found[1] != stated


@pytest.mark.parametrize("change", ["cut", "grow", "remove"])
def test_a_file_of_another_length_is_refused(install: Install, copied: dict[str, Any], change: str) -> None:
    path = Path(copied["directory"]) / "model.onnx"
    content = path.read_bytes()
    if change == "remove":
        path.unlink()
    else:
        path.write_bytes(content[:-1] if change == "cut" else content + b"\0")
    with pytest.raises(ModelError, match="missing" if change == "remove" else "bytes"):
        install(copied).embedder()


def test_a_stated_length_that_is_wrong_is_refused(install: Install, describe: Describe) -> None:
    entry = describe("embed-tiny")
    entry["files"][0]["bytes"] += 1
    with pytest.raises(ModelError, match="differs"):
        install(entry).embedder()


def test_a_faulty_model_leaves_the_others_usable(install: Install, copied: dict[str, Any], describe: Describe) -> None:
    (Path(copied["directory"]) / "model.onnx").write_bytes(b"no graph")
    registry = install(copied, describe("claim-tiny-2"))
    with pytest.raises(ModelError):
        registry.embedder()
    assert registry.claims().check("Dogs may travel.", ["Dogs are allowed on deck."])
    assert [(check.path, check.ok) for check in registry.verify() if check.model == "embed-tiny"] == [
        ("model.onnx", False),
        ("tokenizer.json", True),
    ]


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_no_model_is_refused_even_if_the_manifest_pins_it(
    install: Install, tmp_path: Path, copied: dict[str, Any], describe: Describe, name: str
) -> None:
    (Path(copied["directory"]) / name).write_bytes(b"{}")
    with pytest.raises(ModelError, match="can't be loaded"):
        install(describe("embed-tiny", folder=tmp_path / "copy")).embedder()


def test_verify_reports_every_file_of_every_model(install: Install, describe: Describe) -> None:
    registry = install("embed-tiny", "claim-tiny-2", "gliner-tiny-bert", "glirel-tiny-bert")
    checks = registry.verify()
    assert [check.path for check in checks] == [file.path for m in registry.manifest.models for file in m.files]
    assert all(check.ok and check.found == check.expected for check in checks)


def test_a_model_is_loaded_once(install: Install) -> None:
    registry = install("embed-tiny", "claim-tiny-2", "gliner-tiny-bert", "glirel-tiny-bert")
    assert registry.embedder() is registry.embedder("embed-tiny")
    assert registry.claims() is registry.claims()
    assert registry.entities() is registry.entities()
    assert registry.relations() is registry.relations()


def test_the_first_of_a_task_is_the_default_and_others_go_by_name(install: Install) -> None:
    registry = install("claim-tiny-3", "claim-tiny-2")
    assert registry.claims().entry.name == "claim-tiny-3"
    assert registry.claims("claim-tiny-2").entry.name == "claim-tiny-2"
    assert [item["default"] for item in registry.describe()] == [True, False]
    with pytest.raises(ModelError, match="claim-other"):
        registry.claims("claim-other")
    with pytest.raises(ModelError, match="task embed"):
        registry.embedder()
    with pytest.raises(UsageError, match="claim-other"):
        registry.identity("claim-other")


def test_another_model_drops_in_by_manifest_alone(install: Install) -> None:
    text = "The captain Maria Oliveira has worked for Northern Lines since 2011."
    for name in ("gliner-tiny-bert", "gliner-tiny-deberta"):
        registry = install(name, labels=["person", "company"], thresholds={"default": 0.0})
        found = registry.entities().extract(text)
        assert found and {entity.label for entity in found} <= {"person", "company"}
        assert registry.identity(name).startswith(f"{name}@sha256:")


def test_the_description_is_json(install: Install) -> None:
    described = install("embed-tiny", "gliner-tiny-bert").describe()
    assert json.loads(json.dumps(described, allow_nan=False)) == list(described)
    assert described[0]["bytes"] == sum(file["bytes"] for file in described[0]["files"])


def test_the_bundled_models_are_what_their_manifest_says(bundled: Registry) -> None:
    assert bundled.manifest.models
    assert [check for check in bundled.verify() if not check.ok] == []


def test_the_bundled_manifest_is_what_the_cards_make(build_manifest: ModuleType) -> None:
    assert build_manifest.main([str(MODELS), "--check"]) == 0


def test_every_bundled_model_loads(bundled: Registry) -> None:
    load: dict[str, Callable[[str], Any]] = {
        "embed": bundled.embedder,
        "entities": bundled.entities,
        "relations": bundled.relations,
        "claims": bundled.claims,
    }
    for model in bundled.manifest.models:
        assert load[model.task](model.name).entry == model
    assert np.isfinite(bundled.embedder().embed(["A parcel leaves at noon."])).all()
