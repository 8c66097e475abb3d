"""Faithfulness by the judge model: Ragas' two prompts, claims kept, verdicts by index with passage and quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field

from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import Asker, Reply, check_cover, drive
from glassbox.judges.llm.evaluators import evaluators
from glassbox.judges.llm.quoting import Quoter
from glassbox.llm.types import ReplyFault

BATCH: Final = 10
"""Statements in one question."""
MOST: Final = 200
"""Statements of one answer; a model that finds more has lost its way."""
GENERATION: Final = "faithfulness.statements"
VERDICTS: Final = "faithfulness.verdicts"
_VERDICT_TOKENS: Final = (256, 256)
_GENERATION_FORM: Final = (
    'Reply with {"statements": [...]}. Take every statement from the quoted answer and from nothing else, in the '
    "language of the answer; keep its names, numbers, dates and negations as they are."
)
_VERDICT_FORM: Final = (
    'Reply with {"verdicts": [...]} that holds exactly one object for each statement. The statements and the passages '
    'of the context are numbered in their first lines: "index" is the statement\'s number and "reason" justifies the '
    'verdict. "verdict" is 1 or 0. "passage" is the number of the passage that decides, and "quote" copies the words '
    "of that passage that decide, letter for letter, without ellipses; both are null where no passage speaks of it."
)


class StatementsReply(Reply):
    """The statements that an answer makes."""

    statements: list[str] = Field(max_length=MOST)


class VerdictReply(Reply):
    """The verdict on one statement, with what it rests on."""

    index: int
    reason: str = Field(max_length=4000)
    passage: int | None
    quote: str | None = Field(max_length=20_000)
    verdict: Literal[0, 1]


class VerdictsReply(Reply):
    """The verdicts on a batch of statements."""

    verdicts: list[VerdictReply]


@dataclass(frozen=True, slots=True)
class Told:
    """What the judge model said of one statement."""

    faithful: bool
    reason: str
    passage: int | None
    quote: str | None


def generate_statements(asker: Asker, query: str, answer: str) -> list[str]:
    """Return the statements into which Ragas' first prompt takes an answer apart; none of them blank."""
    quoter = asker.quoter()
    metric = _metric(asker, quoter, size=0, passages=0)
    made = drive(metric._create_statements(quoter.quote("query", query), quoter.quote("answer", answer)))
    return [text.strip() for text in made]


def judge_statements(asker: Asker, statements: Sequence[str], passages: Sequence[str]) -> list[Told]:
    """Return what Ragas' second prompt makes of each statement, in order; indices of passages are those of the list."""
    found: list[Told] = []
    for start in range(0, len(statements), BATCH):
        found += _judge_batch(asker, statements[start : start + BATCH], passages)
    return found


def _judge_batch(asker: Asker, statements: Sequence[str], passages: Sequence[str]) -> list[Told]:
    quoter = asker.quoter()
    context = "\n".join(f"Passage {i}:\n{quoter.quote(f'passage.{i}', text)}" for i, text in enumerate(passages))
    numbered = [f"Statement {i}:\n{quoter.quote(f'statement.{i}', text)}" for i, text in enumerate(statements)]
    metric = _metric(asker, quoter, size=len(statements), passages=len(passages))
    output = drive(metric._create_verdicts(numbered, context))
    told: list[Told] = metric.llm.told
    if [bool(item.verdict) for item in output.statements] != [item.faithful for item in told]:
        raise JudgeError("Ragas' verdicts are not those of the judge model", where=VERDICTS)
    return told


def _metric(asker: Asker, quoter: Quoter, *, size: int, passages: int) -> Any:
    libraries = evaluators()
    base: Any = libraries.ragas_model

    class Model(base):  # type: ignore[misc]
        """The judge model as Ragas sees it."""

        def __init__(self) -> None:
            self.told: list[Told] = []

        def generate(self, prompt: str, response_model: Any) -> Any:
            if "statements" not in response_model.model_fields:
                raise JudgeError("Ragas asked for something other than statements", where=GENERATION)
            if size == 0:
                return response_model(statements=_generated(asker, prompt, quoter))
            self.told = _judged(asker, prompt, quoter, size, passages)
            return response_model(
                statements=[
                    {"statement": str(i), "reason": item.reason, "verdict": int(item.faithful)}
                    for i, item in enumerate(self.told)
                ]
            )

        async def agenerate(self, prompt: str, response_model: Any) -> Any:
            return self.generate(prompt, response_model)

    return libraries.faithfulness(llm=Model())


def _generated(asker: Asker, prompt: str, quoter: Quoter) -> list[str]:
    def check(value: StatementsReply) -> None:
        if any(not text.strip() for text in value.statements):
            raise ReplyFault("empty")

    reply = asker.ask(
        GENERATION,
        prompt,
        _GENERATION_FORM,
        StatementsReply,
        quoter,
        check=check,
        # Statements repeat the answer in other words, with its subject in each.
        max_tokens=min(8192, 512 + len(prompt) // 2),
    )
    return list(reply.statements)


def _judged(asker: Asker, prompt: str, quoter: Quoter, size: int, passages: int) -> list[Told]:
    def check(value: VerdictsReply) -> None:
        check_cover([v.index for v in value.verdicts], size)
        if any(v.passage is not None and not 0 <= v.passage < passages for v in value.verdicts):
            raise ReplyFault("index")

    reply = asker.ask(
        VERDICTS,
        prompt,
        _VERDICT_FORM,
        VerdictsReply,
        quoter,
        check=check,
        max_tokens=_VERDICT_TOKENS[0] + _VERDICT_TOKENS[1] * size,
    )
    ordered = sorted(reply.verdicts, key=lambda v: v.index)
    return [Told(v.verdict == 1, v.reason, v.passage, v.quote) for v in ordered]
