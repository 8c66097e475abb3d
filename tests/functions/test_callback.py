"""Calling back: signed, thin, once; tried again until somebody takes it, and never at an address inside."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from glassbox.adapters import webhooks
from glassbox.adapters.aws import notifying
from glassbox.adapters.callback import Answer
from glassbox.errors import CallbackUnavailable
from tests.functions.deployed import Deployed
from tests.functions.requests import body

URL = "https://hooks.example.org/glassbox"
SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="
Sent = list[tuple[str, bytes, dict[str, str]]]


def receiver(sent: Sent, *answers: int | None) -> Callable[..., Answer]:
    """Return a `post` that answers with these statuses, the last one for ever; None takes no connection."""
    left = list(answers)

    def post(url: str, text: bytes, headers: dict[str, str]) -> Answer:
        sent.append((url, text, dict(headers)))
        status = left.pop(0) if len(left) > 1 else left[0]
        if status is None:
            raise CallbackUnavailable("Nobody is there")
        return Answer(status, None)

    return post


def evaluated(stack: Deployed, key: str, **changes: Any) -> dict[str, Any]:
    evaluation_id = stack.post(body(callback_url=URL, **changes), key=key)["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    return dict(stack.get(f"/v1/evaluations/{evaluation_id}", key=key)["json"])


def test_a_callback_is_signed_thin_and_made_once(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: Sent = []
    monkeypatch.setattr(notifying, "post", receiver(sent, 204))
    name = stack.with_secret({"tenant-hook": [SECRET]})
    stack.with_environment(monkeypatch, webhook_secrets=name)
    # The tenant's own webhook has to be signed as well.
    text = body(callback_url=URL, answer="zyzzyvoid has a warranty of 24 months.")
    headers = webhooks.signed_headers([SECRET], "hook-1", int(time.time()), text.encode())
    evaluation_id = stack.post(text, key="tenant-hook", headers=headers)["json"]["id"]
    assert stack.finished(evaluation_id)["status"] == "SUCCEEDED"
    assert stack.get(f"/v1/evaluations/{evaluation_id}", key="tenant-hook")["json"]["callback"] == "delivered"
    ((url, told, signed),) = sent
    assert url == URL
    assert webhooks.verify([SECRET], signed, told, time.time()) == evaluation_id
    assert len(told) < 20_000
    assert b"zyzzyvoid" not in told
    event = json.loads(told)
    assert event["type"] == "evaluation.completed"
    assert event["data"]["id"] == evaluation_id
    assert event["data"]["href"] == f"/v1/evaluations/{evaluation_id}"
    again = stack.call("notifier", {"evaluation_id": evaluation_id, "tenant": "tenant-hook"})
    assert again["status"] == "delivered"
    assert len(sent) == 1


@pytest.mark.parametrize("first", [500, 302, None])
def test_only_a_2xx_counts(stack: Deployed, monkeypatch: pytest.MonkeyPatch, first: int | None) -> None:
    sent: Sent = []
    monkeypatch.setattr(notifying, "post", receiver(sent, first, 200))
    assert evaluated(stack, "tenant-retry")["callback"] == "delivered"
    assert len(sent) == 2


def test_a_receiver_that_never_takes_it_costs_no_scorecard(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: Sent = []
    monkeypatch.setattr(notifying, "post", receiver(sent, 503))
    told = evaluated(stack, "tenant-deaf")
    assert (told["status"], told["callback"]) == ("committed", "failed")
    assert len(sent) >= 3


def test_a_receiver_that_is_gone_is_not_asked_again(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: Sent = []
    monkeypatch.setattr(notifying, "post", receiver(sent, 410))
    assert evaluated(stack, "tenant-gone")["callback"] == "refused"
    assert len(sent) == 1


def test_an_address_inside_is_not_called(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glassbox.adapters.callback.resolve", lambda _host, _port: ["169.254.169.254"])
    from glassbox.adapters.callback import post

    monkeypatch.setattr(
        notifying, "post", lambda url, text, headers: post(url, text, headers, look_up=lambda _h, _p: ["10.0.0.1"])
    )
    assert evaluated(stack, "tenant-inside")["callback"] == "refused"
