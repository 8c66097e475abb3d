"""From judges' results to a committed scorecard: what the aggregator and the ledger function do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.judging import RUNTIME
from glassbox.adapters.aws.tenants import Tenants
from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.errors import LedgerError, LedgerRejected, StoreError
from glassbox.ledger.port import LedgerPort
from glassbox.pipeline.aggregation import BUNDLE, aggregate
from glassbox.pipeline.committing import commit
from glassbox.pipeline.intake import INTAKE, Accepted
from glassbox.pipeline.ports import Json
from glassbox.scorecard.usage import usage_of

USAGE: Final = "usage"


class Finisher:
    """Aggregates, opens and commits evaluations of one deployment."""

    def __init__(self, env: Environment, tenants: Tenants) -> None:
        self._env = env
        self._tenants = tenants

    def aggregate(self, evaluation_id: str, tenant: str, duration_ms: int) -> Json:
        """Return {status, reason}: `aggregated` after the bundle was stored, `incomplete` without a judge's result."""
        documents = self._tenants.documents(tenant)
        accepted = self._accepted(evaluation_id, tenant)
        policy = Policy(accepted.document["policy"])
        results: dict[str, JudgeResult] = {}
        runtime: Json = {}
        for name in policy.judges:
            stored = documents.get(evaluation_id, f"judge.{name}")
            if stored is None:
                return {"status": "incomplete", "reason": f"judge_failed:{name}"}
            results[name] = JudgeResult.model_validate(stored)
            # Functions of one deployment share their versions, not always their processor: each is told apart.
            told = documents.get(evaluation_id, f"{RUNTIME}.{name}") or {}
            runtime = runtime or told
            if told != runtime:
                runtime = {**runtime, f"runtime.{name}": told}
        aggregate(accepted, results, runtime, documents)
        documents.put_new(evaluation_id, USAGE, usage_of(results.values(), duration_ms))
        self._tenants.records.advance(evaluation_id, "aggregated")
        return {"status": "aggregated", "reason": ""}

    def open(self, evaluation_id: str, tenant: str, ledger: LedgerPort) -> Json:
        """Return {status: "opened"} after the ledger noted that the evaluation was begun."""
        accepted = self._accepted(evaluation_id, tenant)
        policy = Policy(accepted.document["policy"])
        return self._told(
            "opened",
            lambda: ledger.open_evaluation(
                evaluation_id, accepted.document["identity"]["request_hmac"], policy.contract
            ),
        )

    def commit(self, evaluation_id: str, tenant: str, ledger: LedgerPort) -> Json:
        """Return {status: "committed", decision, trust, block}, or {status: "rejected", code} for good.

        A ledger that is away raises LedgerUnavailable, so that the state machine tries again.
        """
        documents = self._tenants.documents(tenant)
        accepted = self._accepted(evaluation_id, tenant)
        envelope = documents.get(evaluation_id, BUNDLE)
        usage = documents.get(evaluation_id, USAGE)
        if envelope is None or usage is None:
            raise StoreError("The evaluation was not aggregated", where=evaluation_id)
        scorecard: Json = {}

        def call() -> None:
            policy = Policy(accepted.document["policy"])
            scorecard.update(commit(accepted, envelope, policy, usage, ledger, documents))

        told = self._told("committed", call)
        if told["status"] != "committed":
            return told
        if self._env.evidence:
            documents.copy_to(self._env.evidence, evaluation_id, BUNDLE)
        self._tenants.records.count_usage(evaluation_id, tenant, scorecard)
        self._tenants.records.advance(evaluation_id, "committed", decision=scorecard["decision"])
        return {
            **told,
            "decision": scorecard["decision"],
            "trust": scorecard["trust_score"],
            "block": scorecard["ledger"]["block"],
        }

    def _accepted(self, evaluation_id: str, tenant: str) -> Accepted:
        stored = self._tenants.documents(tenant).get(evaluation_id, INTAKE)
        if stored is None:
            raise StoreError("The evaluation's payload is gone", where=evaluation_id)
        return Accepted(evaluation_id, stored, committed=False)

    @staticmethod
    def _told(done: Literal["opened", "committed"], call: Any) -> Json:
        """Return what the state machine chooses by: the exception's name would not reach it everywhere."""
        try:
            call()
        except LedgerRejected as error:
            return {"status": "rejected", "reason": error.code, "decision": "", "block": -1}
        except LedgerError as error:
            if error.retryable:
                raise
            return {"status": "rejected", "reason": error.kind, "decision": "", "block": -1}
        return {"status": done, "reason": "", "decision": "", "block": -1}


def event_of(event: Mapping[str, Any]) -> tuple[str, str]:
    """Return (evaluation id, tenant) of a state's input; raises StoreError where they are missing."""
    try:
        return str(event["evaluation_id"]), str(event["tenant"])
    except KeyError as error:
        raise StoreError(f"The state's input lacks {error.args[0]}", where="the state machine") from None
