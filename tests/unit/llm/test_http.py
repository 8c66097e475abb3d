"""The OpenAI-compatible back end: connections, time, sizes, and what it trusts."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from glassbox.llm import LlmSettings, Port, check_model
from glassbox.llm.backend import Wire
from glassbox.llm.openai import MAX_BODY, OpenAIBackend
from tests.support.judge_server import Dribble, Fail, Hang, JudgeServer, Raw, Say, limited, obedient, picky, script
from tests.unit.llm.asking import GOOD, KEY, Verdicts, question, refused

Started = Callable[..., JudgeServer]
Opened = Callable[..., Port]
Made = Callable[..., LlmSettings]


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_the_path_is_added_to_a_bare_origin_and_kept_otherwise(serve: Started, settings: Made, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    for url, path in (
        (server.origin, "/v1/chat/completions"),
        (server.origin + "/", "/v1/chat/completions"),
        (server.origin + "/openai/v1/", "/openai/v1/chat/completions"),
        (server.url + "/chat/completions", "/v1/chat/completions"),
    ):
        given = settings(url)
        opened(server, backend=OpenAIBackend(given)).ask(question())
        assert server.seen[-1].path == path


def test_the_key_goes_into_one_header_and_azures_into_its_own(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    opened(server).ask(question())
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    opened(server, api_version="2024-10-21").ask(question())
    assert server.seen[1].path == "/v1/chat/completions?api-version=2024-10-21"
    assert server.seen[1].headers["api-key"] == KEY
    assert "authorization" not in server.seen[1].headers
    assert KEY not in json.dumps([s.payload for s in server.seen])


def test_without_a_key_no_header_is_sent(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    opened(server, api_key="").ask(question())
    assert not {"authorization", "api-key"} & set(server.seen[0].headers)


def test_proxies_of_the_environment_are_not_asked(
    serve: Started, opened: Opened, listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening.setblocking(False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{listening.getsockname()[1]}")
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
    opened(serve(lambda _: GOOD)).ask(question())
    with pytest.raises(BlockingIOError):
        listening.accept()


def test_a_redirect_is_not_followed_and_the_key_stays(serve: Started, opened: Opened) -> None:
    other = serve(lambda _: GOOD)
    server = serve(script(Fail(307, headers={"location": other.url + "/chat/completions"})))
    assert refused(opened(server)).code == "redirect"
    assert other.seen == []


@pytest.mark.parametrize("said", [Hang(20), Hang(20, headers_first=True), Dribble(0.05, 20)])
def test_a_request_ends_when_its_time_is_over(serve: Started, settings: Made, said: object) -> None:
    backend = OpenAIBackend(settings(serve(script(said))))
    wire = Wire(
        messages=question().messages,
        mode="prompt",
        name="x",
        schema={},
        seed=None,
        temperature=None,
        max_tokens=9,
        timeout=1.0,
    )
    with pytest.raises(Exception, match="timeout") as raised:
        backend.send(wire)
    assert raised.value.billed is True  # type: ignore[attr-defined]
    backend.close()


def test_a_slow_model_is_waited_for(serve: Started, opened: Opened) -> None:
    assert opened(serve(script(Say(GOOD, delay=0.2)))).ask(question()).call.attempts == 1


def test_a_body_that_never_ends_is_cut_off(serve: Started, opened: Opened) -> None:
    error = refused(opened(serve(script(Raw(b" " * (MAX_BODY + 1))))))
    assert (error.code, error.retryable) == ("too_large", False)


def test_a_compressed_body_is_not_unpacked(serve: Started, opened: Opened) -> None:
    server = serve(script(Raw(b"\x1f\x8b", headers={"content-encoding": "gzip"})))
    assert refused(opened(server)).code == "no_completion"
    assert server.seen[0].headers["accept-encoding"] == "identity"


def test_nobody_listens(settings: Made, opened: Opened, listening: socket.socket) -> None:
    port = listening.getsockname()[1]
    listening.close()
    url = f"http://127.0.0.1:{port}/v1"
    error = refused(opened(JudgeServerAt(url)))
    assert (error.code, error.retryable) == ("connection", True)


def test_a_name_that_leads_nowhere(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    error = refused(opened(JudgeServerAt("http://judge.invalid/v1")))
    assert (error.code, error.retryable) == ("dns", True)
    assert "GLASSBOX_LLM_BASE_URL" in str(error)


def test_https_to_a_server_that_speaks_none(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    error = refused(opened(JudgeServerAt(server.url.replace("http:", "https:"))))
    assert (error.code, error.retryable) == ("tls", False)
    assert "GLASSBOX_LLM_CA_BUNDLE" in str(error)


def test_a_certificate_bundle_that_is_none(serve: Started, opened: Opened, tmp_path: Path) -> None:
    url = serve(lambda _: GOOD).url.replace("http:", "https:")
    (tmp_path / "ca.pem").write_text("no certificate", "utf-8")
    for path in (tmp_path / "ca.pem", tmp_path / "nowhere.pem"):
        error = refused(opened(JudgeServerAt(url), ca_bundle=path))
        assert (error.code, error.retryable) == ("tls", False)


def test_a_connection_is_kept_and_a_closed_one_replaced(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    port = opened(server)
    first = port.ask(question())
    server.hang_up()
    time.sleep(0.05)
    again = port.ask(question())
    assert first.value == again.value
    port.close()
    assert port.ask(question()).value == first.value


def test_the_client_is_made_once_and_not_before_it_is_needed(
    serve: Started, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    made = []
    original = httpx.Client.__init__

    def counted(self: httpx.Client, *args: object, **kwargs: object) -> None:
        made.append(kwargs["trust_env"])
        original(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(httpx.Client, "__init__", counted)
    port = opened(serve(lambda _: GOOD))
    assert made == []
    for _ in range(3):
        port.ask(question())
    assert made == [False]


class TestTogether:
    """Eight evaluations at once on one port."""

    def test_each_gets_its_own_answer(self, serve: Started, opened: Opened) -> None:
        def echo(payload: dict[str, object]) -> object:
            return {**GOOD, "note": f"seed {payload['seed']}"}

        server = serve(together(echo))
        port = opened(server)

        def ask(number: int) -> bool:
            value = port.within(lambda: 60.0).ask(question(sample=number)).value
            return isinstance(value, Verdicts) and value.note == f"seed {7 + number}"

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(ask, range(48)))
        assert server.most_at_once == 8

    def test_what_the_endpoint_refuses_is_given_up_once_for_all(self, serve: Started, opened: Opened) -> None:
        model = picky(obedient, "json_schema", "seed", "temperature", "max_tokens")
        port = opened(serve(together(model)), attempts=1)
        with ThreadPoolExecutor(8) as pool:
            calls = list(pool.map(lambda n: port.ask(question(check=None, sample=n)).call, range(8)))
        assert port.manner.mode == "json_object"
        assert {call.attempts for call in calls} == {1}

    def test_an_endpoint_with_two_places_serves_all_of_them(self, serve: Started, settings: Made) -> None:
        servers: list[JudgeServer] = []
        model = limited(lambda: servers[0], lambda _: GOOD, most=2)
        servers.append(serve(together(model)))
        given = settings(servers[0], attempts=20)
        port = Port(given, OpenAIBackend(given), sleep=lambda s: time.sleep(s / 50))
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: port.ask(question(sample=n)), range(24)))
        port.close()
        assert len(answers) == 24
        assert len(servers[0].seen) > 24
        assert sum(answer.call.attempts for answer in answers) == len(servers[0].seen)

    def test_never_more_are_under_way_than_were_allowed(self, serve: Started, opened: Opened) -> None:
        server = serve(lambda _: Say(GOOD, delay=0.01))
        port = opened(server, concurrency=3)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: port.ask(question(sample=n)), range(24)))
        assert server.most_at_once <= 3


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_process_asks_on_connections_of_its_own(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    port = opened(server)
    port.ask(question())
    with port._endpoint.limiter.slot(0):
        child = os.fork()
        if child == 0:
            try:
                port.ask(question(sample=1))
                port.close()
                os._exit(0)
            except BaseException:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
    assert port.ask(question(sample=2)).call.attempts == 1
    assert [s.payload["seed"] for s in server.seen] == [7, 8, 9]


def test_a_key_that_was_rotated_is_fetched_again(serve: Started, settings: Made) -> None:
    from dataclasses import replace

    from glassbox.llm.secret import Secret

    keys = iter(["sk-new"])
    secret = Secret("sk-old", lambda: next(keys))

    def guarded(_: dict[str, object]) -> object:
        return GOOD if server.seen[-1].headers["authorization"] == "Bearer sk-new" else Fail(401)

    server = serve(guarded)
    given = replace(settings(server), api_key=secret)
    port = Port(given, OpenAIBackend(given))
    assert port.ask(question()).call.attempts == 1
    assert port.ask(question()).call.attempts == 1
    assert len(server.seen) == 3
    port.close()


def test_a_key_without_a_source_is_refused_once(serve: Started, opened: Opened) -> None:
    server = serve(script(Fail(401)))
    assert refused(opened(server)).code == "auth"
    assert len(server.seen) == 1


def test_a_trusted_authority_of_ones_own_lets_a_server_in(tmp_path: Path, settings: Made) -> None:
    certificate, key = authority(tmp_path)
    server = JudgeServer(obedient)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
    with server:
        url = server.url.replace("http:", "https:")
        assert check_model(settings(url, ca_bundle=certificate)).ok
        report = check_model(settings(url))
        assert (report.ok, report.code, report.reachable) == (False, "tls", False)


def authority(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for 127.0.0.1 that vouches for itself, and its key."""
    import datetime
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "judge")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


def together(model: Callable[[dict[str, object]], object], number: int = 8) -> Callable[[dict[str, object]], object]:
    """Return a model that lets its first requests wait for one another, so that they are under way at once."""
    at_the_door = threading.Barrier(number)
    waiting = iter(range(number))

    def answer(payload: dict[str, object]) -> object:
        if next(waiting, None) is not None:
            at_the_door.wait(60)
        return model(payload)

    return answer


class JudgeServerAt:
    """An address in place of a server."""

    def __init__(self, url: str) -> None:
        self.url = url
