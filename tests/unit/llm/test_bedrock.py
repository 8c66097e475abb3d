"""Bedrock's Converse, against botocore's own stub of it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import ANY, Stubber

from glassbox.llm import LlmSettings, Port, check_model
from glassbox.llm.bedrock import BedrockBackend
from glassbox.llm.schema import strict_schema
from tests.unit.llm.asking import GOOD, Clock, Verdicts, question, refused

MODEL = "amazon.nova-lite-v1:0"
SETTINGS = LlmSettings(backend="bedrock", model=MODEL, attempts=3)


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Credentials that are none, and no account of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    nowhere = str(tmp_path_factory.mktemp("aws") / "config")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret-example",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": nowhere,
        "AWS_SHARED_CREDENTIALS_FILE": nowhere,
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def stub() -> Iterator[Stubber]:
    """A client whose answers are scripted; each must be asked for."""
    client = boto3.client("bedrock-runtime", config=Config(retries={"total_max_attempts": 1}))
    with Stubber(client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()
    client.close()


def port_on(stubber: Stubber, settings: LlmSettings = SETTINGS) -> Port:
    clock = Clock()
    return Port(
        settings,
        BedrockBackend(settings, stubber.client),
        clock=clock.time,
        sleep=clock.sleep,
        remaining=lambda: 1e9 - clock.now,
        chance=lambda: 1.0,
    )


def answered(*content: dict[str, Any], stop: str = "tool_use") -> dict[str, Any]:
    return {
        "output": {"message": {"role": "assistant", "content": list(content)}},
        "stopReason": stop,
        "usage": {"inputTokens": 300, "outputTokens": 60, "totalTokens": 360},
        "metrics": {"latencyMs": 5},
    }


def tool(value: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": "t1", "name": "test_verdicts", "input": value}}


def test_the_answer_is_the_input_of_one_forced_tool(stub: Stubber) -> None:
    expected = {
        "modelId": MODEL,
        "system": [{"text": "Judge."}],
        "messages": [{"role": "user", "content": [{"text": ANY}]}],
        "inferenceConfig": {"maxTokens": 300, "temperature": 0.0},
        "toolConfig": {
            "tools": [
                {
                    "toolSpec": {
                        "name": "test_verdicts",
                        "description": "Takes the answer",
                        "inputSchema": {"json": strict_schema(Verdicts)},
                    }
                }
            ],
            "toolChoice": {"tool": {"name": "test_verdicts"}},
        },
    }
    stub.add_response("converse", answered({"text": "I will judge."}, tool(GOOD)), expected)
    answer = port_on(stub).ask(question())
    assert isinstance(answer.value, Verdicts)
    assert answer.value.model_dump() == GOOD
    call = answer.call
    assert (call.backend, call.model, call.finish_reason) == ("bedrock", MODEL, "tool_use")
    assert (call.input_tokens, call.output_tokens, call.seed) == (300, 60, None)
    assert call.cost_usd == round(300 * 0.06e-6 + 60 * 0.24e-6, 6)


def test_a_model_without_tools_is_asked_in_words(stub: Stubber) -> None:
    stub.add_client_error("converse", "ValidationException", "This model doesn't support tool use.", 400)
    plain = {"modelId": MODEL, "system": ANY, "messages": ANY, "inferenceConfig": ANY}
    stub.add_response("converse", answered({"text": json.dumps(GOOD)}, stop="end_turn"), plain)
    port = port_on(stub)
    assert port.ask(question()).call.attempts == 1
    assert port.manner.mode == "prompt"


def test_a_model_without_a_temperature_is_asked_without(stub: Stubber) -> None:
    stub.add_client_error("converse", "ValidationException", "temperature is deprecated for this model.", 400)
    stub.add_response("converse", answered(tool(GOOD)))
    assert port_on(stub).ask(question()).call.temperature is None


@pytest.mark.parametrize(
    ("stop", "content", "code"),
    [
        ("max_tokens", tool({"note": "cut"}), "truncated"),
        ("model_context_window_exceeded", tool({"note": "cut"}), "truncated"),
        ("guardrail_intervened", {"text": "I can't."}, "refusal"),
        ("content_filtered", {"text": ""}, "refusal"),
        ("malformed_tool_use", {"text": ""}, "empty"),
        ("end_turn", {"text": "The first one."}, "invalid_json"),
        ("tool_use", tool({**GOOD, "verdicts": GOOD["verdicts"][:1]}), "count"),
        ("tool_use", tool([GOOD]), "invalid_json"),
    ],
)
def test_what_is_no_answer_is_a_typed_error(stub: Stubber, stop: str, content: dict[str, Any], code: str) -> None:
    times = {"refusal": 1, "truncated": 2}.get(code, 3)
    for _ in range(times):
        stub.add_response("converse", answered(content, stop=stop))
    assert refused(port_on(stub)).code == code


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("ThrottlingException", 429, "rate_limited"),
        ("ModelTimeoutException", 408, "timeout"),
        ("ModelNotReadyException", 429, "unavailable"),
        ("InternalServerException", 500, "unavailable"),
        ("ServiceUnavailableException", 503, "unavailable"),
        ("SomethingNew", 500, "unavailable"),
    ],
)
def test_what_may_pass_is_tried_again(stub: Stubber, name: str, status: int, code: str) -> None:
    stub.add_client_error("converse", name, "wait", status)
    stub.add_response("converse", answered(tool(GOOD)))
    port = port_on(stub)
    assert port.ask(question()).call.attempts == 2
    for _ in range(2 if code == "timeout" else 3):
        stub.add_client_error("converse", name, "wait", status)
    error = refused(port)
    assert (error.code, error.retryable) == (code, True)


@pytest.mark.parametrize(
    ("name", "message", "code"),
    [
        ("AccessDeniedException", "You don't have access to the model", "auth"),
        ("UnrecognizedClientException", "The security token is invalid", "auth"),
        ("ExpiredTokenException", "The token has expired", "auth"),
        ("ResourceNotFoundException", "No such model", "not_found"),
        ("ValidationException", "The provided model identifier is invalid.", "not_found"),
        ("ValidationException", "Input is too long for requested model.", "too_long"),
        ("ValidationException", "Something else", "config"),
        ("SomethingNew", "no", "config"),
    ],
)
def test_what_does_not_pass_is_given_up_at_once(stub: Stubber, name: str, message: str, code: str) -> None:
    stub.add_client_error("converse", name, f"{message}: pear", 400)
    error = refused(port_on(stub))
    assert (error.code, error.retryable) == (code, False)


def test_a_missing_region_and_missing_credentials_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.session.Session.get_credentials", lambda *_: None)
    report = check_model(SETTINGS)
    assert (report.ok, report.code, report.reachable) == (False, "no_credentials", False)
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert check_model(SETTINGS).code == "no_region"


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", f"http://127.0.0.1:{port}")
    assert check_model(LlmSettings(backend="bedrock", model=MODEL, attempts=1)).code == "connection"


def test_a_silent_endpoint_is_waited_for_no_longer_than_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", f"http://127.0.0.1:{server.getsockname()[1]}")
        settings = LlmSettings(backend="bedrock", model=MODEL, attempts=1, timeout=4.0)
        port = Port(settings, BedrockBackend(settings), remaining=lambda: 0.6)
        error = refused(port)
        port.close()
        assert (error.code, error.retryable) == ("timeout", True)


def test_clients_are_kept_for_a_few_time_outs_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[float] = []
    original = boto3.client

    def counted(name: str, config: Any) -> Any:
        made.append(config.read_timeout)
        return original(name, config=config)

    monkeypatch.setattr(boto3, "client", counted)
    backend = BedrockBackend(SETTINGS)
    for timeout in (60.0, 60.0, 59.0, 31.0, 20.0, 60.0, 2.0, 2.0):
        backend._connected(timeout)
    assert made == [60.0, 30.0, 15.0, 2.0, 2.0]
    backend.close()
    backend._connected(60.0)
    backend.close()
    assert made[-1] == 60.0
