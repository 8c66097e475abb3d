"""Reading the files of a model, and refusing what differs from the manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glassbox.errors import ModelError
from glassbox.models.manifest import ModelEntry, ModelFile, Role

BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The outcome of checking one file of a model against the manifest."""

    model: str
    path: str
    ok: bool
    expected: str
    """Digest and length in the manifest, `sha256:... (n bytes)`."""
    found: str
    """The same of the file on disk, or `missing`."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model whose every file was read once and equals its digest in the manifest."""

    entry: ModelEntry
    directory: Path
    contents: Mapping[str, bytes]
    """By path, all but the files of role `weights`, which are only hashed."""

    def content(self, role: Role) -> bytes:
        """Return the checked bytes of the file that plays `role`; raise ModelError if there is none."""
        file = self.entry.file(role)
        if file is None:
            raise ModelError(f"The model has no file of role {role}", where=self.entry.name)
        return self.contents[file.path]

    def graph(self) -> bytes | Path:
        """Return the graph's checked bytes, or its path where its weights lie in files beside it."""
        file = self.entry.file("graph")
        if file is not None and self.entry.file("weights") is not None:
            return self.directory / file.path
        return self.content("graph")

    def config(self) -> dict[str, Any]:
        """Return the JSON object of the config file; raise ModelError if it is missing or not an object."""
        try:
            config = json.loads(self.content("config"))
        except ValueError:
            config = None
        if not isinstance(config, dict):
            raise ModelError("The model's config is not a JSON object", where=self.entry.name)
        return config


def check_file(entry: ModelEntry, directory: Path, file: ModelFile) -> FileCheck:
    """Return how the file on disk compares with the manifest, without holding it in memory."""
    digest, length = hashlib.sha256(), 0
    try:
        with (directory / file.path).open("rb") as handle:
            while block := handle.read(BLOCK):
                digest.update(block)
                length += len(block)
    except OSError:
        return FileCheck(entry.name, file.path, False, _stated(file), "missing")
    return _compare(entry, file, digest.hexdigest(), length)


def load_files(entry: ModelEntry, directory: Path) -> LoadedModel:
    """Return the model's files; raise ModelError that names the file, the expected digest and the one found.

    The bytes that were hashed are the bytes handed on, so nothing can change between the check and the use.
    """
    contents: dict[str, bytes] = {}
    for file in entry.files:
        if file.role == "weights":
            _refuse(check_file(entry, directory, file), directory)
            continue
        try:
            content = (directory / file.path).read_bytes()
        except OSError:
            _refuse(FileCheck(entry.name, file.path, False, _stated(file), "missing"), directory)
            raise
        _refuse(_compare(entry, file, hashlib.sha256(content).hexdigest(), len(content)), directory)
        contents[file.path] = content
    return LoadedModel(entry=entry, directory=directory, contents=contents)


def _compare(entry: ModelEntry, file: ModelFile, sha256: str, length: int) -> FileCheck:
    ok = sha256 == file.sha256 and length == file.bytes
    return FileCheck(entry.name, file.path, ok, _stated(file), f"sha256:{sha256} ({length} bytes)")


def _stated(file: ModelFile) -> str:
    return f"sha256:{file.sha256} ({file.bytes} bytes)"


def _refuse(check: FileCheck, directory: Path) -> None:
    if not check.ok:
        raise ModelError(
            f"File {check.path} of model {check.model} differs from the manifest: "
            f"expected {check.expected}, found {check.found}",
            where=str(directory / check.path),
            fix="Restore the file, or rebuild the manifest if the model was replaced on purpose.",
        )
