"""The answer of ``GetSchema``: what the contract offers and demands, as data."""

from __future__ import annotations

from typing import Any, Final

from glassbox_contract import record as r
from glassbox_contract.conclusion import DECISIONS, EVIDENCE, PUBLICATION
from glassbox_contract.errors import STATUS
from glassbox_contract.fold import MAX_BITS, MAX_COUNT
from glassbox_contract.policy import EFFECTS, ENGINES, MAX_POLICY_BYTES, POLICY_FIELDS, SCHEMA_VERSION
from glassbox_contract.policy_tree import BASES, MAX_LEVELS, MAX_NODES, NODE_FIELDS, ON_ABSENCE, OPS

CONTRACT_VERSION: Final = "1"

FUNCTIONS: Final[dict[str, tuple[str, ...]]] = {
    "RegisterPolicy": ("policy",),
    "OpenEvaluation": ("evaluation_id", "request_hmac", "policy_digest"),
    "CommitScorecard": ("record",),
    "GetPolicy": ("policy_digest",),
    "GetScorecard": ("evaluation_id",),
    "GetHistory": ("evaluation_id",),
    "VerifyDigest": ("evaluation_id", "digest"),
    "ListBySession": ("session_hmac", "page_size", "bookmark"),
    "ListByDay": ("day", "page_size", "bookmark"),
    "ListOpen": ("page_size", "bookmark"),
    "GetSchema": (),
}
"""Parameters of each function, in order."""

TRANSACTIONS: Final = ("RegisterPolicy", "OpenEvaluation", "CommitScorecard")
"""The functions that write; the others are asked without a transaction."""


def schema() -> dict[str, Any]:
    """Return functions, refusal codes, limits, and the fields of a record, a policy and a policy's node."""
    return {
        "contract_version": CONTRACT_VERSION,
        "schema_version": SCHEMA_VERSION,
        "functions": {name: list(parameters) for name, parameters in FUNCTIONS.items()},
        "transactions": list(TRANSACTIONS),
        "refusals": dict(STATUS),
        "limits": {
            "record_bytes": r.MAX_RECORD_BYTES,
            "policy_bytes": MAX_POLICY_BYTES,
            "nodes": MAX_NODES,
            "levels": MAX_LEVELS,
            "bits": MAX_BITS,
            "count": MAX_COUNT,
        },
        "record": record_schema(),
        "policy": {
            "fields": list(POLICY_FIELDS),
            "node_fields": list(NODE_FIELDS),
            "op": list(OPS),
            "basis": list(BASES),
            "on_absence": list(ON_ABSENCE),
            "effects": list(EFFECTS),
            "engines": list(ENGINES),
        },
    }


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a record, as far as it doesn't depend on the record's policy."""
    identifier = {"type": "string", "format": "uuid"}
    sha256 = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    micros = {"type": ["integer", "null"], "minimum": 0, "maximum": 1_000_000}
    count = {"type": "integer", "minimum": 0, "maximum": MAX_COUNT}
    maybe_count = {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_COUNT}
    committed = ["scored", "skipped", "not_applicable", "not_measured", "inconclusive"]
    strings = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": r.MAX_PROVENANCE}
    node = {"status": {"enum": committed}, "value": micros, "num": maybe_count, "den": maybe_count}
    node["passed"] = {"type": ["boolean", "null"]}
    state = dict(
        zip(
            r.STATE_FIELDS, ({"enum": list(x)} for x in (("completed",), EVIDENCE, DECISIONS, PUBLICATION)), strict=True
        )
    )
    judge = {"engine": {"enum": [*r.RECORD_ENGINES, None]}, "models": strings, "libraries": strings}
    flag = {"code": {"type": "string", "pattern": "^[a-z0-9_]{1,64}$"}, "count": {**count, "minimum": 1}}
    properties: dict[str, Any] = {
        "schema_version": {"const": SCHEMA_VERSION},
        "evaluation_id": identifier,
        "attempt": {"type": "integer", "minimum": 0, "maximum": r.MAX_ATTEMPT},
        "supersedes": {"anyOf": [identifier, {"type": "null"}]},
        "created_at": {"type": "string", "format": "date-time", "pattern": r"^.{10}T.{8}\.[0-9]{3}Z$"},
        "session_hmac": {"type": "string", "pattern": "^hmac-sha256:[0-9a-f]{64}$"},
        "policy_digest": sha256,
        "bundle_digest": sha256,
        "core_digest": sha256,
        "trust": micros,
        "decision": {"enum": list(DECISIONS)},
        "states": _object(state),
        "nodes": {"type": "object", "additionalProperties": _object(node)},
        "relevance": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^[01]+$"}},
        "claims": {"type": "object", "additionalProperties": _object(dict.fromkeys(r.CLAIM_FIELDS, count))},
        "judges": {"type": "object", "additionalProperties": _object(judge)},
        "flags": {"type": "array", "items": _object(flag)},
        "renormalised": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_object(properties)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
