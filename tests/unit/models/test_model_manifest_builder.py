"""The manifest is built from cards and files, and a check tells when it no longer fits."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from glassbox.errors import ModelError
from glassbox.models import Registry

FIXTURES = Path(__file__).parent / "fixtures"
CARD = {
    "name": "gliner-tiny-bert",
    "task": "entity-extraction",
    "architecture": "GLiNER span model",
    "source": {"kind": "trained"},
    "license": "Apache-2.0",
    "attribution": "somebody",
    "quantisation": "none",
    "max_tokens": 256,
    "labels": ["person", "date"],
    "threshold": 0.5,
    "temperature": 1.5,
    "languages": ["en"],
    "training": {"seed": 1},
    "opset": 17,
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    source = FIXTURES / "gliner-tiny-bert"
    if not source.is_dir():
        source = FIXTURES.parents[2] / "fixtures" / "models" / "gliner-tiny-bert"
    shutil.copytree(source, tmp_path / "gliner-tiny-bert")
    (tmp_path / "gliner-tiny-bert" / "card.json").write_text(json.dumps(CARD))
    return tmp_path


def test_a_card_and_its_files_make_a_model_that_loads(build_manifest: ModuleType, directory: Path) -> None:
    assert build_manifest.main([str(directory)]) == 0
    registry = Registry(directory)
    entry = registry.entities().entry
    assert (entry.task, entry.licence, entry.thresholds.default) == ("entities", "Apache-2.0", 0.5)
    assert entry.calibration == {"temperature": 1.5} and entry.export == {"opset": 17}
    assert entry.file("config") is not None and entry.file("config").path == "gliner_config.json"  # type: ignore[union-attr]
    assert all(check.ok for check in registry.verify())


def test_the_check_tells_when_a_file_or_a_card_changed(build_manifest: ModuleType, directory: Path) -> None:
    assert build_manifest.main([str(directory), "--check"]) == 1
    build_manifest.main([str(directory)])
    assert build_manifest.main([str(directory), "--check"]) == 0
    card = directory / "gliner-tiny-bert" / "card.json"
    card.write_text(json.dumps(CARD | {"attribution": "somebody else"}))
    assert build_manifest.main([str(directory), "--check"]) == 1
    card.write_text(json.dumps(CARD))
    with (directory / "gliner-tiny-bert" / "model.onnx").open("ab") as handle:
        handle.write(b"\0")
    assert build_manifest.main([str(directory), "--check"]) == 1


@pytest.mark.parametrize("key", ["licence", "attribution", "source", "quantisation", "max_tokens"])
def test_a_card_that_lacks_something_is_refused(build_manifest: ModuleType, directory: Path, key: str) -> None:
    spelled = "license" if key == "licence" else key
    card = {name: value for name, value in CARD.items() if name != spelled}
    (directory / "gliner-tiny-bert" / "card.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match=key):
        build_manifest.build(directory)


def test_a_card_names_the_graph_where_there_are_several(build_manifest: ModuleType, directory: Path) -> None:
    folder = directory / "gliner-tiny-bert"
    (folder / "onnx").mkdir()
    shutil.copy(folder / "model.onnx", folder / "onnx" / "model_int8.onnx")
    (folder / "card.json").write_text(json.dumps(CARD | {"graph": "onnx/model_int8.onnx"}))
    build_manifest.main([str(directory)])
    entry = Registry(directory).entities().entry
    assert entry.file("graph").path == "onnx/model_int8.onnx"  # type: ignore[union-attr]
