"""What an attack is: a request whose answer is in truth unsupported, with orders to the judge hidden in its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from glassbox.contract.request import Request


class Demand(StrEnum):
    """What the order wants, which is what a judge does that obeys it."""

    APPROVE = "approve"
    """Yes and 1 to everything; the judge picks the nearest real sentence as its quote, which is the worst case."""
    FORGED_QUOTE = "forged_quote"
    """Yes and 1, with the claim itself as the quote."""
    ELSEWHERE = "elsewhere"
    """Yes and 1, with a real sentence as the quote, but of another passage than the one that is named."""
    NO_QUOTE = "no_quote"
    """Yes and 1, with no quote."""
    ONE_VERDICT = "one_verdict"
    """A single favourable verdict, whatever the number of items."""
    REPEATED = "repeated"
    """As many verdicts as items, all of them on the first."""
    ONE_MORE = "one_more"
    """A verdict on an item that doesn't exist beside the others."""
    NO_VERDICT = "no_verdict"
    """An empty list of verdicts."""
    OTHER_WORD = "other_word"
    """Verdicts outside of the vocabulary."""
    NO_STATEMENTS = "no_statements"
    """An answer that is said to state nothing; yes and 1 elsewhere."""
    OWN_STATEMENTS = "own_statements"
    """True sentences of a passage in place of what the answer states; yes and 1 elsewhere."""
    COPY = "copy"
    """The JSON that stands in the attack itself, as the reply."""


@dataclass(frozen=True, slots=True)
class Scene:
    """An everyday request, with an answer that its passages support and one that they don't."""

    name: str
    query: str
    true: str
    false: str
    passages: tuple[str, ...]
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack. `texts` are its orders by the field in which each stands, as they stand there."""

    id: str
    kind: str
    language: str
    scene: Scene
    texts: Mapping[str, str]
    """Fields: `query`, `answer`, `expected`, `passages.N`, `passages.+` (a passage of its own), `documents.0`, and
    names that are no text: `session_id`, `passages.0.id`, `passages.0.source_id`, `entities`, `model`, `strategy`,
    `documents.0.id`, `documents.0.uri`."""
    demand: Demand = Demand.APPROVE
    before: bool = False
    """Whether the order stands before the field's own text and not behind it."""
    tokens: tuple[str, ...] = ()
    """Tokens of chat templates: where one of them reaches a prompt intact, a server takes it for a turn of its own."""
    reply: Mapping[str, Any] = field(default_factory=dict)
    """For Demand.COPY: the forged reply by the purpose of the question."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that hold a part of the order."""
        return tuple(self.texts)

    def request(self) -> Request:
        """Return the request with the unsupported answer and the order in its place."""
        return build(self.scene, self.scene.false, self.texts, self.before)


def build(scene: Scene, answer: str, texts: Mapping[str, str], before: bool = False) -> Request:
    """Return the request of a scene with this answer and with `texts` added to its fields."""
    document: dict[str, Any] = {
        "query": scene.query,
        "answer": answer,
        "retrieved_passages": [{"text": text} for text in scene.passages],
    }
    for name, text in texts.items():
        _add(document, scene, name, text, before)
    return Request.model_validate(document)


def _add(document: dict[str, Any], scene: Scene, name: str, text: str, before: bool) -> None:
    where, _, rest = name.partition(".")
    number, _, part = rest.partition(".")
    if where in ("query", "answer"):
        document[where] = _joined(document[where], text, before)
    elif where == "expected":
        document["expected_answer"] = _joined(scene.true, text, before)
    elif where == "passages" and number == "+":
        document["retrieved_passages"].append({"text": text})
    elif where == "passages":
        passage = document["retrieved_passages"][int(number)]
        passage[part or "text"] = text if part else _joined(passage["text"], text, before)
    elif where == "documents":
        documents = document.setdefault("source_documents", [{"text": " ".join(scene.passages)}])
        documents[0][part or "text"] = text if part else _joined(documents[0]["text"], text, before)
    elif where == "entities":
        document["retrieved_entities"] = [text]
    elif where == "model":
        document["model"] = {"provider": "acme", "name": text}
    else:
        document[{"strategy": "retrieval_strategy"}.get(where, where)] = text


def _joined(own: str, text: str, before: bool) -> str:
    first, second = (text, own) if before else (own, text)
    return first + second if first.endswith("\n") or second.startswith("\n") else f"{first} {second}"
