"""Amazon Bedrock's Converse over boto3; the shape of an answer is asked for as the input of one forced tool."""

from __future__ import annotations

import json
import threading
from typing import Any, Final

from glassbox.llm.backend import BackendError, Code, Raw, Wire
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


class BedrockBackend:
    """One model of Bedrock; the region and the credentials are boto3's own."""

    takes_seed = False

    def __init__(self, settings: LlmSettings, client: Any = None) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._client = client

    def send(self, wire: Wire) -> Raw:
        """Return the reply to one request; raises BackendError."""
        from botocore.exceptions import (
            BotoCoreError,
            ClientError,
            ConnectTimeoutError,
            NoCredentialsError,
            NoRegionError,
            ReadTimeoutError,
        )

        try:
            answer: dict[str, Any] = self._connected(wire.timeout).converse(**self._arguments(wire))
        except ClientError as error:
            raise _refusal(error.response) from None
        except (ConnectTimeoutError, ReadTimeoutError):
            raise BackendError("timeout") from None
        except NoCredentialsError:
            raise BackendError("auth", status="no AWS credentials") from None
        except NoRegionError:
            raise BackendError("config", status="no AWS region") from None
        except BotoCoreError as error:
            raise BackendError("unavailable", status=type(error).__name__) from None
        return _reply(answer)

    def close(self) -> None:
        """Close the connections; the next request makes new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connected(self, timeout: float) -> Any:
        import boto3
        from botocore.config import Config

        with self._lock:
            if self._client is None:
                # The port retries by itself and counts what each attempt cost.
                config = Config(
                    retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=timeout, max_pool_connections=64
                )
                self._client = boto3.client("bedrock-runtime", config=config)
            return self._client

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


def _refusal(response: Any) -> BackendError:
    error = response.get("Error", {}) if isinstance(response, dict) else {}
    name = str(error.get("Code", ""))
    if name == "ValidationException":
        told = str(error.get("Message", "")).lower()
        if "tool" in told:
            return BackendError("parameter", status=name, parameter="schema")
        if "temperature" in told:
            return BackendError("parameter", status=name, parameter="temperature")
        if "too long" in told or "context" in told or "too many" in told:
            return BackendError("too_long", status=name)
        return BackendError("config", status=name)
    return BackendError(_CODES.get(name, "unavailable"), status=name or None)


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
        finish="refusal" if reason in _REFUSALS else "length" if reason == "max_tokens" else "stop",
        finish_reason=reason if isinstance(reason, str) else None,
        input_tokens=_count(usage.get("inputTokens")),
        output_tokens=_count(usage.get("outputTokens")),
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
