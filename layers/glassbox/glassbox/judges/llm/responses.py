"""What a judge model replies with: the libraries' own fields, extended by what makes a reply checkable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from glassbox.llm.types import ReplyFault

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


class PassageReply(_Reply):
    """DeepEval's verdict on one passage, with the passage's number."""

    index: int = Field(description="number of the passage that is judged, as it stands before it")
    reason: str = Field(description="the reason of the verdict, in English")
    verdict: Literal["yes", "no"] = Field(description="whether the passage was useful: yes or no")


class PassageReplies(_Reply):
    """One verdict for each passage."""

    verdicts: list[PassageReply]


class StatementsReply(_Reply):
    """Ragas' statements of an answer."""

    statements: list[str] = Field(description="The generated statements from the answer")


class ClaimReply(_Reply):
    """Ragas' verdict on one statement, with its number and the evidence that it rests on."""

    index: int = Field(description="number of the statement that is judged, as it stands before it")
    statement: str = Field(description="the original statement, word-by-word, without number and fence")
    passage: int | None = Field(description="number of the passage that the verdict rests on; null where none does")
    quote: str | None = Field(
        description="the words of that passage that decide, copied character by character; null where there are none"
    )
    reason: str = Field(description="the reason of the verdict, in English")
    verdict: Mark = Field(description="the verdict(0/1) of the faithfulness")


class ClaimReplies(_Reply):
    """One verdict for each statement."""

    statements: list[ClaimReply] = Field(description="Evaluated statements with verdicts")


class QuestionReply(_Reply):
    """Ragas' question to an answer."""

    question: str = Field(description="Question that can be answered from the response")
    noncommittal: Mark = Field(description="1 if the response is evasive/vague, 0 if it is substantive")


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
