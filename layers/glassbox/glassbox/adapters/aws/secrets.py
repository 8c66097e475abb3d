"""Secrets by reference: fetched once in a while, never written anywhere."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from functools import lru_cache
from typing import Any, Final

from glassbox.adapters.aws.clients import as_store_error, client
from glassbox.errors import StoreError

_LIFE: Final = 300
_DOMAIN: Final = b"glassbox:tenant:"


def secret_text(name: str) -> str:
    """Return a secret's text; a changed secret is seen after five minutes. Raises StoreError."""
    return _fetched(name, int(time.monotonic() // _LIFE))


@lru_cache(maxsize=64)
def _fetched(name: str, _period: int) -> str:
    with as_store_error("Secrets Manager"):
        return str(client("secretsmanager").get_secret_value(SecretId=name)["SecretString"])


def forget_secrets() -> None:
    """Drop what was fetched."""
    _fetched.cache_clear()


def secret_object(name: str) -> dict[str, Any]:
    """Return a secret that holds a JSON object; raises StoreError without quoting it."""
    try:
        value = json.loads(secret_text(name))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise StoreError("A secret is not a JSON object", where="Secrets Manager", fix="Store it as a JSON object")
    return value


def tenant_key(master: str, tenant: str) -> bytes:
    """Return the secret under which a tenant's texts are digested: HMAC-SHA256 of the deployment's secret and its name.

    One stored secret serves every tenant, and no tenant's digests can be compared with another's.
    """
    return hmac.new(master.encode(), _DOMAIN + tenant.encode(), hashlib.sha256).digest()
