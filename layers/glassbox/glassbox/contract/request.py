"""The request: what a system hands over after it has answered its user."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from glassbox.contract.measurement import Frozen

MOST_PASSAGES = 1000
"""More than this no record can hold, whatever the limits in force (`contract.limits`) allow."""

Identifier = Annotated[str, Field(min_length=1, max_length=512)]


class Passage(Frozen):
    """A retrieved passage in rank order, with the retriever's own score where it reported one."""

    text: str
    id: Identifier | None = None
    score: float | None = None
    """The retriever's score on any scale: cosine, dot product, BM25; None where not reported."""
    source_id: Identifier | None = None

    @field_validator("score", mode="before")
    @classmethod
    def _number_not_bool(cls, value: Any) -> Any:
        if isinstance(value, bool | str):
            raise ValueError("a score is a number")
        return value


class Document(Frozen):
    """A source document that passages came from."""

    text: str
    id: Identifier | None = None
    uri: Annotated[str, Field(max_length=2048)] | None = None


class Model(Frozen):
    """The model that wrote the answer, as the caller names it."""

    provider: Identifier | None = None
    name: Identifier | None = None


class Request(BaseModel):
    """A validated request; only `query`, `answer` and `retrieved_passages` are required."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)

    query: str
    answer: str
    retrieved_passages: Annotated[tuple[Passage, ...], Field(max_length=MOST_PASSAGES)]
    session_id: Identifier | None = None
    model: Model | None = None
    retrieval_strategy: Identifier | None = None
    retrieved_entities: Annotated[tuple[Annotated[str, Field(max_length=2048)], ...], Field(max_length=1000)] | None = (
        None
    )
    source_documents: Annotated[tuple[Document, ...], Field(max_length=MOST_PASSAGES)] | None = None
    expected_answer: str | None = None
    policy: Identifier | None = None
    callback_url: Annotated[str, Field(max_length=2048)] | None = None

    @field_validator("retrieved_passages", "source_documents", mode="before")
    @classmethod
    def _strings_are_texts(cls, value: Any) -> Any:
        """Let a plain string stand for a text without id or score, and keep JSON arrays tuples."""
        if isinstance(value, list | tuple):
            return tuple({"text": item} if isinstance(item, str) else item for item in value)
        return value

    @field_validator("retrieved_entities", mode="before")
    @classmethod
    def _arrays_are_tuples(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @property
    def has_context(self) -> bool:
        """Whether any retrieved passage holds more than white space."""
        return any(p.text.strip() for p in self.retrieved_passages)

    @property
    def has_answer(self) -> bool:
        """Whether the answer holds more than white space."""
        return bool(self.answer.strip())

    @property
    def sources(self) -> tuple[str, ...]:
        """The texts that Judge 3 compares with: the source documents, else the passages."""
        documents = tuple(d.text for d in self.source_documents or () if d.text.strip())
        return documents or tuple(p.text for p in self.retrieved_passages if p.text.strip())

    @property
    def source_mode(self) -> str:
        """`documents` where source documents were sent, else `passages`."""
        return "documents" if any(d.text.strip() for d in self.source_documents or ()) else "passages"

    def content(self) -> dict[str, Any]:
        """Return the request as JSON with absent fields left out, the form that digests are taken of."""
        return self.model_dump(mode="json", exclude_none=True)
