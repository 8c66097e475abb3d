"""A local OpenAI-compatible endpoint that plays scripted models: `with JudgeServer(model) as server: server.url`.

A model is a callable from the request's JSON to what is said: text, a JSON value, or one of `Say`, `Fail`, `Hang`,
`Drop`, `Half`, `Dribble` and `Raw`. `script` plays a list of them one after the other, `obedient` fills in any schema,
and `picky`, `limited` and `lying` spoil another model. Every request is kept in `server.seen`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SCHEMA_MARK = "JSON Schema"


@dataclass(frozen=True)
class Say:
    """A completion."""

    content: Any
    """Text as it is; any other value as JSON; None for no content."""
    finish: str | None = "stop"
    refusal: str | None = None
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    )
    model: str | None = "served-judge-1"
    fingerprint: str | None = "fp_test"
    delay: float = 0.0


@dataclass(frozen=True)
class Fail:
    """A status other than 200."""

    status: int
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str | None = None
    code: str | None = None
    body: bytes | None = None
    """The whole body in place of an error object."""


@dataclass(frozen=True)
class Hang:
    """Nothing at all for a while, then the connection is closed."""

    seconds: float
    headers_first: bool = False
    """Whether the status and the headers come at once, and only the body does not."""


@dataclass(frozen=True)
class Drop:
    """The connection is closed without a byte."""


@dataclass(frozen=True)
class Half:
    """The connection is closed in the middle of the body."""


@dataclass(frozen=True)
class Dribble:
    """A body without end: a blank every `every` seconds, for at most `seconds`."""

    every: float
    seconds: float = 10.0


@dataclass(frozen=True)
class Raw:
    """A status of 200 with these bytes."""

    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Model = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Seen:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    """With names in lower case."""
    payload: dict[str, Any]
    at: float

    @property
    def prompt(self) -> str:
        """All messages together."""
        return "\n".join(m["content"] for m in self.payload["messages"])


class JudgeServer:
    """Serves one model on a free port of 127.0.0.1 while the `with` block runs."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.seen: list[Seen] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.judge = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def origin(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL for an OpenAI-compatible client."""
        return f"{self.origin}/v1"

    def __enter__(self) -> JudgeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()

    def hang_up(self) -> None:
        """Close all connections that are open, as an endpoint does with idle ones."""
        self._server.hang_up()

    def wait(self, seconds: float) -> None:
        """Wait, or until the server is stopped."""
        self._stopped.wait(seconds)

    @contextlib.contextmanager
    def under_way(self, seen: Seen) -> Iterator[int]:
        """Count a request while it is worked on; yields how many are."""
        with self._lock:
            self.seen.append(seen)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            now = self._at_once
        try:
            yield now
        finally:
            with self._lock:
                self._at_once -= 1

    @property
    def at_once(self) -> int:
        """Requests under way now."""
        return self._at_once


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64
    judge: JudgeServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error of the server's."""

    def hang_up(self) -> None:
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        seen = Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(body), time.monotonic())
        judge = self.server.judge
        with judge.under_way(seen):
            said = judge.model(seen.payload)
            self._answer(judge, said)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _answer(self, judge: JudgeServer, said: Any) -> None:
        if isinstance(said, Drop):
            self.close_connection = True
        elif isinstance(said, Hang):
            self._hang(judge, said)
        elif isinstance(said, Half):
            self._send(200, b'{"choices": [{"mess', {}, length=4000)
            self.close_connection = True
        elif isinstance(said, Dribble):
            self._dribble(judge, said)
        elif isinstance(said, Raw):
            self._send(200, said.body, said.headers)
        elif isinstance(said, Fail):
            error = {"message": said.message, "type": "error", "param": said.param, "code": said.code}
            self._send(said.status, said.body or json.dumps({"error": error}).encode(), said.headers)
        else:
            say = said if isinstance(said, Say) else Say(said)
            judge.wait(say.delay)
            self._send(200, completion(say), {})

    def _hang(self, judge: JudgeServer, said: Hang) -> None:
        if said.headers_first:
            self._send(200, b"", {}, length=4000)
            self.wfile.flush()
        judge.wait(said.seconds)
        self.close_connection = True

    def _dribble(self, judge: JudgeServer, said: Dribble) -> None:
        self._send(200, b"", {}, length=100_000)
        for _ in range(int(said.seconds / said.every)):
            self.wfile.write(b" ")
            self.wfile.flush()
            judge.wait(said.every)
        self.close_connection = True

    def _send(self, status: int, body: bytes, headers: Mapping[str, str], length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def completion(say: Say) -> bytes:
    """Return the body of a chat completion."""
    content = say.content if say.content is None or isinstance(say.content, str) else json.dumps(say.content)
    document: dict[str, Any] = {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": say.refusal},
                "finish_reason": say.finish,
            }
        ],
    }
    if say.model is not None:
        document["model"] = say.model
    if say.fingerprint is not None:
        document["system_fingerprint"] = say.fingerprint
    if say.usage is not None:
        document["usage"] = say.usage
    return json.dumps(document).encode()


def script(*said: Any) -> Model:
    """Return a model that says one thing after the other, and the last one again and again."""
    numbers = itertools.count()
    lock = threading.Lock()

    def model(payload: dict[str, Any]) -> Any:
        with lock:
            turn = said[min(next(numbers), len(said) - 1)]
        return turn(payload) if callable(turn) else turn

    return model


def schema_of(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the JSON schema of a request: from `response_format`, else from the words of the last message."""
    form = payload.get("response_format") or {}
    if form.get("type") == "json_schema":
        schema: dict[str, Any] = form["json_schema"]["schema"]
        return schema
    text = payload["messages"][-1]["content"]
    at = text.rfind(SCHEMA_MARK)
    if at < 0:
        return None
    told: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{", at))[0]
    return told


def obedient(payload: dict[str, Any]) -> Any:
    """A model that fills in whatever schema it is given: the first word of each choice, one item a list."""
    schema = schema_of(payload)
    return "I can answer in words only." if schema is None else value_for(schema)


def value_for(schema: Mapping[str, Any]) -> Any:
    """Return the plainest value that is valid under a schema."""
    if "anyOf" in schema:
        return value_for(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"]
    if kind == "object":
        return {name: value_for(member) for name, member in schema["properties"].items()}
    if kind == "array":
        return [value_for(schema["items"])]
    plain: dict[str, Any] = {"string": "a word", "integer": 1, "number": 0.5, "boolean": True, "null": None}
    return plain[kind]


def picky(model: Model, *refused: str, status: int = 400) -> Model:
    """Return a model whose endpoint refuses parameters by name: `json_schema`, `json_object`, `seed`, ..."""

    def answer(payload: dict[str, Any]) -> Any:
        kind = (payload.get("response_format") or {}).get("type")
        for name in refused:
            if name in ("json_schema", "json_object") and kind == name:
                words = f"Invalid parameter: 'response_format' of type '{name}' is not supported with this model."
                return Fail(status, words, param="response_format")
            if name == "max_tokens" and name in payload:
                words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
                return Fail(status, words, param=name, code="unsupported_parameter")
            if name in payload and name != "max_tokens":
                words = f"Unsupported value: '{name}' is not supported with this model."
                return Fail(status, words, param=name, code="unsupported_value")
        return model(payload)

    return answer


def limited(server: Callable[[], JudgeServer], model: Model, most: int, retry_after: str | None = None) -> Model:
    """Return a model whose endpoint says 429 to every request beyond `most` at once."""

    def answer(payload: dict[str, Any]) -> Any:
        if server().at_once > most:
            return Fail(429, "slow down", headers={} if retry_after is None else {"retry-after": retry_after})
        return model(payload)

    return answer


def lying(model: Model, member: str, change: Callable[[list[Any]], list[Any]]) -> Model:
    """Return a model that changes one list of its answers: leaves an item out, adds one, doubles one."""

    def answer(payload: dict[str, Any]) -> Any:
        value = model(payload)
        if isinstance(value, dict) and isinstance(value.get(member), list):
            return {**value, member: change(value[member])}
        return value

    return answer


def broken(good: Mapping[str, Any]) -> dict[str, Any]:
    """Return what models send in place of `good`, a valid answer, by the name of what is wrong with it."""
    text = json.dumps(good)
    name, value = next(iter(good.items()))
    quoted = json.dumps(name)
    rest = text[text.index(":") + 1 :]
    return {
        "fenced": f"```json\n{text}\n```",
        "prose_before": f"Here is my verdict, as you asked:\n\n{text}",
        "prose_around": f"Of course!\n```\n{text}\n```\nLet me know if you need more.",
        "thoughts": f"<think>The user wants {{JSON}}. I will write {{it}}.</think>\n{text}",
        "truncated": Say(text[: len(text) // 2], finish="length"),
        "cut_without_a_word": text[: len(text) // 2],
        "null": {**good, name: None},
        "nan": f"{{{quoted}: NaN,{rest[rest.index(',') + 1 :] if ',' in rest else '}'}",
        "infinity": f"{{{quoted}: -Infinity}}",
        "too_large_a_number": f"{{{quoted}: 1e999}}",
        "refusal": Say(None, refusal="I can't help with that."),
        "content_filter": Say("", finish="content_filter"),
        "empty": "",
        "blank": " \n ",
        "no_content": Say(None),
        "prose_only": "The first passage is relevant and the second is not.",
        "two_objects": f"{text}\n{text}",
        "in_a_list": f"[{text}]",
        "duplicate_key": f"{{{quoted}: {json.dumps(value)}, {text[1:]}",
        "single_quotes": text.replace('"', "'"),
        "trailing_comma": text[:-1] + ",}",
        "extra_member": {**good, "confidence": 0.9},
        "missing_member": {k: v for k, v in good.items() if k != name},
        "raw_newline_in_text": text.replace("a word", "a\nword"),
    }
