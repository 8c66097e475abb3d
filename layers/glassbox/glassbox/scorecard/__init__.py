"""Aggregation: from judges' results to core, record and evidence bundle, without a model or any I/O."""

from __future__ import annotations

from glassbox.scorecard.bundle import FORMAT, parts_of, unequal_parts
from glassbox.scorecard.derive import Derived, derive
from glassbox.scorecard.identity import evaluation_id, request_hmac, session_hmac, session_id_for

__all__ = [
    "FORMAT",
    "Derived",
    "derive",
    "evaluation_id",
    "parts_of",
    "request_hmac",
    "session_hmac",
    "session_id_for",
    "unequal_parts",
]
