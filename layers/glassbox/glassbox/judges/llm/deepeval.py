"""DeepEval's ContextualPrecision on our judge model: its own prompt and its own arithmetic, every verdict by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Final

from glassbox.errors import JudgeError
from glassbox.judges.llm.asking import RULES, Asker, Fences, reason_of
from glassbox.judges.llm.placeholders import evaluators
from glassbox.judges.llm.responses import PassageReply, check_passages, passage_replies
from glassbox.judges.llm.running import run_to_end
from glassbox_contract.canonical import digest

with evaluators():
    from deepeval.metrics import ContextualPrecisionMetric
    from deepeval.metrics.base_metric import Verdict
    from deepeval.metrics.contextual_precision.schema import ContextualPrecisionVerdict, Verdicts
    from deepeval.models import DeepEvalBaseLLM
    from deepeval.templates.resolver import resolve_template
    from deepeval.test_case import LLMTestCase

PURPOSE: Final = "contextual_precision.verdicts"
LIBRARY: Final = "deepeval"
MOST_PASSAGES: Final = 8
"""Passages in one question: longer lists are where models lose count."""
MOST_CHARACTERS: Final = 48_000
ADDITION: Final = (
    "Each passage of the retrieval context stands after its number. Give one verdict for each passage and no other: "
    "`verdicts` is an object that holds the verdict on passage 1 as `passage_1`, and so on to the last. Write reasons "
    "in English, in one or two sentences."
)
_TEMPLATE: Final = "ContextualPrecisionMetric"
_TOKENS: Final = 256
_TOKENS_EACH: Final = 224
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Precision:
    """DeepEval's score with the verdicts behind it, one for each passage in the order given."""

    score: float
    verdicts: tuple[PassageReply, ...]


def measure_precision(asker: Asker, query: str, expected: str | None, passages: Sequence[tuple[int, str]]) -> Precision:
    """Return DeepEval's contextual precision of passages, given as (rank, text).

    Without `expected`, what a passage has to be useful for is any good answer to the query. Raises JudgeModelError,
    and JudgeError where the library counts otherwise than its own verdicts say.
    """
    model = _Model(asker, query, expected, passages)
    metric = _Metric(model)
    # What the library keeps of the texts is never shown: it is given their numbers, and the prompt is filled fenced.
    case = LLMTestCase(
        input="query",
        actual_output="answer",
        expected_output="expected",
        retrieval_context=[str(r) for r, _ in passages],
    )
    try:
        score = float(run_to_end(metric.a_measure(case, _show_indicator=False)))
    except Exception as error:
        # The library may have put an error of its own in place of the judge model's.
        raise (model.failure or error) from None
    if len(model.replies) != len(passages) or len(metric.verdicts) != len(passages):
        raise JudgeError("The library lost verdicts", where=PURPOSE)
    return Precision(score, tuple(model.replies))


@cache
def prompts() -> str:
    """Return the digest of the fixed text of the question, which stands in the judge model's own."""
    text = resolve_template(
        "metrics",
        _TEMPLATE,
        "generate_verdicts",
        multimodal=False,
        strict=True,
        input="",
        expected_output="",
        document_count_str="",
        context_to_display="",
        multimodal_note="",
    )
    return digest({PURPOSE: f"{ADDITION}\n{text}", "library": f"{LIBRARY} {version(LIBRARY)}", "rules": RULES})


class _Fenced(list[str]):
    """Passages as they are shown: numbered, each in its own fence."""

    def __str__(self) -> str:
        return "\n\n".join(self)


class _Model(DeepEvalBaseLLM):  # type: ignore[no-untyped-call]
    """Our judge model as DeepEval sees it; holds the texts of one evaluation."""

    def __init__(self, asker: Asker, query: str, expected: str | None, passages: Sequence[tuple[int, str]]) -> None:
        self.asker, self.query, self.expected, self.passages = asker, query, expected, passages
        self.fences = asker.fences()
        self.size = 0
        self.replies: list[PassageReply] = []
        self.failure: Exception | None = None
        super().__init__("glassbox")

    def load_model(self, *args: Any, **kwargs: Any) -> Any:
        """Return this model: there is nothing to load."""
        return self

    def get_model_name(self, *args: Any, **kwargs: Any) -> str:
        """Return a constant; the true name stands in the record of each call."""
        return "glassbox"

    def generate(self, prompt: str, schema: type | None = None) -> Any:
        """Return verdicts of the library's own type for a prompt, in the order of the passages."""
        if schema is not Verdicts:
            raise self._failed(JudgeError("The library asked for something else than verdicts", where=PURPOSE))
        try:
            reply = self.asker.ask(
                PURPOSE,
                prompt,
                ADDITION,
                passage_replies(self.size),
                self.fences,
                partial(check_passages, size=self.size),
                _TOKENS + _TOKENS_EACH * self.size,
            )
        except Exception as error:
            raise self._failed(error) from None
        found = sorted(reply.verdicts, key=lambda verdict: verdict.index)
        self.replies += [v.model_copy(update={"reason": reason_of(v.reason, self.fences)}) for v in found]
        return Verdicts(
            verdicts=[ContextualPrecisionVerdict(verdict=Verdict(v.verdict), reason=v.reason) for v in found]
        )

    async def a_generate(self, prompt: str, schema: type | None = None) -> Any:
        """Return the same, without waiting for anything."""
        return self.generate(prompt, schema)

    def _failed(self, error: Exception) -> Exception:
        # The first one counts: what the library does about it may fail again, in another way.
        self.failure = self.failure or error
        return self.failure


class _Metric(ContextualPrecisionMetric):  # type: ignore[no-untyped-call]
    """DeepEval's metric over numbered, fenced passages, in batches; without its second call, for a summary."""

    def __init__(self, model: _Model) -> None:
        super().__init__(model=model, include_reason=False, eval_mode="llm", async_mode=True, strict_mode=False)
        self._judge_model = model

    def _get_prompt(self, method: Any, **more: Any) -> str:
        # Templates are looked up by the name of the class.
        more["template_class"] = _TEMPLATE
        return str(super()._get_prompt(method, **more))

    async def _a_generate_verdicts(
        self, input: str, expected_output: str, retrieval_context: list[str], multimodal: bool
    ) -> list[ContextualPrecisionVerdict]:
        found: list[ContextualPrecisionVerdict] = []
        model = self._judge_model
        for batch in batches(model.passages):
            model.fences = fences = model.asker.fences()
            model.size = len(batch)
            query = fences.quote("query", model.query)
            expected = _expected(model.expected, fences)
            shown = _Fenced(
                f"Passage {number}:\n{fences.quote(f'passages.{rank}', text)}"
                for number, (rank, text) in enumerate(batch, start=1)
            )
            found += await super()._a_generate_verdicts(query, expected, shown, False)
        return found


def _expected(expected: str | None, fences: Fences) -> str:
    if expected is None:
        return "Any correct and complete answer to the input."
    return fences.quote("expected", expected)


def batches(passages: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Return the passages in batches of at most 8 and about 48,000 characters, in their order."""
    found: list[list[tuple[int, str]]] = []
    characters = 0
    for passage in passages:
        length = len(passage[1])
        if not found or len(found[-1]) == MOST_PASSAGES or characters + length > MOST_CHARACTERS:
            found.append([])
            characters = 0
        found[-1].append(passage)
        characters += length
    return found


def check_score(score: float, micros: int) -> None:
    """Return if DeepEval's score is the average precision that stands in the record; raises JudgeError."""
    if abs(score - micros / 1e6) > _TOLERANCE + 5e-7:
        raise JudgeError("DeepEval's score is not what its verdicts give", where=PURPOSE)
