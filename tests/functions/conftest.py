"""One deployment for all tests of a module: each test sends requests of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.functions.deployed import Deployed, deploy


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """The deployment in this process; functions are never made to fail for longer than a test."""
    patch = pytest.MonkeyPatch()
    try:
        with deploy(tmp_path_factory.mktemp("deployed") / "home", patch, visibility=1) as deployed:
            yield deployed
    finally:
        patch.undo()


@pytest.fixture(autouse=True)
def unharmed(stack: Deployed) -> Iterator[None]:
    """Take away what a test put in the way of a function."""
    yield
    stack.before.clear()
    stack.failures.clear()
