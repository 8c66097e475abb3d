"""The judge model behind the functions: bound at intake, asked by two judges, counted in the scorecard."""

from __future__ import annotations

import pytest

from glassbox.adapters.aws import judge_function
from tests.functions.deployed import Deployed
from tests.functions.requests import body
from tests.support.judge_server import JudgeServer
from tests.support.reading_judge import reading


def test_the_functions_ask_the_configured_judge_model(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    with JudgeServer(reading) as server:
        monkeypatch.setenv("GLASSBOX_LLM", "openai")
        monkeypatch.setenv("GLASSBOX_LLM_MODEL", "scripted")
        monkeypatch.setenv("GLASSBOX_LLM_BASE_URL", server.url)
        monkeypatch.setenv("GLASSBOX_LLM_API_KEY", "sk-of-the-functions")
        judge_function.judge_model.cache_clear()
        try:
            evaluation_id = stack.post(body(policy="default"))["json"]["id"]
            assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
            scorecard = stack.get(f"/v1/evaluations/{evaluation_id}")["json"]["scorecard"]
        finally:
            model = judge_function.judge_model()
            judge_function.judge_model.cache_clear()
            if model is not None:
                model.close()
    assert scorecard["judges"]["semantic_faithfulness"]["engine"] == "llm"
    assert scorecard["judges"]["structural_fidelity"]["engine"] == "local"
    assert scorecard["usage"]["llm_calls"] == 6
