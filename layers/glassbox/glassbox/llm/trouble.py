"""What goes wrong with a judge model, in plain words: what happened, and what to do about it."""

from __future__ import annotations

from typing import Final

from glassbox.errors import JudgeModelError
from glassbox.llm.backend import BackendError, Code, Detail
from glassbox.llm.types import FaultCode

SAID: Final[dict[FaultCode, str]] = {
    "invalid_json": "it was not exactly one JSON object",
    "schema": "it did not follow the schema: a field was missing, superfluous, null or of the wrong type or size",
    "count": "it did not hold exactly one item for each item that was asked about",
    "index": "its indices did not name each item that was asked about exactly once",
    "vocabulary": "it used a word that the schema does not allow",
    "not_finite": "it held a number that is none",
    "empty": "it was empty",
    "truncated": "it was cut off at the token limit",
    "refusal": "the model declined to answer",
}

_REACH: Final = "Check GLASSBOX_LLM_BASE_URL and that the server runs"
_WORDS: Final[dict[Code, tuple[str, str]]] = {
    "rate_limited": ("is asked too often", "Wait, lower GLASSBOX_LLM_CONCURRENCY, or raise the account's limit"),
    "unavailable": ("can't be reached or broke", f"{_REACH}; try again"),
    "timeout": ("took too long", "Raise GLASSBOX_LLM_TIMEOUT, or use a faster model"),
    "auth": (
        "refused the key",
        "Check GLASSBOX_LLM_API_KEY or the AWS credentials, and that the account may use this model",
    ),
    "not_found": ("knows no such model or path", "Check GLASSBOX_LLM_MODEL and the path in GLASSBOX_LLM_BASE_URL"),
    "parameter": (
        "refuses a parameter that is needed",
        "Set GLASSBOX_LLM_SCHEMA=auto, GLASSBOX_LLM_SEED=none or GLASSBOX_LLM_TEMPERATURE=none",
    ),
    "too_long": ("has no room for the question", "Use a model with a larger context, or fewer and shorter passages"),
    "quota": ("has no quota left", "Top up the account, or use another key"),
    "filtered": (
        "was not asked: a content filter of the endpoint stopped the question",
        "Change the filter of the deployment, or use another judge model",
    ),
    "config": ("doesn't understand the request", "`glassbox llm check` says what the endpoint supports"),
}
_DETAILS: Final[dict[Detail, tuple[str, str]]] = {
    "dns": ("has a host name that leads nowhere", "Check the host in GLASSBOX_LLM_BASE_URL, and the network's DNS"),
    "tls": (
        "shows a certificate that is not trusted, or speaks no TLS",
        "Check that GLASSBOX_LLM_BASE_URL begins with the right http or https; for a certificate authority of your own "
        "set GLASSBOX_LLM_CA_BUNDLE to its PEM file",
    ),
    "connection": ("takes no connection", f"{_REACH} and listens on that port"),
    "disconnected": ("closed the connection without an answer", f"{_REACH}; try again"),
    "redirect": (
        "has moved: the address leads to another one, which the key is not sent to",
        "Set GLASSBOX_LLM_BASE_URL to the final address",
    ),
    "too_large": ("sent a reply that is too large", f"{_REACH} and is a chat completions endpoint"),
    "no_completion": (
        "answered with something that is no chat completion",
        "Check that GLASSBOX_LLM_BASE_URL is the endpoint's address up to and without /chat/completions",
    ),
    "no_credentials": ("wants AWS credentials, and there are none", "Log in to AWS, or give the function a role"),
    "no_region": ("wants an AWS region, and there is none", "Set AWS_REGION"),
    "bad_key": ("can't be given this key", "Keys are printable ASCII; set GLASSBOX_LLM_API_KEY again"),
}


def no_reply(purpose: str, error: BackendError, attempts: int) -> JudgeModelError:
    """Return the error for a question that got no reply."""
    words, fix = _WORDS[error.code] if error.detail is None else _DETAILS[error.detail]
    status = f" ({error.status})" if error.status is not None else ""
    times = f" after {attempts} attempts" if attempts > 1 else ""
    wait = error.retry_after
    if wait is not None and wait >= 1:
        fix = f"It asks to wait {wait:.0f} seconds. {fix}"
    return JudgeModelError(
        f"The judge model {words}{status}{times}",
        code=error.detail or error.code,
        retryable=error.retryable,
        where=purpose,
        fix=fix,
    )


def gave_up(purpose: str, fault: FaultCode, attempts: int) -> JudgeModelError:
    """Return the error for a question whose replies could not be taken; another try may do better."""
    fix = "Try again, or use a stronger judge model; nothing was scored from what it said"
    if fault == "truncated":
        fix = "A model that thinks before it answers needs room for it: raise GLASSBOX_LLM_EXTRA_TOKENS"
    times = "in one attempt" if attempts == 1 else f"in {attempts} attempts"
    return JudgeModelError(
        f"The judge model gave no usable answer {times}: {SAID[fault]}",
        code=fault,
        retryable=True,
        where=purpose,
        fix=fix,
    )


def out_of_time(purpose: str) -> JudgeModelError:
    """Return the error for a question that there is no time left for."""
    return JudgeModelError(
        "There is no time left to ask the judge model",
        code="deadline",
        retryable=True,
        where=purpose,
        fix="Try again, or allow more time",
    )
