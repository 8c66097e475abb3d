"""Run by the environment that has torch: the upstream package on the same weights, over the same texts.

Reads one JSON object from standard input and writes one to standard output; imports nothing of this project.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any


def entities(task: dict[str, Any]) -> dict[str, Any]:
    """Return the entities that the `gliner` package finds in each text, and the least processor time of two passes."""
    import torch
    from gliner import GLiNER

    torch.set_num_threads(1)
    model = GLiNER.from_pretrained(task["model"], local_files_only=True)
    model.eval()
    labels, threshold = task["labels"], task["threshold"]
    model.predict_entities(task["texts"][0], labels, threshold=threshold)
    best, found = float("inf"), []
    for _ in range(task["repeats"]):
        start = time.process_time()
        with torch.no_grad():
            found = [model.predict_entities(text, labels, threshold=threshold) for text in task["texts"]]
        best = min(best, time.process_time() - start)
    kept = [[[e["start"], e["end"], e["label"]] for e in entities] for entities in found]
    return {"found": kept, "seconds": best, "versions": {n: version(n) for n in ("gliner", "torch", "transformers")}}


if __name__ == "__main__":
    told = sys.stdout
    # The package prints on import; only the answer may stand on standard output.
    sys.stdout = sys.stderr
    json.dump(entities(json.load(sys.stdin)), told)
