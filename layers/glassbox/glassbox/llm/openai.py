"""OpenAI-compatible chat completions over httpx: OpenAI, Azure, vLLM, Ollama, llama.cpp, a LiteLLM proxy."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from glassbox.llm.backend import BackendError, Mode, Raw, Wire, hush
from glassbox.llm.completion import completion
from glassbox.llm.http_trouble import broken, refusal
from glassbox.llm.settings import LlmSettings

if TYPE_CHECKING:
    import httpx

MAX_BODY: Final = 8_388_608
_CONNECT: Final = 10.0


class OpenAIBackend:
    """One endpoint and one model; keeps its connections, and forgets what a broken one left behind."""

    modes: tuple[Mode, ...] = ("json_schema", "json_object", "prompt")
    takes_seed = True

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._limit_name = "max_tokens"

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""
        key = self._settings.api_key.reveal()
        try:
            return self._exchange(wire, key)
        except BackendError as error:
            if error.code != "auth" or not self._settings.api_key.renew(key):
                raise
        return self._exchange(wire, self._settings.api_key.reveal())

    def close(self) -> None:
        """Close the connections; the next request makes new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def forget(self) -> None:
        """Drop the connections without closing them: after a fork they are the parent's."""
        self._lock = threading.Lock()
        self._client = None

    def _exchange(self, wire: Wire, key: str) -> Raw:
        import httpx

        limit = self._limit_name
        trouble: BackendError | None = None
        try:
            status, headers, body = self._post(self._payload(wire, limit), key, wire.timeout)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as error:
            trouble = broken(error)
        if trouble is not None:
            # Raised here, so that the library's own error, which holds headers and key, is no part of it.
            raise trouble
        if status == 200:
            # An endpoint that repeats the key would have it stored with the reply.
            return completion(body.replace(key.encode(), b"[key]") if len(key) >= 8 else body)
        refused = refusal(status, headers, body)
        if refused.parameter == "max_tokens":
            if limit != "max_tokens":
                raise BackendError("config", status=status)
            # Newer models know the limit by its newer name; the caller asks again.
            self._limit_name = "max_completion_tokens"
        raise refused

    def _post(self, payload: dict[str, Any], key: str, timeout: float) -> tuple[int, httpx.Headers, bytes]:
        import httpx

        ends = time.monotonic() + timeout
        content = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        limits = httpx.Timeout(timeout, connect=min(_CONNECT, timeout))
        request = self._connected().build_request(
            "POST", self._address(), content=content, headers=self._headers(key), timeout=limits
        )
        answer = self._connected().send(request, stream=True)
        try:
            # The time for reading counts from here for each piece: what is left is less than at the start.
            request.extensions["timeout"]["read"] = max(0.001, ends - time.monotonic())
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise BackendError("unavailable", detail="no_completion", status="compressed", billed=True)
            body = bytearray()
            for piece in answer.iter_raw():
                body += piece
                if len(body) > MAX_BODY:
                    raise BackendError("unavailable", detail="too_large", billed=True)
                if time.monotonic() > ends:
                    raise BackendError("timeout", billed=True)
            return answer.status_code, answer.headers, bytes(body)
        finally:
            answer.close()

    def _connected(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                hush("httpx", "httpcore")
                # No proxy of the environment and no redirect ever gets to see the key.
                self._client = httpx.Client(
                    trust_env=False,
                    follow_redirects=False,
                    verify=self._trusted(),
                    limits=httpx.Limits(max_connections=self._settings.concurrency, keepalive_expiry=5.0),
                )
            return self._client

    def _trusted(self) -> Any:
        if self._settings.base_url.startswith("http:"):
            return False  # No certificate is shown: reading the authorities would be time lost.
        if self._settings.ca_bundle is None:
            return True
        import ssl

        try:
            return ssl.create_default_context(cafile=str(self._settings.ca_bundle))
        except (OSError, ValueError):
            raise BackendError("config", detail="tls", status="GLASSBOX_LLM_CA_BUNDLE can't be read") from None

    def _address(self) -> str:
        base = self._settings.base_url
        if not urlsplit(base).path:
            base += "/v1"
        query = f"?api-version={self._settings.api_version}" if self._settings.api_version else ""
        return f"{base}/chat/completions{query}"

    def _headers(self, key: str) -> dict[str, str]:
        headers = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "glassbox"}
        if key:
            headers |= {"api-key": key} if self._settings.api_version else {"authorization": f"Bearer {key}"}
        return headers

    def _payload(self, wire: Wire, limit: str) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": m.role, "content": m.content} for m in wire.messages],
            limit: wire.max_tokens,
        }
        if wire.temperature is not None:
            payload["temperature"] = wire.temperature
        if wire.seed is not None:
            payload["seed"] = wire.seed
        if wire.mode == "json_schema":
            shape = {"name": wire.name, "strict": True, "schema": dict(wire.schema)}
            payload["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif wire.mode == "json_object":
            payload["response_format"] = {"type": "json_object"}
        return payload
