"""A judge model in memory: it reads the prompts as a model would, and says what a test wants it to say.

It stands in for the endpoint only. Replies are text and go through the port's own reading and the question's own
check, so that what is refused here is refused there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from glassbox.errors import JudgeModelError
from glassbox.judges.faithfulness import split_answer
from glassbox.judges.tools import Tools
from glassbox.judges.words import keys
from glassbox.llm.reading import read_reply
from glassbox.llm.types import Answer, Call, Question, ReplyFault
from glassbox.text.sentences import split_sentences
from tests.unit.judges.support import Models

SALT = bytes(range(32))
PRECISION = "contextual_precision.verdicts"
STATEMENTS = "faithfulness.statements"
VERDICTS = "faithfulness.verdicts"
QUESTION = "answer_relevancy.question"
_FENCED = re.compile(r"<<<(GB-[0-9a-f]{32})\n(.*?)\n\1>>>", re.DOTALL)
_NUMBERED = re.compile(r"(Passage|Statement) (\d+):\n<<<(GB-[0-9a-f]{32})\n(.*?)\n\3>>>", re.DOTALL)


@dataclass
class Asked:
    """A question as a model understands it."""

    question: Question
    texts: list[str]
    """What stands in the fences of query, reference, answer or response, in order."""
    passages: list[tuple[int, str]]
    statements: list[str]


Reply = Any
Script = Callable[[Asked], Reply]


def understood(question: Question) -> Asked:
    """Read a prompt: DeepEval's as it stands, Ragas' from the JSON after its last `input:`."""
    prompt = question.messages[-1].content
    if question.purpose == PRECISION:
        head = prompt[prompt.rindex("\nInput:\n<<<GB-") :]
        numbered = [(int(n), text) for kind, n, _, text in _NUMBERED.findall(head)]
        plain = [text for _, text in _FENCED.findall(head.partition("Passage 1:")[0])]
        return Asked(question, plain, numbered, [])
    given = json.loads(prompt[prompt.rindex("\ninput: ") + len("\ninput: ") : prompt.rindex("\nOutput:")])
    if question.purpose == VERDICTS:
        passages = [(int(n), text) for _, n, _, text in _NUMBERED.findall(given["context"])]
        statements = [_NUMBERED.fullmatch(item).group(4) for item in given["statements"]]  # type: ignore[union-attr]
        return Asked(question, [], passages, statements)
    return Asked(question, [text for value in given.values() for _, text in _FENCED.findall(value)], [], [])


def useful(asked: Asked) -> Reply:
    """Call a passage useful where it shares three words with what was asked or expected."""
    wanted = {key for text in asked.texts for key in keys(text)}
    return {
        "verdicts": [
            {"index": n, "reason": "because", "verdict": "yes" if len(wanted & set(keys(text))) >= 2 else "no"}
            for n, text in asked.passages
        ]
    }


def sentences(asked: Asked) -> Reply:
    """State the sentences of the answer as they stand."""
    return {"statements": [claim.text for claim, _ in split_answer(asked.texts[-1])[0]]}


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    found = (text[span.start : span.end] for span in split_sentences(text))
    return tuple((sentence, frozenset(keys(sentence))) for sentence in found)


def literal(asked: Asked) -> Reply:
    """Call a statement supported where a sentence of a passage holds most of its words, and quote that sentence."""
    found = []
    for number, statement in enumerate(asked.statements, start=1):
        wanted, best = set(keys(statement)), (0.0, 0, "")
        for passage, text in asked.passages:
            for sentence, held in _words(text):
                best = max(best, (len(wanted & held) / max(1, len(wanted)), -passage, sentence))
        share, passage, quote = best
        told = {"index": number, "statement": statement, "reason": "because"}
        if share >= 0.6:
            found.append({**told, "passage": -passage, "quote": quote, "verdict": 1})
        else:
            found.append({**told, "passage": None, "quote": None, "verdict": 0})
    return {"statements": found}


def questions(*told: str, noncommittal: int = 0) -> Script:
    """Return a script that asks these questions, one for each sample."""
    return lambda asked: {"question": told[asked.question.sample % len(told)], "noncommittal": noncommittal}


GOOD: Mapping[str, Script] = {
    PRECISION: useful,
    STATEMENTS: sentences,
    VERDICTS: literal,
    QUESTION: questions("What is it about?"),
}


@dataclass
class Scripted:
    """Says what its scripts say: one for each purpose, or a list of replies that are given one after the other."""

    scripts: dict[str, Any] = field(default_factory=dict)
    identity: str = "openai:scripted-1"
    attempts: int = 4
    asked: list[Question] = field(default_factory=list)

    def ask(self, question: Question) -> Answer:
        """Answer as the port does: faulty replies are repeated, and given up after a few attempts."""
        self.asked.append(question)
        fault = "empty"
        for attempt in range(1, self.attempts + 1):
            text = self._text(question, attempt)
            try:
                value = read_reply(text, question.response)
                if question.check is not None:
                    question.check(value)
            except ReplyFault as found:
                fault = found.code
                continue
            return Answer(value, call(question.purpose, attempt, question.sample))
        raise JudgeModelError("no usable answer", code=fault, retryable=True, where=question.purpose)

    def _text(self, question: Question, attempt: int) -> str:
        script = self.scripts.get(question.purpose, GOOD[question.purpose])
        if isinstance(script, list):
            script = script[min(attempt, len(script)) - 1]
        reply = script(understood(question)) if callable(script) else script
        return reply if isinstance(reply, str) else json.dumps(reply)

    def purposes(self) -> list[str]:
        """Return what was asked for, in order."""
        return [question.purpose for question in self.asked]

    def prompts(self, purpose: str) -> list[str]:
        """Return the prompts of a purpose."""
        return [question.messages[-1].content for question in self.asked if question.purpose == purpose]


def call(purpose: str, attempts: int = 1, sample: int = 0) -> Call:
    """Return the record of a call."""
    return Call(
        purpose=purpose,
        backend="openai",
        model="scripted-1",
        served_model=None,
        system_fingerprint=None,
        prompt_digest="sha256:" + "0" * 64,
        schema_digest="sha256:" + "0" * 64,
        reply_digest="sha256:" + "0" * 64,
        seed=sample,
        temperature=0.0,
        max_tokens=1,
        finish_reason="stop",
        attempts=attempts,
        repaired=attempts > 1,
        input_tokens=100,
        output_tokens=20,
        cost_usd=None,
        price_table="sha256:" + "0" * 64,
        duration_ms=1,
    )


def tools(model: Any, **models: Any) -> Tools:
    """Return tools with a judge model and the bundled embedder; another bundled model is an error to open."""
    return Tools(models=Models(**models), llm=model, salt=SALT)
