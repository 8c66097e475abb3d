"""Comparisons that need torch, in an environment of its own (models/requirements-train.txt).

    python tests/bench/upstream.py --python PYTHON --gliner FOLDER [--claims WEIGHTS --backbone FOLDER] [--json FILE]

PYTHON is an interpreter with torch and gliner. FOLDER holds the entity model as models/train/entities.py writes it, the
weights that models/export/entities.py made the bundled graph from; WEIGHTS likewise those of the claim checker.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "export"))

import sets
from labelled import COARSE, VALUES, scores
from provenance import provenance

from glassbox.models.registry import Registry

HERE = Path(__file__).resolve().parent
SEED = 7


def entities(python: Path, folder: Path, registry: Registry, data: Path, limit: int | None) -> dict[str, Any]:
    """Return time and F1 of the bundled int8 graph and of the upstream package on the same weights and texts."""
    rows = list(sets.read("ner_wnut_crossner", data))[:limit]
    texts = [row["passages"][0] for row in rows]
    extractor = registry.entities()
    labels, threshold = list(extractor.entry.labels), extractor.entry.thresholds.default
    task = {"model": str(folder), "labels": labels, "threshold": threshold, "texts": texts, "repeats": 2}
    run = subprocess.run(
        [str(python), str(HERE / "upstream_worker.py")],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise SystemExit(f"The upstream package failed: {run.stderr.strip()[-800:]}")
    theirs = json.loads(run.stdout)
    extractor.extract(texts[0])
    best, ours = float("inf"), []
    for _ in range(2):
        start = time.process_time()
        ours = [extractor.extract(text) for text in texts]
        best = min(best, time.process_time() - start)
    gold = [{(e["start"], e["end"], COARSE.get(e["type"], "concept")) for e in row["entities"]} for row in rows]
    mine = [{(e.start, e.end, e.label) for e in found} for found in ours]
    other = [{tuple(e) for e in found} for found in theirs["found"]]
    here, there = _f1(mine, gold), _f1(other, gold)
    return {
        "texts": len(texts),
        "seconds": {"glassbox int8": round(best, 2), "gliner package": round(theirs["seconds"], 2)},
        "times_faster": round(theirs["seconds"] / best, 2),
        "f1": {"glassbox int8": here, "gliner package": there, "loss_points": round(100 * (there - here), 2)},
        "versions": theirs["versions"],
    }


def _f1(found: list[set[Any]], gold: list[set[Any]]) -> float:
    kept = [{e for e in entities if e[2] not in VALUES} for entities in found]
    hits = sum(len(a & b) for a, b in zip(kept, gold, strict=True))
    return scores(hits, sum(map(len, kept)), sum(map(len, gold)))["f1"]


def claims(python: Path, weights: Path, backbone: Path, registry: Registry) -> dict[str, float]:
    """Return the largest differences between torch and the graphs: logits in float32 and int8, int8 probability."""
    folder = registry.model_directory(registry.entry("claims"))
    script = HERE.parents[1] / "models" / "export" / "claims.py"
    command = [str(python), str(script), str(backbone), str(weights), str(folder), "--verify"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"The export does not match its weights: {(run.stderr or run.stdout).strip()[-800:]}")
    found: dict[str, float] = json.loads(run.stdout.strip().splitlines()[-1])
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the comparisons, print them, and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, required=True, help="an interpreter with torch and gliner")
    parser.add_argument("--gliner", type=Path, help="the entity model as gliner reads it")
    parser.add_argument("--claims", type=Path, help="weights.pt of the claim checker")
    parser.add_argument("--backbone", type=Path, help="the MiniLM folder the claim checker was trained from")
    parser.add_argument("--data", type=Path, help="folder of the labelled sets (GLASSBOX_DATA, else ../shared/data)")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rows", type=int)
    options = parser.parse_args(argv)
    registry, data = Registry(options.models), sets.folder(options.data)
    found: dict[str, Any] = {"provenance": provenance(registry, data, SEED)}
    if options.gliner:
        found["entities"] = entities(options.python, options.gliner, registry, data, options.rows)
    if options.claims and options.backbone:
        found["claims_onnx_against_torch"] = claims(options.python, options.claims, options.backbone, registry)
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    print(text)
    if options.json:
        options.json.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
