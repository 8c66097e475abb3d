"""Write manifest.json from the card.json of every model folder beside this script.

A card states what only its maker knows: task, origin, licence, labels, thresholds, quality. The files, their lengths
and their digests are taken from the folder itself, so a card can not go stale against its model. With `--check` nothing
is written; the exit code says whether manifest.json is what it would be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, get_args

from glassbox.models.manifest import MANIFEST, SCHEMA_VERSION, Manifest, Role, Task, parse_manifest

CARD = "card.json"
TASKS: dict[str, Task] = {
    "sentence-embedding": "embed",
    "embedding": "embed",
    "named-entity-recognition": "entities",
    "entity-extraction": "entities",
    "relation-extraction": "relations",
    "claim-support": "claims",
    "claim-verification": "claims",
    "claim-checking": "claims",
}
# Spelling and older names of the cards' keys -> the manifest's.
RENAMED = {"license": "licence", "quantization": "quantisation", "classes": "labels", "threshold": "thresholds"}
DIRECT = ("name", "architecture", "source", "licence", "attribution", "quantisation", "max_tokens", "labels", "limits")
OBJECTS = ("calibration", "training", "measured", "export")
CONFIGS = ("gliner_config.json", "glirel_config.json", "config.json")
MEASURED = ("parity", "held_out")
CALIBRATION = ("temperature", "input_order")


def roles(folder: Path, paths: list[Path], graph: str | None) -> dict[Path, Role]:
    """Return the role of each file by its name; of several graphs or configs only one is used.

    `graph` names the graph where a folder holds several; a config of the architecture goes before a general one.
    """
    found: dict[Path, Role] = dict.fromkeys(paths, "other")
    by_place = {path.relative_to(folder).as_posix(): path for path in paths}
    graphs = [graph] if graph else sorted(place for place in by_place if place.endswith(".onnx"))
    configs = [place for place in CONFIGS if place in by_place]
    found |= {by_place[place]: "graph" for place in graphs[:1] if place in by_place}
    found |= {by_place[place]: "config" for place in configs[:1]}
    found |= {by_place[place]: "tokenizer" for place in ("tokenizer.json",) if place in by_place}
    found |= {path: "weights" for path in paths if path.name.endswith((".onnx_data", ".onnx.data"))}
    return found


def describe_file(folder: Path, path: Path, role: Role) -> dict[str, Any]:
    """Return path, digest, length and role of one file of a model."""
    content = path.read_bytes()
    return {
        "path": path.relative_to(folder).as_posix(),
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "role": role,
    }


def entry(folder: Path) -> dict[str, Any]:
    """Return the manifest's entry for the model in `folder`; keys of its card that have no place go to `export`."""
    card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    card = {RENAMED.get(key, key): value for key, value in card.items()}
    task = card.pop("task")
    built: dict[str, Any] = {"name": card.get("name", folder.name), "task": TASKS.get(task, task)}
    if built["name"] != folder.name:
        built["directory"] = folder.name
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (CARD, "README.md") and not path.name.startswith(".")
    ]
    played = roles(folder, paths, card.pop("graph", None))
    built["files"] = [describe_file(folder, path, played[path]) for path in paths]
    for key in OBJECTS:
        value = card.pop(key, {})
        built[key] = value if isinstance(value, dict) else {"value": value}
    built["measured"] |= {key: card.pop(key) for key in MEASURED if key in card}
    built["thresholds"] = thresholds(card.pop("thresholds", None))
    built["languages"] = card.pop("languages", [])
    built["calibration"] |= {key: card.pop(key) for key in CALIBRATION if key in card}
    built |= {key: card.pop(key) for key in DIRECT if key in card}
    built["export"] |= {key: card[key] for key in sorted(card)}
    return built


def thresholds(stated: Any) -> dict[str, Any]:
    """Return a card's thresholds in the manifest's form: a number is the default, other keys are labels."""
    if stated is None:
        return {}
    if isinstance(stated, int | float):
        return {"default": float(stated)}
    known = {key: stated[key] for key in ("default", "by_label") if key in stated}
    others = {key: value for key, value in stated.items() if key not in known}
    if others:
        known["by_label"] = known.get("by_label", {}) | others
    return known


def build(directory: Path) -> str:
    """Return the text of the manifest of `directory`; raise ModelError if a card lacks something."""
    order = get_args(Task)
    entries = [entry(card.parent) for card in sorted(directory.glob(f"*/{CARD}"))]
    entries.sort(key=lambda item: (order.index(item["task"]) if item["task"] in order else len(order), item["name"]))
    document = {"schema_version": SCHEMA_VERSION, "models": entries}
    manifest: Manifest = parse_manifest(json.dumps(document))
    return json.dumps(manifest.model_dump(mode="json", exclude_none=True), indent=2, ensure_ascii=False) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Write or check the manifest; return 0, or 1 if `--check` finds a difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=Path(__file__).parent)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if manifest.json would change")
    arguments = parser.parse_args(argv)
    directory: Path = arguments.directory
    text, target = build(directory), directory / MANIFEST
    if arguments.check:
        same = target.is_file() and target.read_text(encoding="utf-8") == text
        print("manifest.json is up to date" if same else "manifest.json differs from the cards and files")
        return 0 if same else 1
    target.write_text(text, encoding="utf-8")
    for model in parse_manifest(text).models:
        print(f"{model.task:<10} {model.identity}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
