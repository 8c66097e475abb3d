"""The bundled models on Lambda: from a layer or image, or fetched once from S3 into the function's own folder."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from glassbox.adapters.aws.clients import as_store_error, client
from glassbox.errors import ModelError

SOURCE: Final = "GLASSBOX_MODELS_S3"
_URI: Final = re.compile(r"s3://([a-z0-9.-]{3,63})/([\x21-\x7e]{0,900})")


def models_folder(given: Path | None) -> Path | None:
    """Return the folder of the models: `given`, or a local copy of what GLASSBOX_MODELS_S3 names.

    Every file is written whole or not at all; the registry checks each against the manifest's digest before it is
    used, so that a changed object is refused there. Raises ModelError or StoreError.
    """
    source = os.environ.get(SOURCE, "")
    if given is not None or not source:
        return given
    found = _URI.fullmatch(source.rstrip("/"))
    if found is None:
        raise ModelError("GLASSBOX_MODELS_S3 is no s3:// address", where="environment")
    bucket, prefix = found.groups()
    folder = Path(tempfile.gettempdir()) / "glassbox-models"
    manifest = _fetched(bucket, f"{prefix}/manifest.json", folder / "manifest.json")
    for entry in json.loads(manifest.read_text("utf-8"))["models"]:
        place = entry.get("directory") or entry["name"]
        for file in entry["files"]:
            path = folder / place / file["path"]
            if not path.resolve().is_relative_to(folder.resolve()):
                raise ModelError("The manifest names a file outside its folder", where="manifest.json")
            _fetched(bucket, f"{prefix}/{place}/{file['path']}", path)
    return folder


def _fetched(bucket: str, key: str, path: Path) -> Path:
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with as_store_error(f"s3://{bucket}/{key}"):
        client("s3").download_file(bucket, key, str(temporary))
    temporary.replace(path)
    return path
