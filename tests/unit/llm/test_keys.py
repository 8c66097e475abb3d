"""The key: it reaches one header of one endpoint, and nothing else that is written, logged, printed or raised."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import logging
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from glassbox.errors import GlassBoxError, UsageError
from glassbox.llm import LlmSettings, Port, Recorder, check_model, port
from glassbox.llm.secret import Secret, secret_from_manager
from tests.support.judge_server import Drop, Fail, Half, JudgeServer, Raw, Say, obedient, picky, script
from tests.unit.llm.asking import GOOD, HOSTILE, KEY, question

Started = Callable[..., JudgeServer]
Made = Callable[..., LlmSettings]
ARN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:judge-AbCdEf"


@pytest.fixture
def written() -> Iterator[Callable[[], str]]:
    """Everything that is logged at any level, printed or warned of."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    before = root.level
    names = ("httpx", "httpcore", "httpcore.http11", "httpcore.connection", "boto3", "botocore", "urllib3")
    levels = {name: logging.getLogger(name).level for name in names}
    root.setLevel(logging.DEBUG)
    root.addHandler(handler)
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield stream.getvalue
    root.removeHandler(handler)
    root.setLevel(before)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    """Secrets Manager, scripted."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-example")
    client = boto3.client("secretsmanager", region_name="us-east-1")
    with Stubber(client) as stubber:
        yield stubber
    client.close()


def whole(error: BaseException) -> str:
    """Return everything that a report of an error could show: its chain, its arguments and its attributes."""
    parts = []
    seen: BaseException | None = error
    while seen is not None:
        request = getattr(seen, "_request", None)
        parts += [
            repr(seen),
            str(seen),
            repr(vars(seen)),
            repr(request and request.headers.raw),
            "".join(traceback.format_exception(seen)),
        ]
        # Also what is suppressed: a reporter of errors may walk there.
        seen = seen.__cause__ or seen.__context__
    return "\n".join(parts)


def test_a_secret_shows_itself_in_nothing() -> None:
    secret = Secret(KEY)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r}", "%s %r" % (secret, secret)]  # noqa: UP031
    shown += [repr([secret]), repr({"key": secret}), json.dumps({"key": secret}, default=str)]
    assert all(KEY not in text for text in shown)
    for take in (pickle.dumps, copy.copy, copy.deepcopy, json.dumps, vars):
        with pytest.raises(TypeError):
            take(secret)
    assert secret.reveal() == KEY
    assert secret != Secret(KEY)
    assert bool(secret) is True
    assert bool(Secret("")) is False


@pytest.mark.parametrize("key", [f"{KEY}\r\nx-evil: 1", f"{KEY}\u00e9", f"{KEY}\x00"])
def test_a_key_that_the_client_library_would_complain_about_is_not_quoted(
    serve: Started, settings: Made, key: str, written: Callable[[], str]
) -> None:
    made = port(replace(settings(serve(obedient)), api_key=Secret(key)))
    with pytest.raises(GlassBoxError) as raised:
        made.ask(question())
    made.close()
    assert "canary" not in whole(raised.value)
    assert "canary" not in written()
    assert raised.value.problem()["code"] == "bad_key"


@pytest.mark.parametrize(
    "model",
    [
        lambda _: GOOD,
        picky(lambda _: GOOD, "json_schema", "seed", "temperature", "max_tokens"),
        script("no JSON", Say("{", finish="length"), Fail(500, KEY), Fail(429), Drop(), Half(), Raw(b"x"), GOOD),
        script(Fail(401, f"Incorrect API key provided: {KEY}")),
        script(Fail(400, f"Bearer {KEY} {HOSTILE}")),
        script(Raw(json.dumps({"error": {"message": KEY, "code": 500}}).encode())),
        script(Fail(302, headers={"location": f"http://127.0.0.1:1/?key={KEY}"})),
    ],
)
def test_nothing_that_is_written_logged_printed_or_raised_holds_the_key_or_a_text(
    serve: Started, settings: Made, model: Any, tmp_path: Path, written: Callable[[], str]
) -> None:
    server = serve(model)
    given = settings(server, attempts=10)
    made = Port(given, port(given)._endpoint.backend, sleep=lambda _: None)
    shown = [repr(given), repr(made), repr(vars(made))]
    try:
        answer = Recorder(made, tmp_path).ask(question())
        shown += [repr(answer), json.dumps(answer.call.to_json())]
    except GlassBoxError as error:
        shown += [whole(error), json.dumps(error.problem())]
    made.close()
    shown.append(json.dumps(check_model(replace(given, attempts=1)).to_json()))
    shown.append(written())
    for text in shown:
        assert "canary" not in text
        assert "pear" not in text
    assert all("canary" not in path.read_text("utf-8") for path in tmp_path.iterdir())
    for seen in server.seen:
        assert [name for name, value in seen.headers.items() if "canary" in value] == ["authorization"]
        assert "canary" not in json.dumps(seen.payload)
        assert "canary" not in seen.path


class TestSecretsManager:
    """A key by reference."""

    def test_a_plain_secret_and_a_member_of_an_object(self, manager: Stubber) -> None:
        manager.add_response("get_secret_value", {"SecretString": f" {KEY}\n"}, {"SecretId": ARN})
        assert secret_from_manager(ARN, manager.client).reveal() == KEY
        text = json.dumps({"openai": KEY, "n": 5})
        manager.add_response("get_secret_value", {"SecretString": text}, {"SecretId": "glassbox/judge"})
        assert secret_from_manager("glassbox/judge#openai", manager.client).reveal() == KEY

    @pytest.mark.parametrize(
        ("text", "reference"),
        [
            (KEY, "judge#openai"),
            (json.dumps({"openai": KEY}), "judge#other"),
            (json.dumps([KEY]), "judge#0"),
            (json.dumps({"openai": [KEY]}), "judge#openai"),
            (f"{KEY} {KEY}", "judge"),
        ],
    )
    def test_a_secret_of_another_form_is_refused_without_its_text(
        self, manager: Stubber, text: str, reference: str
    ) -> None:
        manager.add_response("get_secret_value", {"SecretString": text})
        with pytest.raises(UsageError) as raised:
            secret_from_manager(reference, manager.client)
        assert reference in str(raised.value)
        assert "canary" not in whole(raised.value)

    @pytest.mark.parametrize("code", ["ResourceNotFoundException", "AccessDeniedException", "DecryptionFailure"])
    def test_what_the_manager_answers_is_named(self, manager: Stubber, code: str) -> None:
        manager.add_client_error("get_secret_value", code, f"about {KEY}", 400)
        with pytest.raises(UsageError, match=code) as raised:
            secret_from_manager("judge", manager.client)
        assert "GetSecretValue" in str(raised.value)
        assert "canary" not in str(raised.value)

    def test_a_rotated_key_is_taken_up_once_it_is_refused(self, manager: Stubber) -> None:
        for text in ("sk-old", "sk-new"):
            manager.add_response("get_secret_value", {"SecretString": text})
        manager.add_client_error("get_secret_value", "ThrottlingException")
        secret = secret_from_manager("judge", manager.client)
        assert secret.renew("sk-old") is True
        assert secret.renew("sk-old") is True
        assert secret.reveal() == "sk-new"
        assert secret.renew("sk-new") is False
        assert secret.reveal() == "sk-new"

    def test_the_librarys_logs_hold_no_secret(
        self, manager: Stubber, written: Callable[[], str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        manager.add_response("get_secret_value", {"SecretString": KEY})
        monkeypatch.setattr(boto3, "client", lambda *_, **__: manager.client)
        env = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "m", "GLASSBOX_LLM_API_KEY_SECRET": "judge"}
        found = LlmSettings.from_env(env)
        assert found is not None
        assert found.api_key.reveal() == KEY
        assert "canary" not in written()


def test_the_back_ends_are_imported_when_they_are_needed() -> None:
    import subprocess

    code = (
        "import sys; import glassbox.llm as llm; "
        "llm.LlmSettings.from_env({'GLASSBOX_LLM': 'openai', 'GLASSBOX_LLM_MODEL': 'm', 'GLASSBOX_LLM_API_KEY': 'k'}); "
        "print(sorted({'httpx', 'boto3', 'botocore'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_endpoint_that_repeats_the_key_does_not_get_it_stored(
    serve: Started, settings: Made, tmp_path: Path, written: Callable[[], str]
) -> None:
    told = json.loads(json.dumps(GOOD).replace("it says so", f"it says so, by {KEY}"))
    server = serve(script(Say(json.dumps(told))))
    asked = port(settings(server.url))
    answer = Recorder(asked, tmp_path / "cassettes").ask(question())
    asked.close()
    assert "it says so, by [key]" in answer.value.model_dump_json()
    kept = "".join(path.read_text("utf-8") for path in (tmp_path / "cassettes").glob("*.json"))
    assert KEY not in kept + written()
