"""Digests of prompts and replies that are equal in two runs of one evaluation: fences are replaced by constants."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from glassbox.llm.types import Message, Question
from glassbox_contract.canonical import digest

_STEM: Final = "GB-FENCE-"
_LITERAL: Final = _STEM + "X"


def without_fences(text: str, fences: Sequence[str]) -> str:
    """Return the text with each fence replaced by a constant of its own, by the fences' order.

    A text that holds the stem of the constants already has it marked as its own, so that nothing is taken for a fence
    that was none.
    """
    text = text.replace(_STEM, _LITERAL)
    for number, fence in enumerate(fences):
        text = text.replace(fence, _constant(number))
    return text


def with_fences(text: str, fences: Sequence[str]) -> str:
    """Return the text with the constants replaced by this run's fences: the inverse of `without_fences`."""
    for number, fence in enumerate(fences):
        text = text.replace(_constant(number), fence)
    return text.replace(_LITERAL, _STEM)


def prompt_digest(question: Question) -> str:
    """Return `sha256:` and the digest of a question's messages without their fences."""
    return digest(plain_messages(question.messages, question.fences))


def plain_messages(messages: Sequence[Message], fences: Sequence[str]) -> list[dict[str, str]]:
    """Return the messages as JSON, without their fences."""
    return [{"role": m.role, "content": without_fences(m.content, fences)} for m in messages]


def text_digest(text: str, fences: Sequence[str] = ()) -> str:
    """Return `sha256:` and the digest of a text without its fences, in UTF-8."""
    return "sha256:" + hashlib.sha256(without_fences(text, fences).encode("utf-8", "surrogatepass")).hexdigest()


def _constant(number: int) -> str:
    return f"{_STEM}{number:04d}-CONSTANT-0000000000"
