"""What a judge model replies with: the libraries' own fields, extended by what makes a reply checkable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from glassbox.llm.types import ReplyFault

Shape = TypeVar("Shape", bound=BaseModel)

MOST_STATEMENTS = 400
"""Statements that one reply may hold."""


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _whole(value: object) -> object:
    """Refuse what Python takes for a 0 or 1 and JSON doesn't: true, false and 1.0."""
    if type(value) is not int:
        raise PydanticCustomError("literal_error", "must be 0 or 1")
    return value


Mark = Annotated[Literal[0, 1], BeforeValidator(_whole)]


class PassageWord(_Reply):
    """DeepEval's verdict on one passage."""

    reason: str = Field(description="the reason of the verdict, in English")
    verdict: Literal["yes", "no"] = Field(description="whether the passage was useful: yes or no")


class PassageReply(PassageWord):
    """The same, with the passage's number."""

    index: int


class PassageReplies(_Reply):
    """One verdict for each passage."""

    verdicts: list[PassageReply]


class StatementsReply(_Reply):
    """Ragas' statements of an answer."""

    statements: list[str] = Field(description="The generated statements from the answer")


class ClaimWord(_Reply):
    """Ragas' verdict on one statement, with the evidence that it rests on."""

    statement: str = Field(description="the original statement, word-by-word, without number and fence")
    passage: int | None = Field(description="number of the passage that the verdict rests on; null where none does")
    quote: str | None = Field(
        description="the words of that passage that decide, copied character by character; null where there are none"
    )
    reason: str = Field(description="the reason of the verdict, in English")
    verdict: Mark = Field(description="the verdict(0/1) of the faithfulness")


class ClaimReply(ClaimWord):
    """The same, with the statement's number."""

    index: int


class ClaimReplies(_Reply):
    """One verdict for each statement."""

    statements: list[ClaimReply]


class QuestionReply(_Reply):
    """Ragas' question to an answer."""

    question: str = Field(description="Question that can be answered from the response")
    noncommittal: Mark = Field(description="1 if the response is evasive/vague, 0 if it is substantive")


@cache
def passage_replies(size: int) -> type[PassageReplies]:
    """Return the shape of verdicts on `size` passages: `{"verdicts": {"passage_1": {...}, ...}}`."""
    return _covering(PassageReplies, "verdicts", "passage", PassageWord, size)


@cache
def claim_replies(size: int) -> type[ClaimReplies]:
    """Return the shape of verdicts on `size` statements: `{"statements": {"statement_1": {...}, ...}}`."""
    return _covering(ClaimReplies, "statements", "statement", ClaimWord, size)


def _covering(shape: type[Shape], member: str, item: str, word: type[BaseModel], size: int) -> type[Shape]:
    """Return a shape whose schema has one required member for each item, so that a constrained reply covers them all.

    A reply that is a list in which each entry has its `index` is taken too: models that are asked in words follow the
    libraries' own prompts, which want a list.
    """
    members: Any = {f"{item}_{number}": (word, ...) for number in range(1, size + 1)}
    inside = create_model(f"{item.title()}s", __config__=ConfigDict(extra="forbid"), **members)
    told: Any = {member: (inside, ...)}
    outside = create_model(shape.__name__, __config__=ConfigDict(extra="forbid"), **told)

    class Covering(shape):  # type: ignore[valid-type, misc]
        """A reply that covers every item."""

        @model_validator(mode="before")
        @classmethod
        def _listed(cls, value: Any) -> Any:
            given = value.get(member) if isinstance(value, dict) else None
            if not isinstance(given, dict) or not all(isinstance(one, dict) for one in given.values()):
                return value
            names = {f"{item}_{number}": number for number in range(1, size + 1)}
            # A member of another name keeps it as its index, which is then refused.
            return {**value, member: [{**one, "index": names.get(name, name)} for name, one in given.items()]}

        @classmethod
        def model_json_schema(cls, *_args: Any, **_more: Any) -> dict[str, Any]:
            # It is sent with every question and repeats itself for every item: what members mean stands in the prompt.
            plain: dict[str, Any] = _undescribed(outside.model_json_schema())
            return plain

        @classmethod
        def described(cls) -> dict[str, Any]:
            """Return the schema with its descriptions."""
            return outside.model_json_schema()

    return Covering


def _undescribed(node: Any) -> Any:
    if isinstance(node, list):
        return [_undescribed(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _undescribed(item) for key, item in node.items() if key not in ("description", "title")}


def check_cover(indices: Sequence[int], size: int) -> None:
    """Return if each number from 1 to `size` stands exactly once; raises ReplyFault."""
    if len(indices) != size:
        raise ReplyFault("count")
    if sorted(indices) != list(range(1, size + 1)):
        raise ReplyFault("index")


def check_passages(reply: PassageReplies, size: int) -> None:
    """Check that a reply has exactly one verdict for each passage; raises ReplyFault."""
    check_cover([verdict.index for verdict in reply.verdicts], size)


def check_claims(reply: ClaimReplies, claims: Sequence[str], passages: Sequence[int]) -> None:
    """Check that a reply has exactly one verdict for each claim, each on a passage that was shown; raises ReplyFault.

    A verdict that repeats another claim of the same batch in place of its own was counted wrongly.
    """
    check_cover([verdict.index for verdict in reply.statements], len(claims))
    shown, plain = set(passages), [_plain(claim) for claim in claims]
    for verdict in reply.statements:
        if verdict.passage is not None and verdict.passage not in shown:
            raise ReplyFault("index")
        told = _plain(verdict.statement)
        if told != plain[verdict.index - 1] and told in plain:
            raise ReplyFault("index")


def check_statements(reply: StatementsReply) -> None:
    """Check that no statement of a reply is blank and that there are not absurdly many; raises ReplyFault."""
    if len(reply.statements) > MOST_STATEMENTS:
        raise ReplyFault("count")
    if any(not statement.strip() for statement in reply.statements):
        raise ReplyFault("empty")


def check_question(reply: QuestionReply) -> None:
    """Check that a reply asks something; raises ReplyFault."""
    if not reply.question.strip():
        raise ReplyFault("empty")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
