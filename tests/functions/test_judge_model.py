"""The judge model behind the functions: bound at intake, asked by two judges, counted in the scorecard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from glassbox.adapters.aws import judge_function
from tests.functions.deployed import Deployed
from tests.functions.requests import body
from tests.support.judge_server import JudgeServer
from tests.support.reading_judge import name_of, reading

Serve = Callable[[Callable[[dict[str, Any]], Any]], JudgeServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Put a scripted model behind the endpoint that the functions are configured with."""
    servers: list[JudgeServer] = []

    def start(model: Callable[[dict[str, Any]], Any]) -> JudgeServer:
        server = JudgeServer(model).__enter__()
        servers.append(server)
        monkeypatch.setenv("GLASSBOX_LLM", "openai")
        monkeypatch.setenv("GLASSBOX_LLM_MODEL", "scripted")
        monkeypatch.setenv("GLASSBOX_LLM_BASE_URL", server.url)
        monkeypatch.setenv("GLASSBOX_LLM_API_KEY", "sk-of-the-functions")
        monkeypatch.setenv("GLASSBOX_LLM_ATTEMPTS", "2")
        judge_function.judge_model.cache_clear()
        return server

    yield start
    model = judge_function.judge_model()
    judge_function.judge_model.cache_clear()
    if model is not None:
        model.close()
    for server in servers:
        server.__exit__(None, None, None)


def evaluated(stack: Deployed) -> dict[str, Any]:
    """Return the scorecard of one evaluation, from the request to its end."""
    evaluation_id = stack.post(body(policy="default"))["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    scorecard: dict[str, Any] = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]["scorecard"]
    return scorecard


def test_the_functions_ask_the_configured_judge_model(stack: Deployed, serve: Serve) -> None:
    serve(reading)
    scorecard = evaluated(stack)
    assert scorecard["judges"]["semantic_faithfulness"]["engine"] == "llm"
    assert scorecard["judges"]["structural_fidelity"]["engine"] == "local"
    assert scorecard["usage"]["llm_calls"] == 6


def test_what_a_judge_spent_before_its_queue_tried_again_is_in_the_usage(stack: Deployed, serve: Serve) -> None:
    verdicts = iter(("well, well", "well, well"))

    def model(payload: dict[str, Any]) -> Any:
        if name_of(payload) == "faithfulness_verdicts":
            return next(verdicts, None) or reading(payload)
        return reading(payload)

    server = serve(model)
    usage = evaluated(stack)["usage"]
    # Two replies that could not be taken, and the statements that were asked for twice.
    assert len(server.seen) == 6 + 3
    assert (usage["llm_calls"], usage["input_tokens"], usage["output_tokens"]) == (7, 900, 180)
