"""What the engine builds on in DeepEval 4.3.1 and Ragas 0.4.3: another release must fail here, not in a score."""

from __future__ import annotations

import asyncio
import inspect
import threading
from importlib.metadata import version
from typing import Any

import pytest

from glassbox.errors import JudgeError
from glassbox.judges import contextual_precision, semantic_faithfulness
from glassbox.judges.llm import deepeval, ragas
from glassbox.judges.llm.asking import Asker, model_entry
from glassbox.judges.llm.placeholders import VERSIONS, evaluators
from glassbox.judges.llm.responses import QuestionReply, StatementsReply, claim_replies, passage_replies
from glassbox.judges.llm.running import run_to_end
from glassbox.llm.schema import strict_schema
from tests.unit.judges.support import policy, real_models, request
from tests.unit.judges_llm.support import PRECISION, QUESTION, SALT, STATEMENTS, VERDICTS, Scripted, questions, tools

PROMPTS = {
    "deepeval": "sha256:13475d71414a10ae291634146c3010882d5a141d73a6f63a030687b32bfbda08",
    "ragas": "sha256:18ff00b9d09f433228432f33146e5deff97798cbbf2ec992b63d11bc700b8eae",
}


def test_the_releases_are_the_ones_that_are_built_on() -> None:
    assert {name: version(name) for name in VERSIONS} == dict(VERSIONS)


def test_the_prompts_are_the_ones_that_were_measured() -> None:
    assert {"deepeval": deepeval.prompts(), "ragas": ragas.prompts()} == PROMPTS


def test_the_libraries_own_words_are_sent_unchanged() -> None:
    model = Scripted()
    asked = request("Why?", "The tower is old.", ["The tower is old."])
    contextual_precision.judge(asked, policy(), tools(model))
    semantic_faithfulness.judge(asked, policy(), tools(model))
    with evaluators():
        from ragas.metrics.collections.answer_relevancy.util import AnswerRelevancePrompt
        from ragas.metrics.collections.faithfulness.util import NLIStatementPrompt, StatementGeneratorPrompt
    assert StatementGeneratorPrompt.instruction in model.prompts(STATEMENTS)[0]
    assert NLIStatementPrompt.instruction in model.prompts(VERDICTS)[0]
    assert AnswerRelevancePrompt.instruction in model.prompts(QUESTION)[0]
    assert "remotely useful in arriving at the expected output" in model.prompts(PRECISION)[0]
    assert StatementGeneratorPrompt()._generate_examples() in model.prompts(STATEMENTS)[0]


def test_the_private_names_that_are_called_exist() -> None:
    with evaluators():
        from deepeval.metrics import ContextualPrecisionMetric
        from ragas.metrics.collections import Faithfulness
    taken = list(inspect.signature(ContextualPrecisionMetric._a_generate_verdicts).parameters)
    assert taken == ["self", "input", "expected_output", "retrieval_context", "multimodal"]
    assert list(inspect.signature(Faithfulness._create_statements).parameters) == ["self", "question", "response"]
    assert list(inspect.signature(Faithfulness._create_verdicts).parameters) == ["self", "statements", "context"]
    assert list(inspect.signature(Faithfulness._compute_score).parameters) == ["self", "verdicts"]


def test_ragas_itself_gives_the_ratio_that_we_count() -> None:
    with evaluators():
        from ragas.llms.base import InstructorBaseRagasLLM
        from ragas.metrics.collections import Faithfulness

    class Plain(InstructorBaseRagasLLM):
        def generate(self, prompt: str, response_model: Any) -> Any:
            if "verdict" in str(response_model.model_json_schema()):
                words = [{"statement": "s", "reason": "r", "verdict": v} for v in (1, 0, 1, 1, 0)]
                return response_model(statements=words)
            return response_model(statements=list("abcde"))

        async def agenerate(self, prompt: str, response_model: Any) -> Any:
            return self.generate(prompt, response_model)

    score = run_to_end(Faithfulness(llm=Plain()).ascore("q", "a", ["c"]))
    assert float(score.value) == 0.6


@pytest.mark.parametrize("response", [passage_replies(8), StatementsReply, claim_replies(10), QuestionReply])
def test_every_shape_goes_through_constrained_decoding(response: Any) -> None:
    def objects(node: Any) -> Any:
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for value in node.values():
                yield from objects(value)

    found = list(objects(strict_schema(response)))
    assert found
    assert all(o["additionalProperties"] is False and o["required"] == list(o["properties"]) for o in found)


def test_the_example_of_the_extended_prompt_is_a_valid_reply_about_its_own_passage() -> None:
    (given, told), *_ = ragas._VerdictPrompt(4).examples
    assert list(told.statements) == ["statement_1", "statement_2", "statement_3", "statement_4"]
    assert claim_replies(4).model_validate_json(told.model_dump_json(), strict=True)
    for item in told.statements.values():
        assert item.quote is None or item.quote in given.context
        assert (item.verdict == 0) or item.quote


def test_the_identity_on_the_ledger_is_the_models_and_the_prompts() -> None:
    first = model_entry("openai:gpt-4o-mini", "x")
    assert first.startswith("openai:gpt-4o-mini@sha256:")
    assert len({first, model_entry("openai:gpt-4o", "x"), model_entry("openai:gpt-4o-mini", "y")}) == 3


@pytest.mark.parametrize(
    "identity", ["openai:" + "x" * 300, "openai:@cf/meta/llama 3", "bedrock:arn:aws:x:1:y/z", "jury:3"]
)
def test_any_identity_fits_the_contracts_pattern(identity: str) -> None:
    from glassbox_contract.record import MODEL

    assert MODEL.fullmatch(model_entry(identity, "x"))


async def _waiting() -> None:
    await asyncio.sleep(0)


def test_a_library_that_waits_is_an_error_and_no_score() -> None:
    with pytest.raises(JudgeError, match="waited for an event loop"):
        run_to_end(_waiting())


def _scores(model: Scripted) -> list[Any]:
    asked = request("When did the tower open?", "The tower opened in 1931. It is tall.", ["The tower opened in 1931."])
    used = tools(model)
    results = [judge.judge(asked, policy(), used) for judge in (contextual_precision, semantic_faithfulness)]
    return [(m.name, m.micros, m.status) for result in results for m in result.measurements]


def test_the_judges_run_inside_a_running_loop_and_leave_it_alone() -> None:
    outside = _scores(Scripted())

    async def inside() -> list[Any]:
        found = _scores(Scripted())
        await asyncio.sleep(0)
        return found

    assert asyncio.run(inside()) == outside
    assert not hasattr(asyncio, "_nest_patched")


def test_eight_evaluations_at_once_give_what_one_gives() -> None:
    real_models().embedder()
    alone, found, failed = _scores(Scripted()), [], []

    def work() -> None:
        try:
            for _ in range(3):
                found.append(_scores(Scripted()))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert found == [alone] * 24


def test_a_repeated_run_draws_anew() -> None:
    model = Scripted({QUESTION: questions("Why?")})
    asker = Asker(model, SALT, first_sample=3)
    ragas.relevancy_of(asker, "Why?", "Because.", real_models().embedder())
    assert [question.sample for question in model.asked] == [3, 4, 5]
