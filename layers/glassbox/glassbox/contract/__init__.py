"""What goes in and comes out: request, policy, measurements; pydantic models without I/O."""

from __future__ import annotations

from glassbox.contract.measurement import ClaimCounts, Flag, JudgeResult, Measurement, Status
from glassbox.contract.parsing import parse_json, parse_request, request_from
from glassbox.contract.policy import Policy, built_in, compile_policy
from glassbox.contract.request import Document, Passage, Request

__all__ = [
    "ClaimCounts",
    "Document",
    "Flag",
    "JudgeResult",
    "Measurement",
    "Passage",
    "Policy",
    "Request",
    "Status",
    "built_in",
    "compile_policy",
    "parse_json",
    "parse_request",
    "request_from",
]
