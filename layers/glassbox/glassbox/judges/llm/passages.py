"""1a by the judge model: DeepEval's ContextualPrecision, one verdict a passage, in batches, covered exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field

from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import Asker, Reply, check_cover
from glassbox.judges.llm.evaluators import evaluators

BATCH: Final = 8
"""Passages in one question: longer lists make weak models lose count."""
PURPOSE: Final = "contextual_precision.verdicts"
_TOKENS: Final = (256, 160)
_FORM: Final = (
    'Reply with {"verdicts": [...]} that holds exactly one object for each passage. The passages are numbered in '
    'their first lines: "index" is that number, "reason" justifies the verdict and "verdict" is yes or no.'
)


class PassageReply(Reply):
    """The verdict on one passage."""

    index: int
    reason: str = Field(max_length=4000)
    verdict: Literal["yes", "no"]


class PassagesReply(Reply):
    """The verdicts on a batch of passages."""

    verdicts: list[PassageReply]


@dataclass(frozen=True, slots=True)
class Useful:
    """Whether the judge model found a passage useful, and why."""

    useful: bool
    reason: str


def judge_passages(asker: Asker, query: str, reference: str, passages: Sequence[str]) -> list[Useful]:
    """Return DeepEval's verdict on each passage, in order; each passage must hold text and be there once.

    The score of the whole is not DeepEval's to give, since verdicts come in batches; `check_formula` shows that the
    contract's arithmetic is DeepEval's. Raises JudgeModelError.
    """
    found: list[Useful] = []
    for start in range(0, len(passages), BATCH):
        found += _judge_batch(asker, query, reference, passages[start : start + BATCH])
    check_formula(found)
    return found


def _judge_batch(asker: Asker, query: str, reference: str, passages: Sequence[str]) -> list[Useful]:
    metric = _metric(asker, len(passages))
    quoter = metric.model.quoter
    contexts = [f"Passage {i}:\n{quoter.quote(f'passage.{i}', text)}" for i, text in enumerate(passages)]
    case = evaluators().test_case(
        input=quoter.quote("query", query),
        actual_output="",
        expected_output=quoter.quote("reference", reference),
        retrieval_context=contexts,
    )
    if case.multimodal:
        raise JudgeError("A text under evaluation still holds a marker of a library's", where=PURPOSE)
    metric.measure(case, _show_indicator=False)
    return [Useful(str(v.verdict) == "yes", str(v.reason)) for v in metric.verdicts]


def check_formula(found: Sequence[Useful]) -> None:
    """Raise JudgeError unless DeepEval's own formula gives the average precision of the verdicts."""
    from glassbox_contract.arithmetic import average_precision

    if not found:
        return
    metric = _bare_metric()
    verdict = _verdict_class()
    metric.verdicts = [verdict(verdict="yes" if v.useful else "no", reason="") for v in found]
    micros = average_precision("".join("1" if v.useful else "0" for v in found))[0]
    if abs(metric._calculate_score() - micros / 1_000_000) > 1e-6:
        raise JudgeError("DeepEval's formula and the contract's arithmetic differ", where=PURPOSE)


def _verdict_class() -> Any:
    from deepeval.metrics.contextual_precision.schema import ContextualPrecisionVerdict

    return ContextualPrecisionVerdict


def _bare_metric() -> Any:
    kind = evaluators().contextual_precision
    metric = object.__new__(kind)
    metric.strict_mode, metric.threshold = False, 0.5
    return metric


def _metric(asker: Asker, size: int) -> Any:
    """Return DeepEval's metric on our model: it holds state, so each batch has one of its own."""
    libraries = evaluators()
    base: Any = libraries.deepeval_model

    class Model(base):  # type: ignore[misc]
        """The judge model as DeepEval sees it."""

        def __init__(self) -> None:
            self.quoter = asker.quoter()
            super().__init__("glassbox")

        def load_model(self) -> Any:
            return self

        def get_model_name(self) -> str:
            return "glassbox"

        def generate(self, prompt: str, schema: Any = None) -> Any:
            if schema is None:
                raise JudgeError("DeepEval asked for something other than verdicts", where=PURPOSE)
            reply = asker.ask(
                PURPOSE,
                prompt,
                _FORM,
                PassagesReply,
                self.quoter,
                check=lambda value: check_cover([v.index for v in value.verdicts], size),
                max_tokens=_TOKENS[0] + _TOKENS[1] * size,
            )
            ordered = sorted(reply.verdicts, key=lambda v: v.index)
            return schema(verdicts=[{"verdict": v.verdict, "reason": v.reason} for v in ordered])

        async def a_generate(self, prompt: str, schema: Any = None) -> Any:
            return self.generate(prompt, schema)

    return libraries.contextual_precision(model=Model(), include_reason=False, async_mode=False)
