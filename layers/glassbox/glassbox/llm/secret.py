"""Keys: by value from the caller's environment or by reference from Secrets Manager, and shown by nothing."""

from __future__ import annotations

import json
from typing import NoReturn

from glassbox.errors import UsageError


class Secret:
    """A text that neither prints, compares, pickles nor serialises; only `reveal` gives it out."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, for the header that carries it and for nothing else."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


def secret_from_manager(reference: str) -> Secret:
    """Return a secret of AWS Secrets Manager: `name-or-arn`, or `name-or-arn#member` of a JSON object.

    Raises UsageError, which names the reference and never the value.
    """
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    name, _, member = reference.partition("#")
    try:
        text = boto3.client("secretsmanager").get_secret_value(SecretId=name)["SecretString"]
    except (BotoCoreError, ClientError, KeyError) as error:
        raise _unusable(reference, f"Secrets Manager answered {type(error).__name__}") from None
    if not member:
        return Secret(text.strip())
    try:
        value = json.loads(text)[member]
    except (ValueError, KeyError, TypeError):
        raise _unusable(reference, "the secret is no JSON object with that member") from None
    return Secret(str(value).strip())


def _unusable(reference: str, why: str) -> UsageError:
    return UsageError(
        f"The judge model's key can't be fetched: {why}",
        where=f"GLASSBOX_LLM_API_KEY_SECRET={reference}",
        fix="Check its name, the region and the right to secretsmanager:GetSecretValue",
    )
