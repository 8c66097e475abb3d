"""The layers as they are deployed: built from the lock, weighed, imported and run by the Python of the deployment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "layers"))

import build  # noqa: E402

MEGABYTE = 1_000_000
NAMES = ("library", "inference", "evaluators", "ledger")
# CPU seconds that a cold import of each function should stay below; printed beside what was measured, and asserted
# nowhere, since a busy machine would decide it.
IMPORTS = {
    "intake": 0.6,
    "aggregator": 0.6,
    "read_api": 0.6,
    "notifier": 0.9,
    "ledger": 0.7,
    "contextual_precision": 1.5,
    "semantic_faithfulness": 1.5,
    "structural_fidelity": 1.5,
}


def interpreter() -> str | None:
    try:
        return build.python_of_the_layer()
    except SystemExit:
        return None


PYTHON = interpreter()
pytestmark = pytest.mark.skipif(PYTHON is None, reason="NOT RUN: there is no Python 3.12 to build layers for")


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """The layers, and what the runtime of AWS brings by itself."""
    place = tmp_path_factory.mktemp("layers")
    for name in NAMES:
        build.build(name, place / name)
    runtime = place / "runtime" / "python"
    runtime.mkdir(parents=True)
    brought = ("boto3", "botocore", "s3transfer", "jmespath", "python-dateutil", "six", "urllib3")
    lines = build.exported(build.Layer(extras=("llm",)))
    build.install([line for line in lines if line.split("==")[0] in brought], runtime)
    build.compile_modules(runtime)
    yield {name: place / name for name in (*NAMES, "runtime")}


def run(layers: dict[str, Path], *line: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    paths = [str(folder)] if folder is not None else []
    paths += [str(layers[name] / "python") for name in (*NAMES, "runtime")]
    env = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "POWERTOOLS_TRACE_DISABLED": "true",
    }
    return subprocess.run([str(PYTHON), *line], env=env, capture_output=True, text=True, check=False, timeout=300)


def test_the_layers_of_the_heaviest_function_stay_below_the_limit(layers: dict[str, Path]) -> None:
    sizes = {name: build.weight(layers[name]) for name in NAMES}
    print({name: f"{size / MEGABYTE:.1f} MB" for name, size in sizes.items()})
    assert sizes["library"] + sizes["inference"] + sizes["evaluators"] < 250 * 1024 * 1024
    assert sizes["library"] + sizes["ledger"] < 100 * MEGABYTE


def test_the_evaluators_and_what_they_stand_on_unpack_to_less_than_215_mb(layers: dict[str, Path]) -> None:
    wanted = (
        *("deepeval", "ragas", "onnxruntime", "tokenizers", "numpy", "numpy.libs", "aws_lambda_powertools", "pydantic"),
        *("pydantic_core", "pydantic_settings", "rich", "pygments", "tenacity", "tqdm", "jinja2", "click", "google"),
    )
    places = [layers[name] / "python" / package for name in NAMES for package in wanted]
    found = [place for place in places if place.exists()]
    assert {place.name for place in found} == set(wanted)
    assert sum(build.weight(place) for place in found) < 215 * MEGABYTE


def test_every_module_is_compiled(layers: dict[str, Path]) -> None:
    for name in NAMES:
        place = layers[name] / "python"
        sources = [path for path in place.rglob("*.py") if "vendored" not in path.parts]
        compiled = sum((path.parent / "__pycache__" / f"{path.stem}.cpython-312.pyc").exists() for path in sources)
        assert compiled >= 0.99 * len(sources), name


def test_no_training_library_and_no_vendors_client_is_in_a_layer(layers: dict[str, Path]) -> None:
    for name in NAMES:
        there = {path.name for path in (layers[name] / "python").iterdir()}
        assert not there & {"torch", "transformers", "openai", "langchain", "langchain_core", "pandas", "posthog"}, name


def test_both_metrics_run_from_the_layers(layers: dict[str, Path]) -> None:
    done = run(layers, str(ROOT / "tests/layers/both_metrics.py"), str(ROOT / "models"))
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    print(f"imports: {told['import_cpu']} CPU s")
    assert all("layers" in place for place in told["from"])
    precision, semantic = told["judges"]["contextual_precision"], told["judges"]["semantic_faithfulness"]
    assert (precision["engine"], precision["libraries"]) == ("llm", ["deepeval 4.3.1"])
    assert precision["scores"]["contextual_precision"] == 1_000_000
    assert (semantic["engine"], semantic["libraries"]) == ("llm", ["ragas 0.4.3"])
    assert semantic["scores"]["faithfulness"] == 1_000_000
    assert precision["calls"] + semantic["calls"] == 6


@pytest.mark.parametrize("function", sorted(IMPORTS))
def test_a_function_imports_from_the_layers(layers: dict[str, Path], function: str, tmp_path: Path) -> None:
    code = (
        "import time; t = time.process_time(); import sys, handler; c = time.process_time() - t; "
        "print(round(c, 3), 'boto3' in sys.modules, 'deepeval' in sys.modules)"
    )
    done = run(layers, "-c", code, folder=ROOT / "functions" / function)
    assert done.returncode == 0, done.stderr
    cpu, boto3, deepeval = done.stdout.split()
    print(f"{function}: {cpu} CPU s (at most {IMPORTS[function]} s is wanted)")
    # What is not needed at the start is imported later; only the notifier remembers its calls in a table.
    assert (boto3, deepeval) == (str(function == "notifier"), "False")
