"""Security: another tenant's things, pointers, signatures, headers, sizes; and what callbacks may reach."""

from __future__ import annotations

import json
import time

import boto3
import pytest

from glassbox.adapters import webhooks
from glassbox.adapters.callback import post, public_address
from glassbox.errors import CallbackRefused, CallbackUnavailable, SignatureInvalid
from tests.functions.deployed import Deployed
from tests.functions.requests import body

SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="


def test_another_tenant_sees_nothing_and_learns_nothing(stack: Deployed) -> None:
    evaluation_id = stack.post(body(), key="tenant-a")["json"]["id"]
    stack.finished(evaluation_id)
    for path in ("", "/bundle", "/proof"):
        theirs = stack.get(f"/v1/evaluations/{evaluation_id}{path}", key="tenant-b")
        nobodys = stack.get(f"/v1/evaluations/00000000-0000-5000-8000-000000000000{path}", key="tenant-b")
        assert theirs["statusCode"] == nobodys["statusCode"] == 404
        assert {**theirs["json"], "instance": ""} == {**nobodys["json"], "instance": ""}


def test_two_tenants_with_one_payload_and_one_key_have_two_evaluations(stack: Deployed) -> None:
    text = body()
    ids = {stack.post(text, key=key, headers={"Idempotency-Key": "same"})["json"]["id"] for key in ("t-one", "t-two")}
    assert len(ids) == 2


def test_an_id_that_is_none_is_not_found(stack: Deployed) -> None:
    for bad in ("x", "..", "00000000-0000-5000-8000-00000000000g", "%2e%2e%2fkeys"):
        assert stack.get(f"/v1/evaluations/{bad}")["statusCode"] == 404


@pytest.mark.parametrize(
    "address",
    [
        "s3://{bucket}/tenants/tenant-b/uploads/request.json",
        "s3://{bucket}/tenants/tenant-one/evaluations/x/intake.json",
        "s3://{bucket}/tenants/tenant-one/uploads/../../tenant-b/uploads/request.json",
        "s3://another-bucket/tenants/tenant-one/uploads/request.json",
        "https://example.org/request.json",
        "file:///etc/passwd",
        "s3://{bucket}/tenants/tenant-one/uploads/missing.json",
        "",
    ],
)
def test_a_pointer_reaches_the_tenants_own_uploads_and_nothing_else(stack: Deployed, address: str) -> None:
    bucket = stack.resources["Payloads"]
    boto3.client("s3").put_object(Bucket=bucket, Key="tenants/tenant-b/uploads/request.json", Body=body())
    answer = stack.post(json.dumps({"payload": {"s3": address.format(bucket=bucket)}}))
    assert answer["statusCode"] == 422
    assert answer["json"]["errors"][0]["path"] == "$.payload.s3"


def test_a_pointer_to_an_upload_is_the_evaluation_of_what_it_points_to(stack: Deployed) -> None:
    text, bucket = body(), stack.resources["Payloads"]
    boto3.client("s3").put_object(Bucket=bucket, Key="tenants/tenant-one/uploads/big.json", Body=text)
    pointed = stack.post(json.dumps({"payload": {"s3": f"s3://{bucket}/tenants/tenant-one/uploads/big.json"}}))
    assert pointed["statusCode"] == 202
    assert stack.post(text)["json"]["id"] == pointed["json"]["id"]


def test_a_body_over_a_mebibyte_is_refused_with_its_limit(stack: Deployed) -> None:
    answer = stack.post(json.dumps({"query": "x" * 1_100_000}))
    assert answer["statusCode"] == 413
    assert "1,048,576" in answer["json"]["title"]
    assert "/tenants/tenant-one/uploads/" in answer["json"]["detail"]


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "a\r\nX-Injected: 1", "ключ", "\x00"])
def test_an_idempotency_key_that_could_break_a_log_or_a_header_is_refused(stack: Deployed, key: str) -> None:
    answer = stack.post(body(), headers={"Idempotency-Key": key})
    assert answer["statusCode"] == 422
    assert "Injected" not in json.dumps(answer["multiValueHeaders"])


def test_a_request_without_a_key_is_refused(stack: Deployed) -> None:
    assert stack.post(body(), key="")["statusCode"] == 400


def test_a_message_of_an_unknown_sender_goes_to_the_dead_letters(stack: Deployed) -> None:
    stack.forget_tenant("S", stack.own_sender())
    before = stack.waiting("EvaluationsDeadLetters")
    stack.send(body())
    stack.drained("Evaluations")
    assert stack.waiting("EvaluationsDeadLetters") == before + 1


def headers_of(text: bytes, **changes: str) -> dict[str, str]:
    signed = webhooks.signed_headers([SECRET], "message-1", int(time.time()), text)
    return {**signed, **changes}


def test_a_signed_webhook_is_taken_and_its_id_is_the_key(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    stack.with_webhook_secrets(monkeypatch, {"tenant-signed": [SECRET]})
    text = body()
    first = stack.post(text, key="tenant-signed", headers=headers_of(text.encode()))
    again = stack.post(text, key="tenant-signed", headers=headers_of(text.encode()))
    assert first["statusCode"] == again["statusCode"] == 202
    assert first["json"]["id"] == again["json"]["id"]


@pytest.mark.parametrize(
    "changes",
    [
        {"webhook-signature": "v1,AAAA"},
        {"webhook-signature": ""},
        {"webhook-timestamp": "1"},
        {"webhook-timestamp": "soon"},
        {"webhook-id": "another"},
        {"webhook-id": "with.dot"},
    ],
)
def test_a_forged_or_replayed_signature_is_refused(
    stack: Deployed, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    stack.with_webhook_secrets(monkeypatch, {"tenant-signed": [SECRET]})
    text = body()
    answer = stack.post(text, key="tenant-signed", headers=headers_of(text.encode(), **changes))
    assert answer["statusCode"] == 401
    assert stack.post(text, key="tenant-signed")["statusCode"] == 401


def test_a_secret_can_be_rotated() -> None:
    other = "whsec_" + "MDEyMzQ1Njc4OUFCQ0RFRkdISUpLTE1OT1BRUlNUVVY="
    now, text = time.time(), b"{}"
    headers = webhooks.signed_headers([SECRET, other], "m", int(now), text)
    assert webhooks.verify([other], headers, text, now) == "m"
    assert webhooks.verify([SECRET], headers, text, now + 299) == "m"
    with pytest.raises(SignatureInvalid):
        webhooks.verify([SECRET], headers, text, now + 302)
    with pytest.raises(SignatureInvalid):
        webhooks.verify([SECRET], headers, b"{ }", now)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.8",
        "172.16.3.4",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
    ],
)
def test_a_callback_reaches_no_address_inside(address: str) -> None:
    with pytest.raises(CallbackRefused):
        public_address("hooks.example.org", 443, lambda _host, _port: ["93.184.216.34", address])


def test_a_callback_connects_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def connect(address: object, **_kwargs: object) -> object:
        asked.append(address)
        raise OSError

    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    monkeypatch.setattr("glassbox.adapters.callback.socket.create_connection", connect)
    with pytest.raises(CallbackUnavailable):
        post("https://hooks.example.org/x", b"{}", {}, look_up=lambda _host, _port: next(answers))
    assert asked == [("93.184.216.34", 443)]


@pytest.mark.parametrize("url", ["http://example.org/", "https://user:pw@example.org/", "ftp://x/", "https://"])
def test_a_callback_goes_over_tls_and_carries_no_credentials(url: str) -> None:
    with pytest.raises(CallbackRefused):
        post(url, b"{}", {}, look_up=lambda _host, _port: ["93.184.216.34"])
