"""Aggregation: judges' results become content, core and record, stored as one bundle before the ledger is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glassbox.contract.measurement import JudgeResult
from glassbox.pipeline.intake import Accepted
from glassbox.pipeline.ports import Documents, Json
from glassbox.scorecard.derive import derive

BUNDLE = "bundle"


def aggregate(
    accepted: Accepted, results: Mapping[str, JudgeResult], runtime: Mapping[str, Any], documents: Documents
) -> Json:
    """Return the envelope of an evaluation, stored durably; raises JudgeError where a judge is in error."""
    stored = documents.get(accepted.evaluation_id, BUNDLE)
    if stored is not None:
        return stored
    content = {
        **accepted.document,
        "results": {name: result.model_dump(mode="json") for name, result in results.items()},
        "runtime": dict(runtime),
    }
    return documents.put_new(accepted.evaluation_id, BUNDLE, derive(content).envelope(content))
