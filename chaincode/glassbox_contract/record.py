"""The ledger record: its exact schema and the check that every number in it follows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from glassbox_contract import checks
from glassbox_contract.arithmetic import MICRO
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.conclusion import DECISIONS, EVIDENCE, OPERATIONAL, PUBLICATION, conclude
from glassbox_contract.errors import ContractError, names, pointer
from glassbox_contract.fold import MAX_BITS, MAX_COUNT, STATUSES, Claims, Leaf
from glassbox_contract.policy import DERIVED_FLAGS, MAX_FLAGS, SCHEMA_VERSION, Policy
from glassbox_contract.policy_tree import MAX_NODES, Node

MAX_RECORD_BYTES: Final = 32_768
MAX_ATTEMPT: Final = 1_000_000
MAX_PROVENANCE: Final = 32

RECORD_FIELDS: Final = (
    "schema_version",
    "evaluation_id",
    "attempt",
    "supersedes",
    "created_at",
    "session_hmac",
    "policy_digest",
    "bundle_digest",
    "core_digest",
    "trust",
    "decision",
    "states",
    "nodes",
    "relevance",
    "claims",
    "judges",
    "flags",
    "renormalised",
)
STATE_FIELDS: Final = ("operational", "evidence", "quality", "publication")
NODE_FIELDS: Final = ("status", "value", "num", "den", "passed")
CLAIM_FIELDS: Final = ("supported", "contradicted", "unsupported", "inconclusive")
JUDGE_FIELDS: Final = ("engine", "models", "libraries")
FLAG_FIELDS: Final = ("code", "count")
RECORD_ENGINES: Final = ("llm", "local")

MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:+-]{0,127}@sha256:[0-9a-f]{64}")
LIBRARY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63} [0-9A-Za-z][0-9A-Za-z.+!_-]{0,31}")
_BITS = re.compile(rf"[01]{{1,{MAX_BITS}}}")


def validate_record(record: Any, policy: Policy) -> None:
    """Return if ``record`` is complete, well formed, and says nothing that doesn't follow from its leaves.

    Raises ContractError: ``INCOMPLETE`` for anything missing, ``INVALID`` for an unknown field, a wrong type or range,
    a node that is not the policy's, and any value, flag, state or decision that record.md doesn't give.
    """
    raw = checks.fields(record, RECORD_FIELDS, "")
    _check_head(raw, policy)
    _check_derived_types(raw)
    nodes = _check_nodes(raw["nodes"], policy)
    relevance = _check_relevance(raw["relevance"])
    claims = _check_claims(raw["claims"])
    leaves = {path: _leaf(path, node, nodes[path], relevance, claims) for path, node in policy.leaves.items()}
    _refuse_surplus(policy, relevance, claims)
    flags = _check_flags(raw["flags"])
    raised = {code: count for code, count in flags.items() if code not in DERIVED_FLAGS}
    _compare(raw, conclude(policy, leaves, raised).to_json())
    _check_judges(raw["judges"], policy, nodes)
    if len(canonical_bytes(raw)) > MAX_RECORD_BYTES:
        raise ContractError("INVALID", f"a record has at most {MAX_RECORD_BYTES} bytes")


def _check_head(raw: Mapping[str, Any], policy: Policy) -> None:
    if raw["schema_version"] != SCHEMA_VERSION:
        raise ContractError("INVALID", f"must be {SCHEMA_VERSION}", "/schema_version")
    identifier = checks.identifier(raw["evaluation_id"], "/evaluation_id")
    attempt = checks.integer(raw["attempt"], "/attempt", 0, MAX_ATTEMPT)
    if raw["supersedes"] is not None and checks.identifier(raw["supersedes"], "/supersedes") == identifier:
        raise ContractError("INVALID", "a record can't supersede itself", "/supersedes")
    if (attempt > 0) != (raw["supersedes"] is not None):
        raise ContractError("INVALID", "exactly the attempts after the first supersede a record", "/supersedes")
    checks.timestamp(raw["created_at"], "/created_at")
    checks.hmac_sha256(raw["session_hmac"], "/session_hmac")
    for name in ("policy_digest", "bundle_digest", "core_digest"):
        checks.sha256(raw[name], "/" + name)
    if raw["policy_digest"] != policy.digest:
        raise ContractError("INVALID", "not the digest of the policy it is checked under", "/policy_digest")


def _check_derived_types(raw: Mapping[str, Any]) -> None:
    if raw["trust"] is not None:
        checks.integer(raw["trust"], "/trust", 0, MICRO)
    checks.choice(raw["decision"], "/decision", DECISIONS)
    states = checks.fields(raw["states"], STATE_FIELDS, "/states")
    options = (OPERATIONAL, EVIDENCE, DECISIONS, PUBLICATION)
    for name, allowed in zip(STATE_FIELDS, options, strict=True):
        checks.choice(states[name], "/states/" + name, allowed)
    for at, path in enumerate(checks.listing(raw["renormalised"], "/renormalised", MAX_NODES)):
        if not isinstance(path, str):
            raise ContractError("INVALID", "must be a node's path", pointer("renormalised", at))


def _check_nodes(value: Any, policy: Policy) -> dict[str, dict[str, Any]]:
    nodes = checks.fields(value, policy.nodes, "/nodes")
    for path in policy.nodes:
        where = pointer("nodes", path)
        node = checks.fields(nodes[path], NODE_FIELDS, where)
        if checks.choice(node["status"], where + "/status", STATUSES) == "error":
            raise ContractError("INVALID", "a judge in error is never committed", where + "/status")
        for name, most in (("value", MICRO), ("num", MAX_COUNT), ("den", MAX_COUNT)):
            if node[name] is not None:
                checks.integer(node[name], f"{where}/{name}", 0, most)
        if node["passed"] is not None:
            checks.boolean(node["passed"], where + "/passed")
    return nodes


def _check_relevance(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ContractError("INVALID", "must be an object", "/relevance")
    for path in sorted(value):
        checks.text(value[path], pointer("relevance", path), _BITS, f"1 to {MAX_BITS} of 0 and 1")
    return value


def _check_claims(value: Any) -> dict[str, Claims]:
    if not isinstance(value, dict):
        raise ContractError("INVALID", "must be an object", "/claims")
    found: dict[str, Claims] = {}
    for path in sorted(value):
        where = pointer("claims", path)
        counts = checks.fields(value[path], CLAIM_FIELDS, where)
        found[path] = Claims(
            **{name: checks.integer(counts[name], f"{where}/{name}", 0, MAX_COUNT) for name in CLAIM_FIELDS}
        )
    return found


def _leaf(
    path: str, node: Node, result: Mapping[str, Any], relevance: Mapping[str, str], claims: Mapping[str, Claims]
) -> Leaf:
    """Return the leaf that the record claims to have folded."""
    status = result["status"]
    if path in claims:
        return Leaf(status=status, claims=claims[path])
    if status != "scored":
        return Leaf.absent(status)
    if node.basis == "claims":
        raise ContractError("INCOMPLETE", "a scored leaf of basis claims needs its counts", pointer("claims", path))
    if node.basis == "bits":
        if path not in relevance:
            raise ContractError("INCOMPLETE", "a scored leaf of basis bits needs its bits", pointer("relevance", path))
        return Leaf(bits=relevance[path])
    for name in ("num", "den") if node.basis == "ratio" else ("value",):
        if result[name] is None:
            raise ContractError("INCOMPLETE", "null in a scored leaf", pointer("nodes", path, name))
    if node.basis == "ratio":
        return Leaf(num=result["num"], den=result["den"])
    return Leaf(value=result["value"])


def _refuse_surplus(policy: Policy, relevance: Mapping[str, str], claims: Mapping[str, Claims]) -> None:
    """Refuse evidence of leaves that the policy doesn't have; for those it has, `fold` and `_compare` decide."""
    for name, basis, given in (("relevance", "bits", relevance.keys()), ("claims", "claims", claims.keys())):
        surplus = given - {path for path, node in policy.leaves.items() if node.basis == basis}
        if surplus:
            raise ContractError("INVALID", f"no leaf of basis {basis}: {names(surplus)}", "/" + name)


def _check_flags(value: Any) -> dict[str, int]:
    flags: dict[str, int] = {}
    for at, item in enumerate(checks.listing(value, "/flags", MAX_FLAGS)):
        where = pointer("flags", at)
        flag = checks.fields(item, FLAG_FIELDS, where)
        code = checks.text(flag["code"], where + "/code", checks.NAME, "1 to 64 of a-z, 0-9, _")
        if flags and code <= max(flags):
            raise ContractError("INVALID", "flags must be sorted by code, without repetition", where + "/code")
        flags[code] = checks.integer(flag["count"], where + "/count", 1, MAX_COUNT)
    return flags


def _compare(raw: Mapping[str, Any], derived: Mapping[str, Any]) -> None:
    """Refuse the first field, from the leaves upwards, that differs from what follows."""
    for path in reversed(derived["nodes"]):
        for name in NODE_FIELDS:
            if raw["nodes"][path][name] != derived["nodes"][path][name]:
                raise ContractError("INVALID", "does not follow from the leaves", pointer("nodes", path, name))
    for name in ("relevance", "claims", "renormalised", "trust", "flags", "decision"):
        if raw[name] != derived[name]:
            raise ContractError("INVALID", "does not follow from the leaves, the flags and the policy", "/" + name)
    for name in STATE_FIELDS:
        if raw["states"][name] != derived["states"][name]:
            raise ContractError(
                "INVALID", "does not follow from the leaves, the flags and the policy", "/states/" + name
            )


def _check_judges(value: Any, policy: Policy, nodes: Mapping[str, Mapping[str, Any]]) -> None:
    judges = checks.fields(value, policy.judges, "/judges")
    for judge in policy.judges:
        where = pointer("judges", judge)
        used = checks.fields(judges[judge], JUDGE_FIELDS, where)
        if used["engine"] is not None:
            engine = checks.choice(used["engine"], where + "/engine", RECORD_ENGINES)
            if policy.engines[judge] not in ("auto", engine):
                raise ContractError("INVALID", "not the engine that the policy demands", where + "/engine")
        elif nodes[judge]["status"] == "scored":
            raise ContractError("INCOMPLETE", "a judge that scored names its engine", where + "/engine")
        checks.ordered(used["models"], where + "/models", MODEL, "name@sha256: and 64 hex digits", MAX_PROVENANCE)
        checks.ordered(used["libraries"], where + "/libraries", LIBRARY, "a name, a space, a version", MAX_PROVENANCE)
