"""Packaging: the template as it stands, with its folders zipped and uploaded, which is all that is done to it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from glassbox.errors import UsageError

TEMPLATE: Final = "template.yaml"
_TIME: Final = (2020, 1, 1, 0, 0, 0)
_LAYER_NOTE: Final = (
    "This layer is empty on purpose: the emulator runs functions in the very Python that deployed them, so that what "
    "the layer would bring is there already. `sam build` makes the real one from the lock.\n"
)


def project_root(start: Path) -> Path:
    """Return the folder that holds the template, at `start` or above; raises UsageError where there is none."""
    for folder in (start, *start.parents):
        if (folder / TEMPLATE).is_file() and (folder / "functions").is_dir():
            return folder
    raise UsageError(
        "There is no deployment to start here",
        where=str(start),
        fix="Run it in a clone of the project, which holds template.yaml",
    )


def package(root: Path, bucket: str, s3: Any) -> str:
    """Return the packaged template as JSON, after what it refers to was put into a bucket.

    Functions go up as they are. Layers go up empty, and say so: see `_LAYER_NOTE`.
    """
    from samtranslator.yaml_helper import yaml_parse

    template: dict[str, Any] = yaml_parse((root / TEMPLATE).read_text("utf-8"))
    for resource in template["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = _uploaded(s3, bucket, zipped(root / properties["CodeUri"]))
        elif resource["Type"] == "AWS::Serverless::LayerVersion":
            note = {"README": _LAYER_NOTE.encode()}
            properties["ContentUri"] = _uploaded(s3, bucket, _archive(note))
        elif resource["Type"] == "AWS::Serverless::StateMachine":
            definition = (root / properties.pop("DefinitionUri")).read_text("utf-8")
            properties["Definition"] = json.loads(definition)
    return json.dumps(template)


def zipped(folder: Path) -> bytes:
    """Return a folder as a zip that is the same whenever the folder is: sorted names, one time, no compiled files."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    return _archive(files)


def _archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _TIME), content)
    return data.getvalue()


def _uploaded(s3: Any, bucket: str, data: bytes) -> str:
    key = f"{hashlib.sha256(data).hexdigest()[:32]}.zip"
    s3.put_object(Bucket=bucket, Key=key, Body=data)
    return f"s3://{bucket}/{key}"
