"""Amazon Bedrock's Converse over boto3; the shape of an answer is asked for as the input of one forced tool."""

from __future__ import annotations

import json
import threading
from typing import Any, Final

from glassbox.llm.backend import BackendError, Code, Mode, Raw, Wire, count_of, hush, word_of
from glassbox.llm.settings import LlmSettings

_CODES: Final[dict[str, Code]] = {
    "ThrottlingException": "rate_limited",
    "TooManyRequestsException": "rate_limited",
    "ServiceQuotaExceededException": "rate_limited",
    "ModelNotReadyException": "unavailable",
    "ModelTimeoutException": "timeout",
    "ServiceUnavailableException": "unavailable",
    "InternalServerException": "unavailable",
    "ModelErrorException": "unavailable",
    "AccessDeniedException": "auth",
    "UnrecognizedClientException": "auth",
    "InvalidSignatureException": "auth",
    "ExpiredTokenException": "auth",
    "ResourceNotFoundException": "not_found",
}
_REFUSALS: Final = ("guardrail_intervened", "content_filtered")
_CUT: Final = ("max_tokens", "model_context_window_exceeded")
_SPANS: Final = (1.0, 0.5, 0.25, 0.125)
"""Time-outs of the clients that are kept, as shares of the setting: boto3 fixes the time-out with the client."""


class BedrockBackend:
    """One model of Bedrock; the region and the credentials are boto3's own."""

    modes: tuple[Mode, ...] = ("json_schema", "prompt")
    takes_seed = False

    def __init__(self, settings: LlmSettings, client: Any = None) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._given = client
        self._clients: dict[float, Any] = {}

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""
        trouble: BackendError
        try:
            answer: dict[str, Any] = self._connected(wire.timeout).converse(**self._arguments(wire))
        except Exception as error:
            trouble = _trouble(error)
        else:
            return _reply(answer)
        # Raised here, so that the library's own error, which may hold the request, is no part of it.
        raise trouble

    def close(self) -> None:
        """Close the connections; the next request makes new ones."""
        with self._lock:
            clients, self._clients = self._clients, {}
        for client in clients.values():
            client.close()

    def forget(self) -> None:
        """Drop the connections without closing them: after a fork they are the parent's."""
        self._lock = threading.Lock()
        self._clients = {}

    def _connected(self, timeout: float) -> Any:
        if self._given is not None:
            return self._given
        import boto3
        from botocore.config import Config

        longest = self._settings.timeout
        span = next((longest * share for share in _SPANS if longest * share <= timeout), max(1.0, timeout))
        with self._lock:
            if span not in self._clients:
                hush("boto3", "botocore", "urllib3")
                # The port retries by itself and counts what each attempt cost.
                config = Config(
                    retries={"total_max_attempts": 1},
                    connect_timeout=min(5.0, span),
                    read_timeout=span,
                    max_pool_connections=self._settings.concurrency,
                )
                if span < longest * _SPANS[-1]:
                    return boto3.client("bedrock-runtime", config=config)
                self._clients[span] = boto3.client("bedrock-runtime", config=config)
            return self._clients[span]

    def _arguments(self, wire: Wire) -> dict[str, Any]:
        inference: dict[str, Any] = {"maxTokens": wire.max_tokens}
        if wire.temperature is not None:
            inference["temperature"] = wire.temperature
        arguments: dict[str, Any] = {
            "modelId": self._settings.model,
            "messages": [
                {"role": m.role, "content": [{"text": m.content}]} for m in wire.messages if m.role != "system"
            ],
            "inferenceConfig": inference,
        }
        system = [{"text": m.content} for m in wire.messages if m.role == "system"]
        if system:
            arguments["system"] = system
        if wire.mode == "json_schema":
            tool = {"name": wire.name, "description": "Takes the answer", "inputSchema": {"json": dict(wire.schema)}}
            arguments["toolConfig"] = {
                "tools": [{"toolSpec": tool}],
                "toolChoice": {"tool": {"name": wire.name}},
            }
        return arguments


def _trouble(error: Exception) -> BackendError:
    """Return the error for what boto3 raised; anything but its own errors goes on as it is."""
    import botocore.exceptions as broken

    if isinstance(error, broken.ClientError):
        return _refusal(error.response)
    if isinstance(error, broken.ConnectTimeoutError):
        return BackendError("timeout", status="no connection")
    if isinstance(error, broken.ReadTimeoutError):
        return BackendError("timeout", billed=True)
    if isinstance(error, broken.NoCredentialsError | broken.PartialCredentialsError | broken.CredentialRetrievalError):
        return BackendError("auth", detail="no_credentials")
    if isinstance(error, broken.NoRegionError):
        return BackendError("config", detail="no_region")
    if isinstance(error, broken.SSLError):
        return BackendError("unavailable", detail="tls")
    if isinstance(error, broken.EndpointConnectionError):
        return BackendError("unavailable", detail="connection")
    if isinstance(error, broken.ParamValidationError):
        return BackendError("config", status="ParamValidationError")
    if isinstance(error, broken.BotoCoreError):
        return BackendError("unavailable", status=type(error).__name__, billed=True)
    raise error


def _refusal(response: Any) -> BackendError:
    error = response.get("Error", {}) if isinstance(response, dict) else {}
    name = word_of(error.get("Code"))
    if name == "ValidationException":
        return _invalid(str(error.get("Message", ""))[:600].lower())
    if name in _CODES:
        return BackendError(_CODES[name], status=name)
    metadata = response.get("ResponseMetadata", {}) if isinstance(response, dict) else {}
    status = count_of(metadata.get("HTTPStatusCode")) or 500
    return BackendError("unavailable" if status >= 500 else "config", status=name)


def _invalid(told: str) -> BackendError:
    """Return the error for a request that Bedrock or the model refuses; `told` is its message in lower case."""
    name = "ValidationException"
    if "model identifier" in told or "inference profile" in told:
        return BackendError("not_found", status=name)
    if "too long" in told or "context" in told or "too many" in told or "maximum tokens" in told:
        return BackendError("too_long", status=name)
    if "tool" in told or "schema" in told:
        return BackendError("parameter", status=name, parameter="schema")
    if "temperature" in told:
        return BackendError("parameter", status=name, parameter="temperature")
    return BackendError("config", status=name)


def _reply(answer: dict[str, Any]) -> Raw:
    reason = answer.get("stopReason")
    texts, objects = [], []
    for block in answer.get("output", {}).get("message", {}).get("content", []):
        if "toolUse" in block:
            objects.append(json.dumps(block["toolUse"].get("input"), ensure_ascii=False))
        elif "text" in block:
            texts.append(str(block["text"]))
    usage = answer.get("usage", {})
    return Raw(
        # Where the tool was used, a sentence beside it is no part of the answer.
        text="\n".join(objects) if objects else "\n".join(texts),
        finish="refusal" if reason in _REFUSALS else "length" if reason in _CUT else "stop",
        finish_reason=word_of(reason),
        input_tokens=count_of(usage.get("inputTokens")),
        output_tokens=count_of(usage.get("outputTokens")),
    )
