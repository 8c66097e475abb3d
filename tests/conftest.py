"""What several tests share: the examples, evaluated once with the real models into a folder of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from glassbox.adapters.local.runner import LocalRunner
from glassbox.contract.parsing import parse_request
from glassbox.contract.policy import built_in
from glassbox.settings import Settings
from tests.fabric.summary import write_summary

ROOT = Path(__file__).resolve().parents[1]
# A judge model that the developer has configured judges in no test.
for _name in [name for name in os.environ if name.startswith("GLASSBOX_LLM")]:
    del os.environ[_name]
EXAMPLES = sorted((ROOT / "examples" / "requests").glob("*.json"))


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder in which every example was evaluated and committed; tests must not change it."""
    home = tmp_path_factory.mktemp("evaluated") / "home"
    runner = LocalRunner(Settings.from_env({}, home=home))
    for path in EXAMPLES:
        runner.evaluate(parse_request(path.read_bytes()), built_in("default"))
    runner.ledger.close()
    return home


@pytest.fixture
def home(evaluated: Path, tmp_path: Path) -> Path:
    """A copy of that folder for one test to spoil."""
    return Path(shutil.copytree(evaluated, tmp_path / "home"))


@pytest.fixture(scope="session")
def example() -> Callable[[str], Path]:
    """The path of an example request by the beginning of its name."""

    def find(prefix: str) -> Path:
        return next(path for path in EXAMPLES if path.name.startswith(prefix))

    return find


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the Fabric suite ran on."""
    write_summary(terminalreporter)
