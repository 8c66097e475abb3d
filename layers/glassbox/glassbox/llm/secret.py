"""Keys: by value from the caller's environment or by reference from Secrets Manager, and shown by nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, Final, NoReturn

from glassbox.errors import UsageError
from glassbox.llm.backend import hush

_LONGEST: Final = 8192


class Secret:
    """A text that neither prints, compares, copies, pickles nor serialises; only `reveal` gives it out."""

    __slots__ = ("_fetch", "_lock", "_text")

    def __init__(self, text: str, fetch: Callable[[], str] | None = None) -> None:
        self._text = text
        self._fetch = fetch
        self._lock = threading.Lock()

    def reveal(self) -> str:
        """Return the text, for the header that carries it and for nothing else."""
        return self._text

    def renew(self, refused: str) -> bool:
        """Fetch the text again where `refused` is the present one, and return whether there is another one now.

        A key that was rotated is so taken up by a process that lives on.
        """
        with self._lock:
            if self._fetch is None:
                return False
            if self._text == refused:
                try:
                    self._text = self._fetch()
                except UsageError:
                    return False
            return self._text != refused

    def __repr__(self) -> str:
        return "Secret(***)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not copied or pickled")


def secret_of(text: str, where: str) -> Secret:
    """Return a given key; raises UsageError, without the key, for what no header can carry."""
    return Secret(_usable(text.strip(), where))


def secret_from_manager(reference: str, client: Any = None) -> Secret:
    """Return a secret of AWS Secrets Manager: `name-or-arn`, or `name-or-arn#member` of a JSON object.

    Raises UsageError, which names the reference and never the value.
    """

    def fetch() -> str:
        return _usable(_fetched(reference, client), f"GLASSBOX_LLM_API_KEY_SECRET={reference}")

    return Secret(fetch(), fetch)


def _fetched(reference: str, client: Any) -> str:
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    hush("boto3", "botocore", "urllib3")
    name, _, member = reference.partition("#")
    try:
        manager = client or boto3.client("secretsmanager")
        text = manager.get_secret_value(SecretId=name)["SecretString"]
    except (BotoCoreError, ClientError, KeyError) as error:
        raise _unusable(reference, f"Secrets Manager answered {_name_of(error)}") from None
    if not member:
        return str(text).strip()
    try:
        value = json.loads(text)[member]
    except (ValueError, KeyError, TypeError):
        value = None
    if not isinstance(value, str):
        raise _unusable(reference, "the secret is no JSON object with that member")
    return value.strip()


def _name_of(error: Exception) -> str:
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code or type(error).__name__)


def _usable(text: str, where: str) -> str:
    if len(text) > _LONGEST or not all("!" <= character <= "~" for character in text):
        raise UsageError(
            "The judge model's key has a character that no key has, or is too long",
            where=where,
            fix="Set the key alone: printable ASCII without spaces or line breaks",
        )
    return text


def _unusable(reference: str, why: str) -> UsageError:
    return UsageError(
        f"The judge model's key can't be fetched: {why}",
        where=f"GLASSBOX_LLM_API_KEY_SECRET={reference}",
        fix="Check its name, the region and the right to secretsmanager:GetSecretValue",
    )
