"""What runs at run time is onnxruntime, tokenizers and numpy, and only once a model is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from glassbox.models import Registry, runtime_fingerprint
from glassbox.models.runtime import FEATURES, _features
from glassbox.models.session import session_options, sigmoid

FORBIDDEN = ("torch", "transformers", "gliner", "glirel", "onnx", "huggingface_hub", "sentence_transformers")
TEXT = "The captain Maria Oliveira has worked for Northern Lines since 2011."
PROGRAM = """
import json, sys
from glassbox.models import Registry
light = sorted({"onnxruntime", "tokenizers", "numpy"} & set(sys.modules))
registry = Registry(sys.argv[1])
text = sys.argv[2]
entities = registry.entities().extract(text)
out = {
    "vector": registry.embedder().embed([text]).tobytes().hex(),
    "entities": [[e.start, e.end, e.label, e.score] for e in entities],
    "relations": [
        [r.subject_index, r.object_index, r.label, r.score] for r in registry.relations().extract(text, entities)
    ],
    "claims": [[s.supported, s.contradicted] for s in registry.claims().check("Dogs travel.", [text])],
}
print(json.dumps({"light": light, "modules": sorted(m for m in sys.modules if "." not in m), "out": out}))
"""


def run(directory: Path, seed: str) -> dict[str, Any]:
    """Return what the program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(directory), TEXT],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_no_training_package_is_imported_and_processes_agree(
    install: Callable[..., Registry], describe: Callable[..., dict[str, Any]]
) -> None:
    everything = {"default": 0.0}
    registry = install(
        "embed-tiny",
        "claim-tiny-3",
        describe("gliner-tiny-bert", labels=["person", "date"], thresholds=everything),
        describe("glirel-tiny-bert", labels=["employer"], thresholds=everything),
    )
    first, second = run(registry.directory, "1"), run(registry.directory, "2")
    assert set(first["modules"]).isdisjoint(FORBIDDEN)
    assert first["light"] == []
    assert first["out"] == second["out"] and first["out"]["entities"] and first["out"]["relations"]


def test_sessions_are_sequential_quiet_and_keep_no_arena() -> None:
    options = session_options(3)
    assert (options.intra_op_num_threads, options.inter_op_num_threads) == (3, 1)
    assert options.use_deterministic_compute and not options.enable_cpu_mem_arena and not options.enable_mem_pattern
    assert options.log_severity_level == 4


def test_the_fingerprint_names_versions_and_processor_features() -> None:
    found = runtime_fingerprint()
    assert json.loads(json.dumps(found)) == found == runtime_fingerprint()
    assert all(found[name] for name in ("onnxruntime", "tokenizers", "numpy", "machine", "system"))
    assert found["cpu_features"] == sorted(set(found["cpu_features"]) & set(FEATURES))


def test_features_are_read_in_the_forms_of_x86_and_arm(tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text("processor : 0\nflags\t\t: fpu avx512_vnni avx2 zzz\n\nprocessor : 1\nflags : fpu\n")
    assert _features(path) == (["avx2", "avx512_vnni"], "cpuinfo")
    path.write_text("Features\t: fp asimd asimddp i8mm\n")
    assert _features(path) == (["asimd", "asimddp", "i8mm"], "cpuinfo")
    assert _features(tmp_path / "none") == ([], "none")


def test_the_sigmoid_is_exact_at_both_ends() -> None:
    values = sigmoid(np.array([-3e38, -800.0, -1.0, 0.0, 1.0, 800.0, 3e38], dtype=np.float32))
    assert values.tolist()[:2] == [0.0, 0.0] and values.tolist()[5:] == [1.0, 1.0] and values[3] == 0.5
    assert np.isclose(values[2], 1 / (1 + np.e)) and np.isclose(values[2] + values[4], 1.0)
