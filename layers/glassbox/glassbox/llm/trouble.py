"""What goes wrong with a judge model, in plain words: what happened, and what to do about it."""

from __future__ import annotations

from typing import Final

from glassbox.errors import JudgeModelError
from glassbox.llm.backend import BackendError, Code

SAID: Final[dict[str, str]] = {
    "invalid_json": "it was not exactly one JSON object.",
    "schema": "it did not follow the schema: a field was missing, superfluous or of the wrong type.",
    "count": "it did not hold exactly one item for each item that was asked about.",
    "index": "its indices did not name each item that was asked about exactly once.",
    "vocabulary": "it used a word that the schema does not allow.",
    "not_finite": "it held a number that is none.",
    "empty": "it was empty.",
    "truncated": "it was cut off at the token limit.",
    "refusal": "the model declined to answer.",
}

_WORDS: Final[dict[Code, tuple[str, str]]] = {
    "rate_limited": ("is asked too often", "Wait, lower GLASSBOX_LLM_CONCURRENCY, or raise the account's limit"),
    "unavailable": ("can't be reached or broke", "Check GLASSBOX_LLM_BASE_URL and that the server runs; try again"),
    "timeout": ("took too long", "Raise GLASSBOX_LLM_TIMEOUT, or use a faster model"),
    "auth": ("refused the key", "Check GLASSBOX_LLM_API_KEY, and that the account may use this model"),
    "not_found": ("knows no such model or path", "Check GLASSBOX_LLM_MODEL and the path in GLASSBOX_LLM_BASE_URL"),
    "parameter": ("refuses a parameter that is needed", "Set GLASSBOX_LLM_SCHEMA=auto, or use another endpoint"),
    "too_long": ("has no room for the prompt", "Use a model with a larger context, or fewer and shorter passages"),
    "refused": ("has no quota left", "Top up the account, or use another key"),
    "config": ("doesn't understand the request", "`glassbox llm check` says what the endpoint supports"),
}


def no_reply(purpose: str, error: BackendError, attempts: int) -> JudgeModelError:
    """Return the error for a question that got no reply."""
    words, fix = _WORDS[error.code]
    status = f" ({error.status})" if error.status is not None else ""
    times = f" after {attempts} attempts" if attempts > 1 else ""
    return JudgeModelError(
        f"The judge model {words}{status}{times}", code=error.code, retryable=error.retryable, where=purpose, fix=fix
    )


def gave_up(purpose: str, fault: str, attempts: int) -> JudgeModelError:
    """Return the error for a question whose replies could not be taken; another try may do better."""
    return JudgeModelError(
        f"The judge model gave no usable answer in {attempts} attempts: {SAID[fault].rstrip('.')}",
        code=fault,
        retryable=True,
        where=purpose,
        fix="Try again, or use a stronger judge model; nothing was scored from what it said",
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
