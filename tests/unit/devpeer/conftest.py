"""Development peers: one that most tests share, and one for each test that kills it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.devpeer.support import Network


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """A development peer for tests that leave it as it was."""
    with Network(tmp_path_factory.mktemp("devpeer")) as found:
        yield found


@pytest.fixture
def network(shared: Network) -> Iterator[Network]:
    """The shared development peer, with nothing out of order."""
    yield shared
    shared.release()
    shared.faults()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Network]:
    """A development peer of its own for one test."""
    with Network(tmp_path) as found:
        yield found
