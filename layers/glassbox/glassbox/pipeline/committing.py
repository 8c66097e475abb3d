"""Committing: the record goes to the ledger, and the finished scorecard is stored with where it stands there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glassbox.contract.policy import Policy
from glassbox.errors import LedgerUnavailable
from glassbox.ledger.port import LedgerPort
from glassbox.pipeline.aggregation import BUNDLE
from glassbox.pipeline.intake import SCORECARD, Accepted
from glassbox.pipeline.ports import Documents, Json
from glassbox_contract.canonical import canonical_bytes, digest


def is_committed(scorecard: Mapping[str, Any], envelope: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    """Return whether a stored scorecard and bundle are those of the record that the ledger holds."""
    core, placed = envelope.get("core"), scorecard.get("ledger")
    if not isinstance(core, dict) or not isinstance(placed, dict) or not isinstance(scorecard.get("evidence"), dict):
        return False
    told = {name: value for name, value in scorecard.items() if name not in ("usage", "ledger")}
    told["evidence"] = {name: value for name, value in told["evidence"].items() if name != "uri"}
    record = held["record"]
    return (
        envelope.get("record") == record
        and digest(core) == record["core_digest"]
        and canonical_bytes(told) == canonical_bytes(core)
        and (placed.get("transaction_id"), placed.get("block")) == (held["tx_id"], held["block"])
    )


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
    try:
        proved = {**envelope, "proof": ledger.proof(accepted.evaluation_id)}
    except LedgerUnavailable:
        # The record stands; its proof can be exported whenever all that sign it can be reached.
        proved = dict(envelope)
    documents.put(accepted.evaluation_id, BUNDLE, proved)
    core = dict(envelope["core"])
    scorecard: Json = {
        **core,
        "evidence": {**core["evidence"], "uri": documents.uri(accepted.evaluation_id, BUNDLE)},
        "usage": dict(usage),
        "ledger": receipt.to_json(),
    }
    return documents.put_new(accepted.evaluation_id, SCORECARD, scorecard)
