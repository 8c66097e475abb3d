"""Committing: the record goes to the ledger, and the finished scorecard is stored with where it stands there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glassbox.contract.policy import Policy
from glassbox.ledger.port import LedgerPort
from glassbox.pipeline.aggregation import BUNDLE
from glassbox.pipeline.intake import SCORECARD, Accepted
from glassbox.pipeline.ports import Documents, Json


def commit(
    accepted: Accepted,
    envelope: Mapping[str, Any],
    policy: Policy,
    usage: Mapping[str, Any],
    ledger: LedgerPort,
    documents: Documents,
) -> Json:
    """Return the scorecard of a committed evaluation.

    May run any number of times with one effect: the ledger answers a record it holds with its first transaction.
    Raises LedgerError.
    """
    receipt = ledger.commit(dict(envelope["record"]), policy.contract)
    proof = ledger.proof(accepted.evaluation_id)
    documents.put(accepted.evaluation_id, BUNDLE, {**envelope, "proof": proof})
    core = dict(envelope["core"])
    scorecard: Json = {
        **core,
        "evidence": {**core["evidence"], "uri": documents.uri(accepted.evaluation_id, BUNDLE)},
        "usage": dict(usage),
        "ledger": receipt.to_json(),
    }
    return documents.put_new(accepted.evaluation_id, SCORECARD, scorecard)
