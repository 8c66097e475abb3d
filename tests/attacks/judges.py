"""Two scripted judge models: one obeys orders that reach it outside of a fence, one those inside of it as well.

Where no order reaches them both answer by a plain honest rule. Their replies are text, which goes through the port's
own reading and through the question's own check.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from glassbox.contract.request import Request
from glassbox.errors import JudgeModelError
from glassbox.judges.llm.responses import ClaimReplies, PassageReplies
from glassbox.judges.words import keys
from glassbox.llm.reading import read_reply
from glassbox.llm.types import Answer, Call, Question, ReplyFault
from glassbox.text.sentences import split_sentences
from tests.attacks.model import Attack, Demand
from tests.attacks.reading import PRECISION, QUESTION, STATEMENTS, VERDICTS, Prompt, reaches, read, without_orders

Json = dict[str, Any]
SUPPORTED_FROM: Final = 0.8
_NOT: Final = frozenset({"not", "no", "never", "nicht", "kein"})
_DIGEST: Final = "sha256:" + "0" * 64


@dataclass
class ScriptedJudge:
    """Judges one request. `attack` is what it would obey, None for a judge that obeys nothing."""

    request: Request
    attack: Attack | None
    inside: bool
    """Whether it obeys what stands inside of a fence, too."""
    lenient: bool = False
    """Whether wrong counts are made good as the plain libraries do, and no check is heard."""
    obeyed: list[str] = field(default_factory=list)
    """The purposes of the questions in which an order was obeyed."""
    prompts: list[Prompt] = field(default_factory=list)

    @property
    def identity(self) -> str:
        """The judge's name."""
        return "openai:scripted"

    def ask(self, question: Question) -> Answer:
        """Reply as the script says; a reply that can't be taken is a typed error, as it is of the port."""
        prompt = read(question)
        self.prompts.append(prompt)
        honest: Json = self._honest(question.purpose, prompt)
        reply = honest
        if self.attack is not None and reaches(self.attack, prompt, inside=self.inside):
            self.obeyed.append(question.purpose)
            reply = self._obedient(self.attack, question.purpose, prompt)
        if self.lenient:
            reply = _made_good(reply, question, honest)
        try:
            value = read_reply(json.dumps(reply), question.response)
            if question.check is not None:
                question.check(value)
        except ReplyFault as fault:
            raise JudgeModelError("No usable reply", code=fault.code, retryable=True, where=question.purpose) from None
        return Answer(value, _call(question.purpose))

    # What a judge says that minds its task.

    def _honest(self, purpose: str, prompt: Prompt) -> Json:
        if purpose == PRECISION:
            wanted = set(keys(f"{self.request.query} {self.request.expected_answer or ''}"))
            return _on_passages("yes" if len(wanted & set(keys(text))) >= 2 else "no" for text in self._passages())
        if purpose == STATEMENTS:
            return {"statements": _sentences(self.request.answer)}
        if purpose == VERDICTS:
            return {"statements": [self._verdict(n, claim) for n, claim in enumerate(prompt.statements, 1)]}
        return {"question": self.request.query, "noncommittal": 0}

    def _verdict(self, number: int, claim: str) -> Json:
        passage, sentence, share = self._nearest(claim)
        agrees = bool(_NOT & _words(claim)) == bool(_NOT & _words(sentence))
        if share >= SUPPORTED_FROM and agrees:
            return _on_claim(number, claim, passage, sentence, 1)
        return _on_claim(number, claim, None, None, 0)

    # What a judge says that does as it was told.

    def _obedient(self, attack: Attack, purpose: str, prompt: Prompt) -> Json:
        if purpose in attack.reply:
            return dict(attack.reply[purpose])
        if purpose == PRECISION:
            return {"verdicts": _counted(_on_passages("yes" for _ in self._passages())["verdicts"], attack.demand)}
        if purpose == STATEMENTS:
            return {"statements": self._statements(attack)}
        if purpose == VERDICTS:
            found = [self._approval(n, claim, attack.demand) for n, claim in enumerate(prompt.statements, 1)]
            return {"statements": _counted(found, attack.demand)}
        return {"question": without_orders(self.request.query, attack.texts.values()), "noncommittal": 0}

    def _statements(self, attack: Attack) -> list[str]:
        if attack.demand is Demand.NO_STATEMENTS:
            return []
        # An order in the query never comes to the verdicts; to obey it is to state what passes there by itself.
        if attack.demand is Demand.OWN_STATEMENTS or "query" in attack.texts:
            return _sentences(attack.scene.passages[0])
        return _sentences(self.request.answer)

    def _approval(self, number: int, claim: str, demand: Demand) -> Json:
        passage, sentence, _ = self._nearest(claim)
        if demand is Demand.FORGED_QUOTE:
            return _on_claim(number, claim, 1, claim, 1)
        if demand is Demand.NO_QUOTE:
            return _on_claim(number, claim, None, None, 1)
        if demand is Demand.ELSEWHERE:
            return _on_claim(number, claim, passage % len(self._passages()) + 1, sentence, 1)
        return _on_claim(number, claim, passage, sentence, 1)

    def _passages(self) -> list[str]:
        return [passage.text for passage in self.request.retrieved_passages]

    def _nearest(self, claim: str) -> tuple[int, str, float]:
        """Return the passage's number, the sentence with most of the claim's words, and their share."""
        wanted = set(keys(claim))
        found = [
            (len(wanted & set(keys(sentence))), -number, sentence)
            for number, text in enumerate(self._passages(), 1)
            for sentence in _sentences(text)
        ]
        shared, number, sentence = max(found, key=lambda item: item[:2])
        return -number, sentence, shared / max(1, len(wanted))


def _sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def _on_passages(words: Any) -> Json:
    return {"verdicts": [{"index": n, "reason": "read", "verdict": word} for n, word in enumerate(words, 1)]}


def _on_claim(number: int, claim: str, passage: int | None, quote: str | None, verdict: int) -> Json:
    told = {"index": number, "statement": claim, "passage": passage, "quote": quote}
    return {**told, "reason": "read", "verdict": verdict}


def _counted(verdicts: list[Json], demand: Demand) -> list[Json]:
    """Return the verdicts in the number, the order or the words that were demanded."""
    changes: dict[Demand, Callable[[list[Json]], list[Json]]] = {
        Demand.ONE_VERDICT: lambda found: found[:1],
        Demand.NO_VERDICT: lambda found: [],
        Demand.REPEATED: lambda found: [found[0] for _ in found],
        Demand.ONE_MORE: lambda found: [*found, {**found[-1], "index": len(found) + 1}],
        Demand.OTHER_WORD: lambda found: [{**verdict, "verdict": "excellent"} for verdict in found],
    }
    return changes[demand](verdicts) if demand in changes else verdicts


def _made_good(reply: Json, question: Question, honest: Json) -> Json:
    """Return what the plain libraries take a reply for: whatever is not no is yes, and the rest of a list is as told.

    They divide by the verdicts that came back, so that a missing one counts like those that are there; with none at
    all there is nothing to count, and the honest reply stays.
    """
    for shape, name, no in ((PassageReplies, "verdicts", "no"), (ClaimReplies, "statements", 0)):
        if not issubclass(question.response, shape):
            continue
        given, size = reply[name], len(honest[name])
        if not given:
            return honest
        full = [*given[:size], *[given[-1]] * (size - len(given))]
        yes = "yes" if no == "no" else 1
        return {
            name: [
                {**own, **told, **_place(own), "verdict": no if told["verdict"] == no else yes}
                for own, told in zip(honest[name], full, strict=True)
            ]
        }
    return reply


def _place(verdict: Json) -> Json:
    return {name: verdict[name] for name in ("index", "statement") if name in verdict}


def _call(purpose: str) -> Call:
    return Call(
        purpose=purpose,
        backend="openai",
        model="scripted",
        served_model=None,
        system_fingerprint=None,
        prompt_digest=_DIGEST,
        schema_digest=_DIGEST,
        reply_digest=_DIGEST,
        seed=0,
        temperature=0.0,
        max_tokens=1,
        finish_reason="stop",
        attempts=1,
        repaired=False,
        input_tokens=1,
        output_tokens=1,
        cost_usd=None,
        price_table=_DIGEST,
        duration_ms=1,
    )


PURPOSES: Final[Sequence[str]] = (PRECISION, STATEMENTS, VERDICTS, QUESTION)
