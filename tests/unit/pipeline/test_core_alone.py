"""Installed without any extra, GlassBox takes in a request, folds scores and knows the judge model's port."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import distribution

from packaging.requirements import Requirement

CORE = ("errors", "settings", "contract", "text", "llm", "scorecard", "pipeline")
PROGRAM = """
import json, pkgutil, sys, sysconfig
from importlib import import_module

core, installed = json.loads(sys.argv[1]), set(json.loads(sys.argv[2])) | set(sys.stdlib_module_names)

class OnlyTheCore:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in installed:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

# The interpreter's own facts live in a module that is named after the machine.
sysconfig.get_config_vars()
sys.meta_path.insert(0, OnlyTheCore())
found = []
for part in core:
    module = import_module(f"glassbox.{part}")
    found.append(module.__name__)
    for inner in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        found.append(import_module(inner.name).__name__)
print(json.dumps(found))
"""


def installed_without_extras() -> set[str]:
    """Return the importable names of what the package asks for when no extra is named."""
    seen, todo, names = {"glassbox"}, ["glassbox"], {"glassbox", "glassbox_contract"}
    while todo:
        found = distribution(todo.pop())
        names |= {file.parts[0].partition(".")[0] for file in found.files or () if file.suffix in (".py", ".so")}
        for needed in map(Requirement, found.requires or ()):
            if needed.name not in seen and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                seen.add(needed.name)
                todo.append(needed.name)
    return names


def test_the_core_imports_nothing_that_an_extra_brings() -> None:
    installed = installed_without_extras()
    assert {"pydantic", "pydantic_core", "rfc8785", "regex"} <= installed
    assert not installed & {"httpx", "boto3", "botocore", "deepeval", "ragas", "numpy", "cryptography", "grpc"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(CORE), json.dumps(sorted(installed))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert {"glassbox.llm.openai", "glassbox.llm.bedrock", "glassbox.pipeline.intake"} <= set(json.loads(done.stdout))
