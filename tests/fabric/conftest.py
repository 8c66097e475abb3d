"""The network for the whole suite, and what each test of it gets."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from glassbox.ledger.fabric.ledger import FabricLedger
from tests.fabric.stage import Cards, Stage, backends
from tests.fabric.summary import PROPERTY


def _name(backend: str) -> str:
    """Return a backend's name in test ids: for .../v2.5.16/bin the version."""
    parts = [part for part in backend.split(os.sep) if part and part != "bin"]
    return parts[-1]


@pytest.fixture(scope="session", params=backends(), ids=_name)
def shared(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """The network; tests that break it mend it again."""
    found = Stage(request.param)
    yield found
    found.close()


@pytest.fixture
def stage(shared: Stage, record_property: object) -> Iterator[Stage]:
    """The network, whole."""
    assert callable(record_property)
    record_property(PROPERTY, shared.runs_on)
    yield shared
    shared.release()


@pytest.fixture
def broken(stage: Stage) -> Iterator[Stage]:
    """The network for a test that breaks it; it is whole again afterwards."""
    yield stage
    stage.restore()


@pytest.fixture
def ledger(stage: Stage) -> FabricLedger:
    """The Evaluator's client."""
    return stage.ledger()


@pytest.fixture
def cards() -> Cards:
    """Records for one test."""
    return Cards()
