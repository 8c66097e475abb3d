"""How a judge model reads a prompt: what stands outside of the fences, what inside, and which statements are asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from glassbox.llm.types import Question
from tests.attacks.model import Attack

PRECISION: Final = "contextual_precision.verdicts"
STATEMENTS: Final = "faithfulness.statements"
VERDICTS: Final = "faithfulness.verdicts"
QUESTION: Final = "answer_relevancy.question"

_FENCED: Final = re.compile(r"<<<(GB-[0-9a-f]{32})\n(.*?)\n\1>>>", re.DOTALL)
_FENCE_LINES: Final = re.compile(r"<<<GB-[0-9a-f]{32}\n|\nGB-[0-9a-f]{32}>>>")
_HEADS: Final = re.compile(r"^(?:Passage|Statement) \d+:$", re.MULTILINE)
_JOINER: Final = "\u2060"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as a model reads it."""

    text: str
    """The user's message, with the library's JSON read and its values one below the other."""
    statements: tuple[str, ...]
    """The statements that verdicts are asked on, without number and fence."""


def read(question: Question) -> Prompt:
    """Return the prompt of a question; Ragas' input stands in it as JSON, DeepEval's as it is."""
    prompt = question.messages[-1].content
    if question.purpose == PRECISION:
        return Prompt(prompt, ())
    start, end = prompt.rindex("\ninput: ") + len("\ninput: "), prompt.rindex("\nOutput:")
    given = json.loads(prompt[start:end])
    values = [line for value in given.values() for line in ([value] if isinstance(value, str) else value)]
    text = "\n".join([prompt[:start], *values, prompt[end:]])
    asked = tuple(_bare(item) for item in given.get("statements", ()))
    return Prompt(text, asked if question.purpose == VERDICTS else ())


def reaches(attack: Attack, prompt: Prompt, *, inside: bool) -> bool:
    """Return whether the whole order stands in the prompt where this judge takes orders from.

    A token of a chat template that is still intact begins a turn wherever it stands, and a media marker makes the
    library act before any model reads the prompt: neither needs to be outside of a fence.
    """
    if attack.kind == "media":
        return bool(library().check_if_multimodal(prompt.text))
    if any(token in prompt.text for token in attack.tokens):
        return True
    seen = _without_structure if inside else _outside
    read_here = _plain(seen(prompt.text))
    return all(_plain(seen(order)) in read_here for order in attack.texts.values())


def without_orders(text: str, orders: Iterable[str]) -> str:
    """Return a text without the orders in it."""
    for order in orders:
        text = text.replace(order, " ").replace(order.strip(), " ")
    return text.strip()


def library() -> Any:
    """Return the module by which DeepEval's built-in models look for media in a prompt."""
    import glassbox.judges.llm.deepeval  # noqa: F401 - puts placeholders in place of what the library drags along

    return import_module("deepeval.utils")


def _bare(statement: str) -> str:
    found = _FENCED.search(statement)
    return found.group(2) if found else statement.partition(":\n")[2]


def _outside(text: str) -> str:
    return _FENCED.sub("\n", text)


def _without_structure(text: str) -> str:
    return _HEADS.sub("", _FENCE_LINES.sub("\n", text))


def _plain(text: str) -> str:
    return " ".join(text.replace(_JOINER, "").split())
