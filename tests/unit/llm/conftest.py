"""What the tests of the port share: settings for a local endpoint, a clock that is told, and ports that are closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from glassbox.llm import LlmSettings, Port
from glassbox.llm.backend import Backend
from glassbox.llm.openai import OpenAIBackend
from tests.support.judge_server import JudgeServer, Model
from tests.unit.llm.asking import KEY, Clock

Started = Callable[[Model], JudgeServer]
Opened = Callable[..., Port]


@pytest.fixture
def serve() -> Iterator[Started]:
    """Start a judge model on a local endpoint; it stops with the test."""
    running: list[JudgeServer] = []

    def start(model: Model) -> JudgeServer:
        server = JudgeServer(model).__enter__()
        running.append(server)
        return server

    yield start
    for server in running:
        server.__exit__()


@pytest.fixture
def settings() -> Callable[..., LlmSettings]:
    """Settings for a server, with a key, and what a test wants otherwise."""

    def make(server: JudgeServer | str, **changes: Any) -> LlmSettings:
        url = server if isinstance(server, str) else server.url
        env = {
            "GLASSBOX_LLM": "openai",
            "GLASSBOX_LLM_MODEL": "gpt-4o",
            "GLASSBOX_LLM_BASE_URL": url,
            "GLASSBOX_LLM_API_KEY": KEY,
        }
        env |= {f"GLASSBOX_LLM_{name.upper()}": str(value) for name, value in changes.items()}
        found = LlmSettings.from_env(env)
        assert found is not None
        return found

    return make


@pytest.fixture
def clock() -> Clock:
    """A clock that only sleeping moves."""
    return Clock()


@pytest.fixture
def opened(settings: Callable[..., LlmSettings], clock: Clock) -> Iterator[Opened]:
    """Open a port to a server under the clock of the test; it is closed with the test."""
    made: list[Port] = []

    def make(server: JudgeServer, *, backend: Backend | None = None, seconds: float = 1e9, **changes: Any) -> Port:
        given = settings(server, **changes)
        port = Port(
            given,
            backend or OpenAIBackend(given),
            remaining=lambda: seconds - clock.now,
            sleep=clock.sleep,
            clock=clock.time,
            chance=lambda: 1.0,
        )
        made.append(port)
        return port

    yield make
    for port in made:
        port.close()
