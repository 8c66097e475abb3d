"""The one-machine runner: all steps of an evaluation in this process, over files and the embedded ledger."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from glassbox import __version__
from glassbox.adapters.local.files import FileDocuments, tenant_secret
from glassbox.adapters.local.home import begin_ledger, fabric_ledger
from glassbox.adapters.local.judge_model import LocalJudgeModel
from glassbox.contract.policy import Policy
from glassbox.contract.policy_changes import Engine
from glassbox.contract.request import Request
from glassbox.contract.spending import Spending
from glassbox.errors import GlassBoxError, LedgerError, LedgerNotFound, LedgerUnavailable, StoreError, UsageError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.ledger.port import LedgerPort
from glassbox.models.registry import Registry
from glassbox.models.runtime import runtime_fingerprint
from glassbox.pipeline.aggregation import BUNDLE, aggregate
from glassbox.pipeline.committing import commit, is_committed
from glassbox.pipeline.engines import label, resolve
from glassbox.pipeline.intake import SCORECARD, Accepted, accept
from glassbox.pipeline.judging import run_judge, spent_until
from glassbox.pipeline.ports import Caller, Chance, Json
from glassbox.scorecard.usage import usage_of
from glassbox.settings import Settings

if TYPE_CHECKING:
    from glassbox.contract.measurement import JudgeResult
    from glassbox.judges.registry import Judge

ATTENTION = "needs_attention"
TENANT = "local"

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A committed evaluation."""

    scorecard: Json
    envelope: Json
    already: bool
    """Whether it had been committed before this call."""


class LocalRunner:
    """Evaluates requests on this machine; models are loaded when the first judge needs one."""

    def __init__(
        self, settings: Settings, *, chance: Chance | None = None, judge_model: LocalJudgeModel | None = None
    ) -> None:
        """Without a `judge_model` every judge runs on the bundled models, whatever the environment configures."""
        self.settings = settings
        self.documents = FileDocuments(settings.home)
        self._chance = chance
        self._judge_model = judge_model

    @cached_property
    def caller(self) -> Caller:
        """The tenant of this folder, with its secret."""
        return Caller(TENANT, tenant_secret(self.settings.home))

    @cached_property
    def ledger(self) -> LedgerPort:
        """The ledger of the settings: the embedded one of this folder, made at first use, or the one on Fabric."""
        if self.settings.ledger == "fabric":
            return fabric_ledger(self.settings)
        return begin_ledger(self.settings.home)

    @cached_property
    def registry(self) -> Registry:
        """The models of this process."""
        return Registry(self.settings.models, threads=self.settings.threads)

    def close(self) -> None:
        """Release the ledger's file and the judge model's connections; the runner may be used again."""
        if self._judge_model is not None:
            self._judge_model.close()
        ledger = self.__dict__.pop("ledger", None)
        if ledger is not None:
            ledger.close()

    def evaluate(
        self,
        request: Request,
        policy: Policy,
        engine: Engine | None = None,
        *,
        idempotency_key: str | None = None,
        again: bool = False,
        progress: Progress | None = None,
    ) -> Outcome:
        """Return the committed evaluation of a request; one that stands already is returned, not made again.

        Raises UsageError, StoreError, ModelError, JudgeError or LedgerError; whatever was done is kept and used when
        the same request comes again.
        """
        say = progress or (lambda _: None)
        # The option `local` doesn't look at the judge model's settings, which may be wrong.
        configured = None if self._judge_model is None or engine == "local" else self._judge_model.identity
        policy, engines = resolve(policy, engine, judge_model=configured)
        accepted = accept(
            request,
            policy,
            label(engines),
            self.caller,
            self.documents,
            idempotency_key=idempotency_key,
            again=again,
            chance=self._chance,
            on_ledger=self.holds,
        )
        if accepted.committed:
            return self._committed(accepted)
        try:
            return self._finish(accepted, policy, say)
        except GlassBoxError as error:
            error.stands = self._stands(accepted, error)
            if not error.stands:
                self.documents.put(accepted.evaluation_id, ATTENTION, error.problem())
            raise

    def _finish(self, accepted: Accepted, policy: Policy, say: Progress) -> Outcome:
        started = time.monotonic()
        # On a ledger that others see, a result can't be buried by not finishing: the beginning stands there too.
        if policy.contract.open_on_ledger or self.ledger.backend == "fabric":
            hmac = accepted.document["identity"]["request_hmac"]
            self.ledger.open_evaluation(accepted.evaluation_id, hmac, policy.contract)
        tools = self._tools(accepted)
        results: dict[str, JudgeResult] = {}
        for name in policy.judges:
            say(name)
            spending = Spending()
            call = partial(_call, judge_named(name), replace(tools, spending=spending))
            try:
                results[name] = run_judge(name, call, accepted, policy, self.documents, spending)
            except GlassBoxError as error:
                error.spent = spent_until(results.values(), name, spending, accepted, self.documents)
                raise
        say("ledger")
        envelope = aggregate(accepted, results, self.runtime(), self.documents)
        usage = usage_of(results.values(), round((time.monotonic() - started) * 1000))
        finished = partial(commit, accepted, envelope, policy, usage, self.ledger, self.documents)
        try:
            scorecard = finished()
        except LedgerError as error:
            if not self._stands(accepted, error):
                raise
            # Another process was faster; the ledger answers a record that it holds with its first transaction.
            scorecard = finished()
        self.documents.delete(accepted.evaluation_id, ATTENTION)
        return Outcome(scorecard, self._stored(accepted, BUNDLE), already=False)

    def _tools(self, accepted: Accepted) -> Tools:
        """Return what the judges of an evaluation work with; its engine was fixed at intake."""
        salt = bytes.fromhex(accepted.document["salt"])
        if accepted.document["engine"] != "llm" or self._judge_model is None:
            return Tools(models=self.registry, salt=salt)
        return self._judge_model.tools(self.registry, salt)

    def _committed(self, accepted: Accepted) -> Outcome:
        """Return what was committed, and only if the files are still what the ledger says."""
        scorecard, envelope = self._stored(accepted, SCORECARD), self._stored(accepted, BUNDLE)
        placed = scorecard.get("ledger")
        if isinstance(placed, dict) and placed.get("backend") != self.ledger.backend:
            raise UsageError(
                f"This evaluation stands on the {placed.get('backend')} ledger, not on the {self.ledger.backend} one",
                where=accepted.evaluation_id,
                fix="Use that ledger, or another folder (--home) for this one",
            )
        if not is_committed(scorecard, envelope, self.ledger.get(accepted.evaluation_id)):
            raise StoreError(
                "The stored scorecard is not the one that was committed",
                where=accepted.evaluation_id,
                fix=f"`glassbox verify {accepted.evaluation_id}` lists what differs; restore its folder from a backup",
            )
        return Outcome(scorecard, envelope, already=True)

    def _stored(self, accepted: Accepted, name: str) -> Json:
        document = self.documents.get(accepted.evaluation_id, name)
        if document is None:
            raise StoreError("A committed evaluation lacks its document", where=f"{accepted.evaluation_id}/{name}.json")
        return document

    def holds(self, evaluation_id: str) -> bool:
        """Return whether the ledger holds a record under an id."""
        try:
            self.ledger.get(evaluation_id)
        except LedgerNotFound:
            return False
        return True

    def _stands(self, accepted: Accepted, error: GlassBoxError) -> bool | None:
        """Return whether the ledger holds the record after an error, None where it doesn't say or it may come yet."""
        try:
            held = self.holds(accepted.evaluation_id)
        except GlassBoxError:
            return None
        return None if not held and isinstance(error, LedgerUnavailable) and error.undecided else held

    def runtime(self) -> Json:
        """Return what byte-identical repetition depends on: versions and the processor's features."""
        return {
            "glassbox": __version__,
            "python": platform.python_version(),
            **runtime_fingerprint(),
        }


def _call(judge: Judge, tools: Tools, request: Request, policy: Policy) -> JudgeResult:
    return judge(request, policy, tools)
