"""OpenAI-compatible chat completions over httpx: OpenAI, Azure, vLLM, Ollama, llama.cpp, a LiteLLM proxy."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from glassbox.llm.backend import BackendError, Code, Parameter, Raw, Wire
from glassbox.llm.settings import LlmSettings

if TYPE_CHECKING:
    import httpx

MAX_BODY: Final = 8_388_608
_ASKED: Final[tuple[tuple[Parameter, tuple[str, ...]], ...]] = (
    ("schema", ("response_format", "json_schema", "json_object", "grammar", "guided", "structured output")),
    ("max_tokens", ("max_tokens", "max_completion_tokens")),
    ("seed", ("seed",)),
    ("temperature", ("temperature",)),
)
_TOO_LONG: Final = ("context_length", "context length", "maximum context", "context size", "too many tokens")


class OpenAIBackend:
    """One endpoint and one model; keeps its connections, and forgets what a broken one left behind."""

    takes_seed = True

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._completion_tokens = False

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""
        import httpx

        try:
            status, headers, body = self._post(self._payload(wire), wire.timeout)
        except httpx.TimeoutException:
            raise BackendError("timeout") from None
        except httpx.InvalidURL:
            raise BackendError("config") from None
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise BackendError("unavailable", status=type(error).__name__) from None
        if status != 200:
            raise self._refusal(status, headers, body)
        return _reply(body)

    def close(self) -> None:
        """Close the connections; the next request makes new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _post(self, payload: dict[str, Any], timeout: float) -> tuple[int, dict[str, str], bytes]:
        client = self._connected()
        content = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        with client.stream(
            "POST", self._address(), content=content, headers=self._headers(), timeout=timeout
        ) as answer:
            body = bytearray()
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > MAX_BODY:
                    raise BackendError("unavailable", status="a reply over 8 MiB")
            return answer.status_code, dict(answer.headers), bytes(body)

    def _connected(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                # No proxy of the environment and no redirect ever gets to see the key.
                self._client = httpx.Client(trust_env=False, follow_redirects=False)
            return self._client

    def _address(self) -> str:
        base = self._settings.base_url
        if not urlsplit(base).path:
            base += "/v1"
        query = f"?api-version={self._settings.api_version}" if self._settings.api_version else ""
        return f"{base}/chat/completions{query}"

    def _headers(self) -> dict[str, str]:
        key = self._settings.api_key.reveal()
        headers = {"content-type": "application/json"}
        if key:
            headers |= {"api-key": key} if self._settings.api_version else {"authorization": f"Bearer {key}"}
        return headers

    def _payload(self, wire: Wire) -> dict[str, Any]:
        tokens = "max_completion_tokens" if self._completion_tokens else "max_tokens"
        payload: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": m.role, "content": m.content} for m in wire.messages],
            tokens: wire.max_tokens,
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

    def _refusal(self, status: int, headers: dict[str, str], body: bytes) -> BackendError:
        if status in (401, 403):
            return BackendError("auth", status=status)
        if status == 404:
            return BackendError("not_found", status=status)
        if status == 429:
            told = _told(body)
            # A quota that is used up does not come back by waiting.
            code: Code = "refused" if "insufficient_quota" in told else "rate_limited"
            return BackendError(code, status=status, retry_after=_seconds(headers.get("retry-after")))
        if status in (408, 409, 425) or status >= 500:
            return BackendError("unavailable", status=status, retry_after=_seconds(headers.get("retry-after")))
        if status in (400, 422):
            return self._bad_request(status, _told(body))
        return BackendError("config", status=status)

    def _bad_request(self, status: int, told: str) -> BackendError:
        if any(words in told for words in _TOO_LONG):
            return BackendError("too_long", status=status)
        for parameter, words in _ASKED:
            if not any(word in told for word in words):
                continue
            if parameter == "max_tokens":
                if self._completion_tokens:
                    continue
                # Newer models know the limit by its newer name; the caller asks again.
                self._completion_tokens = True
            return BackendError("parameter", status=status, parameter=parameter)
        return BackendError("config", status=status)


def _told(body: bytes) -> str:
    """Return the endpoint's own words in lower case, to look for what it names; they go no further than that."""
    return body[:4096].decode("utf-8", "replace").lower()


def _seconds(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value <= 3600 else None


def _reply(body: bytes) -> Raw:
    try:
        document: Any = json.loads(body)
        choice = document["choices"][0]
        message = choice["message"]
        text, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise BackendError("unavailable", status="a body that is no chat completion") from None
    if isinstance(text, list):
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    usage = document.get("usage") if isinstance(document.get("usage"), dict) else {}
    refused = bool(refusal) or reason in ("content_filter", "refusal")
    return Raw(
        text=text if isinstance(text, str) else "",
        finish="refusal" if refused else "length" if reason in ("length", "max_tokens") else "stop",
        finish_reason=_word(reason),
        served_model=_word(document.get("model")),
        system_fingerprint=_word(document.get("system_fingerprint")),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def _word(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else None
