"""The AWS clients of a process: made at first use, kept for as long as a warm function lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from glassbox.errors import StoreError


@cache
def client(service: str) -> Any:
    """Return the client of a service; retries are the SDK's standard ones, time-outs short enough for a function."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        service,
        config=Config(
            retries={"mode": "standard", "total_max_attempts": 4},
            connect_timeout=3,
            read_timeout=20,
            s3={"addressing_style": "path"},
        ),
    )


def forget_clients() -> None:
    """Drop the clients, so that the next call makes new ones; for processes that change their credentials."""
    client.cache_clear()


def error_code(error: BaseException) -> str:
    """Return the code of a service's refusal, or the name of the error's class; never its message."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        return str(response.get("Error", {}).get("Code", type(error).__name__))
    return type(error).__name__


@contextmanager
def as_store_error(where: str) -> Iterator[None]:
    """Turn a service's refusal or silence into StoreError; its message may quote a request and is dropped."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise StoreError(
            f"AWS answered {error_code(error)}", where=where, fix="The same call may succeed later"
        ) from None
