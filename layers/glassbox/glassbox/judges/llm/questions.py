"""Answer relevancy by the judge model: Ragas asks which questions the answer answers, and compares them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field

from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import Asker, Reply, drive
from glassbox.judges.llm.evaluators import evaluators
from glassbox.judges.llm.quoting import Quoter
from glassbox.judges.relevancy import mean_relevancy
from glassbox.judges.tools import Embedder
from glassbox.llm.types import ReplyFault

DRAWS: Final = 3
"""Questions that are asked for, each with a seed of its own: equal draws would say the same thing three times."""
PURPOSE: Final = "answer_relevancy.question"
_FORM: Final = (
    'Reply with {"question": "...", "noncommittal": 0 or 1}. The question is written in the language of the answer '
    "and holds no fence."
)


class QuestionReply(Reply):
    """A question that the answer answers."""

    question: str = Field(max_length=4000)
    noncommittal: Literal[0, 1]


@dataclass(frozen=True, slots=True)
class Generated:
    """Ragas' value, and what it rests on."""

    value: float
    """Mean of `cosines`, 0 where every draw found the answer noncommittal; in [-1, 1], to six places."""
    questions: tuple[str, ...]
    cosines: tuple[float, ...]
    noncommittal: tuple[bool, ...]


def generated_relevancy(asker: Asker, query: str, answer: str, embedder: Embedder) -> Generated:
    """Return Ragas' answer relevancy of an answer to a query; raises JudgeModelError."""
    quoter = asker.quoter()
    metric = _metric(asker, quoter, embedder)
    value = float(drive(metric.ascore(user_input=query, response=quoter.quote("answer", answer))).value)
    drawn: list[QuestionReply] = metric.llm.drawn
    asked = embedder.embed([query])[0]
    cosines = tuple(round(float(embedder.embed([q.question])[0] @ asked), 6) for q in drawn)
    found = Generated(
        mean_relevancy(cosines, [q.noncommittal == 1 for q in drawn]),
        tuple(q.question for q in drawn),
        cosines,
        tuple(q.noncommittal == 1 for q in drawn),
    )
    if not math.isfinite(value) or abs(value - found.value) > 1e-4:
        raise JudgeError("Ragas' value does not follow from its questions", where=PURPOSE)
    return found


def _metric(asker: Asker, quoter: Quoter, embedder: Embedder) -> Any:
    libraries = evaluators()
    base: Any = libraries.ragas_model
    embedding_base: Any = libraries.ragas_embedding

    class Model(base):  # type: ignore[misc]
        """The judge model as Ragas sees it."""

        def __init__(self) -> None:
            self.drawn: list[QuestionReply] = []

        def generate(self, prompt: str, response_model: Any) -> Any:
            reply = asker.ask(
                PURPOSE, prompt, _FORM, QuestionReply, quoter, check=_check, max_tokens=512, sample=len(self.drawn)
            )
            self.drawn.append(reply)
            return response_model(question=reply.question, noncommittal=reply.noncommittal)

        async def agenerate(self, prompt: str, response_model: Any) -> Any:
            return self.generate(prompt, response_model)

    class Embedding(embedding_base):  # type: ignore[misc]
        """The bundled embedder as Ragas sees it."""

        def embed_text(self, text: str, **_kwargs: Any) -> list[float]:
            vector: list[float] = embedder.embed([text])[0].tolist()
            return vector

        async def aembed_text(self, text: str, **_kwargs: Any) -> list[float]:
            return self.embed_text(text)

        async def aembed_texts(self, texts: list[str], **_kwargs: Any) -> list[list[float]]:
            return [self.embed_text(text) for text in texts]

    return libraries.answer_relevancy(llm=Model(), embeddings=Embedding(), strictness=DRAWS)


def _check(value: QuestionReply) -> None:
    if not value.question.strip():
        raise ReplyFault("empty")
