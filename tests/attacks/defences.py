"""An attack run through the pipeline's own steps, with each defence switched on or off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final
from unittest.mock import patch

from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy, compile_policy
from glassbox.contract.request import Request
from glassbox.errors import GlassBoxError
from glassbox.judges.llm.claims import Stated
from glassbox.judges.llm.responses import ClaimReply
from glassbox.judges.llm.verdicts import Verdicts
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Embedder, Tools
from glassbox.judges.verdict import ClaimVerdict
from glassbox.models.manifest import ModelEntry, Task
from glassbox.models.registry import Registry
from glassbox.models.session import FloatArray
from glassbox.pipeline.engines import label, resolve
from glassbox.pipeline.intake import accept
from glassbox.pipeline.judging import run_judge
from glassbox.pipeline.ports import Caller, Chance, Json
from glassbox.scorecard.core import counted
from glassbox.scorecard.leaves import leaves_of
from glassbox.text.claims import Claim
from glassbox_contract.conclusion import conclude
from glassbox_contract.policy import DERIVED_FLAGS
from tests.attacks.judges import ScriptedJudge
from tests.attacks.model import Attack

FLAG: Final = "injection_suspected"
_CALLER: Final = Caller("attacks", bytes(32))
_CHANCE: Final = Chance(now=lambda: "2026-01-01T00:00:00.000Z", salt=lambda: "5a" * 32)


@dataclass(frozen=True, slots=True)
class Defences:
    """Which defences are on."""

    fence: bool = False
    detector: bool = False
    cover: bool = False
    quotes: bool = False


NONE: Final = Defences()
FULL: Final = Defences(fence=True, detector=True, cover=True, quotes=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an evaluation ended."""

    decision: str
    """`pass`, `fail`, `inconclusive`, or `error` where the judge model gave no answer that could be taken."""
    flagged: bool
    obeyed: tuple[str, ...]
    """The purposes of the questions in which the judge obeyed."""
    rules: tuple[str, ...]
    """What decided on each claim."""
    code: str = ""
    """The fault of the reply, for an error."""

    @property
    def passed(self) -> bool:
        """Whether the evaluation passed."""
        return self.decision == "pass"


def policy_for(language: str) -> Policy:
    """Return the default policy with nothing left in it but what a judge model decides.

    What the bundled models measure no attack on a prompt can move; left in, it would hide what the defences do. The
    embedder behind answer relevancy reads English only, so that this measurement is out elsewhere.
    """
    disabled = ["structural_fidelity", "contextual_precision/retrieval_calibration"]
    if language != "en":
        disabled.append("semantic_faithfulness/answer_relevancy")
    return _policy(tuple(disabled))


@cache
def _policy(disabled: tuple[str, ...]) -> Policy:
    return compile_policy({"name": "attacked", "extends": "default", "disable": list(disabled)})


def evaluate(
    request: Request, judge: ScriptedJudge, defences: Defences, policy: Policy, models: Models
) -> tuple[Outcome, Outcome]:
    """Return how the evaluation of a request ends without the detector's flags, and how with them."""
    documents = Memory()
    policy, engines = resolve(policy, "llm", judge_model=judge.identity)
    accepted = accept(request, policy, label(engines), _CALLER, documents, chance=_CHANCE)
    tools = Tools(models=models, llm=judge, salt=bytes.fromhex(accepted.document["salt"]))
    results: dict[str, JudgeResult] = {}
    with _switched(defences):
        for name in policy.judges:
            call = partial(_call, name, tools)
            try:
                results[name] = run_judge(name, call, accepted, policy, documents)
            except GlassBoxError as error:
                told = Outcome("error", False, tuple(judge.obeyed), (), str(getattr(error, "code", "")))
                return told, told
    flagged = any(flag.code == FLAG for result in results.values() for flag in result.flags)
    obeyed, rules = tuple(judge.obeyed), _rules(results)
    unflagged = {name: _unflagged(result) for name, result in results.items()}
    return (
        Outcome(decision_on(policy, unflagged), flagged, obeyed, rules),
        Outcome(decision_on(policy, results), flagged, obeyed, rules),
    )


def attacked(attack: Attack, defences: Defences, models: Models, *, inside: bool) -> tuple[Outcome, Outcome]:
    """Return how an attack ends against one of the two judges, without the detector and with it."""
    request = attack.request()
    judge = ScriptedJudge(request, attack, inside, lenient=not defences.cover)
    return evaluate(request, judge, defences, policy_for(attack.scene.language), models)


def decision_on(policy: Policy, results: Mapping[str, JudgeResult]) -> str:
    """Return the contract's decision on the judges' results: what aggregation records, without the record."""
    raised = counted([{"code": flag.code} for result in results.values() for flag in result.flags])
    own = {code: count for code, count in raised.items() if code not in DERIVED_FLAGS}
    return conclude(policy.contract, leaves_of(policy, results), own).decision


def _call(name: str, tools: Tools, request: Request, policy: Policy) -> JudgeResult:
    return judge_named(name)(request, policy, tools)


def _unflagged(result: JudgeResult) -> JudgeResult:
    return result.model_copy(update={"flags": tuple(flag for flag in result.flags if flag.code != FLAG)})


def _rules(results: Mapping[str, JudgeResult]) -> tuple[str, ...]:
    found = results["semantic_faithfulness"].measurement("faithfulness")
    return () if found is None else tuple(str(item["rule"]) for item in found.evidence)


@contextmanager
def _switched(defences: Defences) -> Iterator[None]:
    with ExitStack() as stack:
        if not defences.fence:
            stack.enter_context(patch("glassbox.judges.llm.asking.quote_as_data", lambda text, mark: text))
        if not defences.cover:
            stack.enter_context(patch("glassbox.judges.llm.faithfulness.claims_of", _as_stated))
        if not defences.quotes:
            stack.enter_context(patch.object(Verdicts, "_decide", _as_told))
        yield


def _as_stated(query: str, answer: str, statements: Sequence[str]) -> tuple[Stated, ...]:
    """What the plain library does: the statements are taken for the answer's, whatever they are."""
    return tuple(
        Stated(Claim(text, 0, len(answer), "sentence"), 1, foreign=False, added=False)
        for text in dict.fromkeys(statements)
    )


def _as_told(self: Verdicts, claim: str, reply: ClaimReply) -> ClaimVerdict:
    """What the plain library does: the model's word stands."""
    return ClaimVerdict("supported" if reply.verdict == 1 else "unsupported", reply.reason, "judge")


@dataclass
class Memory:
    """Documents in memory."""

    held: dict[tuple[str, str], Json] = field(default_factory=dict)

    def get(self, evaluation_id: str, name: str) -> Json | None:
        return self.held.get((evaluation_id, name))

    def put(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> None:
        self.held[evaluation_id, name] = dict(document)

    def put_new(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> Json:
        return self.held.setdefault((evaluation_id, name), dict(document))

    def delete(self, evaluation_id: str, name: str) -> None:
        self.held.pop((evaluation_id, name), None)

    def uri(self, evaluation_id: str, name: str) -> str:
        return f"memory:{evaluation_id}/{name}"


class Models:
    """The bundled embedder, which reads a text once; no other bundled model is asked here."""

    def __init__(self) -> None:
        self._registry = Registry()
        self._embedder = Remembering(self._registry.embedder())

    def embedder(self) -> Embedder:
        return self._embedder

    def entities(self) -> Any:
        raise AssertionError("no judge of these tests looks for names")

    relations = claims = entities

    def entry(self, task: Task) -> ModelEntry:
        return self._registry.entry(task)


class Remembering:
    """An embedder that keeps its vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self.entry = embedder.entry
        self._embedder = embedder
        self._kept: dict[tuple[str, ...], FloatArray] = {}

    def embed(self, texts: Sequence[str]) -> FloatArray:
        key = tuple(texts)
        if key not in self._kept:
            self._kept[key] = self._embedder.embed(texts)
        return self._kept[key]
