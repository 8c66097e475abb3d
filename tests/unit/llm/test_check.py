"""Trying a judge model before money is spent on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from glassbox.llm import CheckReport, LlmSettings, check_model
from tests.support.judge_server import Fail, Hang, JudgeServer, Raw, Say, obedient, picky, script
from tests.unit.llm.asking import KEY

Started = Callable[..., JudgeServer]
Made = Callable[..., LlmSettings]
RIGHT = {"verdict": "composite", "smallest_divisors": [7, 13]}


def told(report: CheckReport) -> str:
    """Return the whole report as text, which holds no key."""
    text = json.dumps(report.to_json())
    assert KEY not in text
    return text


def test_a_model_that_can_everything(serve: Started, settings: Made) -> None:
    server = serve(lambda _: RIGHT)
    report = check_model(settings(server))
    assert (report.ok, report.code, report.reachable, report.authenticated) == (True, None, True, True)
    assert (report.schema_mode, report.schema_enforced, report.seed, report.temperature) == (
        "json_schema",
        True,
        True,
        True,
    )
    assert (report.usage, report.input_tokens, report.served_model) == (True, 100, "served-judge-1")
    assert report.cost_usd is not None
    assert {f.level for f in report.findings} == {"ok"}
    assert len(server.seen) == 1
    told(report)


def test_the_question_names_no_field_that_only_the_schema_knows(serve: Started, settings: Made) -> None:
    server = serve(lambda _: RIGHT)
    check_model(settings(server))
    prompt = server.seen[0].prompt
    assert "verdict" not in prompt
    assert "smallest_divisors" not in prompt


def test_each_thing_that_is_not_supported_is_a_note_and_not_a_failure(serve: Started, settings: Made) -> None:
    server = serve(picky(obedient, "json_schema", "json_object", "seed", "temperature"))
    report = check_model(settings(server))
    assert report.ok
    assert (report.schema_mode, report.schema_enforced, report.seed, report.temperature) == (
        "prompt",
        None,
        False,
        False,
    )
    text = told(report)
    assert "no JSON mode" in text
    assert "takes no seed" in text
    assert "takes no temperature" in text
    assert "weak judge" in text


def test_an_endpoint_that_takes_a_schema_and_ignores_it_is_found_out(serve: Started, settings: Made) -> None:
    def deaf(payload: dict[str, Any]) -> Any:
        return obedient({**payload, "response_format": None})

    report = check_model(settings(serve(deaf)))
    assert (report.ok, report.schema_mode, report.schema_enforced) == (True, "json_schema", False)
    assert "broke it" in told(report)


def test_tokens_and_prices_that_are_unknown_are_notes(serve: Started, settings: Made) -> None:
    report = check_model(settings(serve(script(Say(RIGHT, usage=None)))))
    assert (report.ok, report.usage, report.cost_usd) == (True, False, None)
    report = check_model(settings(serve(lambda _: RIGHT), model="mine"))
    assert (report.usage, report.cost_usd) == (True, None)
    assert "GLASSBOX_LLM_PRICES" in told(report)


@pytest.mark.parametrize(
    ("said", "code", "authenticated", "fix"),
    [
        (Fail(401), "auth", False, "GLASSBOX_LLM_API_KEY"),
        (Fail(403), "auth", False, "may use this model"),
        (Fail(404), "not_found", None, "GLASSBOX_LLM_MODEL"),
        (Fail(301), "redirect", None, "final address"),
        (Raw(b"<html>hello</html>"), "no_completion", None, "/chat/completions"),
        (Fail(400, "what?"), "config", True, "check"),
        (Fail(429, code="insufficient_quota"), "quota", True, "Top up"),
        ("I only chat.", "invalid_json", True, "stronger judge model"),
        (Say(None, refusal="no"), "refusal", True, "stronger judge model"),
        (Say("", finish="length"), "truncated", True, "GLASSBOX_LLM_EXTRA_TOKENS"),
    ],
)
def test_each_failure_says_what_to_do(
    serve: Started, settings: Made, said: Any, code: str, authenticated: bool | None, fix: str
) -> None:
    report = check_model(settings(serve(script(said)), attempts=1 if isinstance(said, Raw) else 4))
    assert (report.ok, report.code, report.reachable) == (False, code, True)
    assert report.authenticated is authenticated
    assert report.findings[0].level == "problem"
    assert fix in told(report)


@pytest.mark.parametrize(
    ("url", "code", "fix"),
    [
        ("http://127.0.0.1:1/v1", "connection", "listens on that port"),
        ("https://127.0.0.1:1/v1", "connection", "listens on that port"),
    ],
)
def test_an_address_that_is_not_reached(settings: Made, url: str, code: str, fix: str) -> None:
    report = check_model(settings(url, attempts=1))
    assert (report.ok, report.code, report.reachable, report.authenticated) == (False, code, False, None)
    assert fix in told(report)


def test_a_model_that_does_not_answer_in_time(serve: Started, settings: Made) -> None:
    report = check_model(settings(serve(script(Hang(20))), timeout=0.2, attempts=1))
    assert (report.code, report.reachable) == ("timeout", False)
    assert "GLASSBOX_LLM_TIMEOUT" in told(report)


def test_a_key_on_an_unencrypted_network_is_noted(settings: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    report = check_model(settings("http://judge.internal:8000/v1", attempts=1))
    assert (report.code, report.reachable) == ("dns", False)
    assert "unencrypted" in told(report)
