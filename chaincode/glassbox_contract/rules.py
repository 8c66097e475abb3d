"""The transactions of the contract: who may write what, once, and what is kept for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes, digest_bytes, parse_canonical
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import MAX_POLICY_BYTES, Policy, parse_policy
from glassbox_contract.record import MAX_RECORD_BYTES, validate_record
from glassbox_contract.stub import Stub, composite_key

EVALUATOR: Final = "EvaluatorMSP"
AUDITOR: Final = "AuditorMSP"
READERS: Final = (EVALUATOR, AUDITOR)

EVENT: Final = "ScorecardCommitted"
CLOCK_TOLERANCE_MS: Final = 15 * 60 * 1000
"""How far ``created_at`` may lie after the transaction's time."""

PRESENT: Final = b"\x01"
"""Value of an index entry, whose key says everything. Fabric takes no empty value."""


def record_key(identifier: str) -> str:
    """Return the key that holds the record of an evaluation."""
    return "SC:" + identifier


def policy_key(digest: str) -> str:
    """Return the key that holds a policy."""
    return "PO:" + digest


def opening_key(identifier: str) -> str:
    """Return the key that says an evaluation was begun."""
    return "OP:" + identifier


def demand(stub: Stub, msp: str, role: str) -> None:
    """Refuse ``UNAUTHORIZED`` unless the transaction was submitted by ``role`` of the organisation ``msp``.

    A client sets its transaction's time itself, so one beyond the calendar is refused before anything is written.
    """
    if (stub.creator.msp, stub.creator.role) != (msp, role):
        raise ContractError("UNAUTHORIZED", f"only a {role} of {msp} may do this")
    checks.integer(stub.tx_timestamp, "/timestamp", 0, checks.LATEST)


def demand_reader(stub: Stub) -> None:
    """Refuse ``UNAUTHORIZED`` unless the caller belongs to one of the organisations."""
    if stub.creator.msp not in READERS:
        raise ContractError("UNAUTHORIZED", f"only members of {' and '.join(READERS)} may read")


def stored(stub: Stub, key: str) -> dict[str, Any] | None:
    """Return the object under ``key``, None if there is none."""
    data = stub.get_state(key)
    if data is None:
        return None
    value = parse_canonical(data)
    if not isinstance(value, dict):
        raise ContractError("INVALID", "the state holds something that this contract never wrote")
    return value


def register_policy(stub: Stub, document: bytes) -> dict[str, Any]:
    """Keep a policy under its digest; the same policy again answers ``duplicate`` with the first transaction."""
    demand(stub, EVALUATOR, "admin")
    if len(document) > MAX_POLICY_BYTES:
        raise ContractError("INVALID", f"a policy has at most {MAX_POLICY_BYTES} bytes")
    policy = parse_policy(parse_canonical(document))
    key = policy_key(policy.digest)
    if known := stored(stub, key):
        return {"status": "duplicate", "digest": policy.digest, "tx_id": known["tx_id"]}
    _put(stub, key, {"digest": policy.digest, "document": dict(policy.document), **_origin(stub)})
    return {"status": "registered", "digest": policy.digest, "tx_id": stub.tx_id}


def open_evaluation(stub: Stub, identifier: str, request_hmac: str, policy_digest: str) -> dict[str, Any]:
    """Keep that an evaluation was begun, so that one which is never scored can be seen."""
    demand(stub, EVALUATOR, "client")
    checks.identifier(identifier, "/evaluation_id")
    checks.hmac_sha256(request_hmac, "/request_hmac")
    registered(stub, policy_digest)
    opening = {"evaluation_id": identifier, "policy_digest": policy_digest, "request_hmac": request_hmac}
    if known := stored(stub, opening_key(identifier)):
        if any(known[name] != opening[name] for name in opening):
            raise ContractError("CONFLICT", "opened before with another request or policy", "/evaluation_id")
        return {"status": "duplicate", "tx_id": known["tx_id"]}
    if stub.get_state(record_key(identifier)) is not None:
        raise ContractError("CONFLICT", "scored before it was opened", "/evaluation_id")
    _put(stub, opening_key(identifier), {**opening, **_origin(stub)})
    stub.put_state(composite_key("open", checks.format_timestamp(stub.tx_timestamp), identifier), PRESENT)
    return {"status": "opened", "tx_id": stub.tx_id}


def commit_scorecard(stub: Stub, data: bytes) -> dict[str, Any]:
    """Keep a record under its evaluation id, once; raise the event.

    The same bytes again answer ``duplicate`` with the first transaction; other bytes are a ``CONFLICT``.
    """
    demand(stub, EVALUATOR, "client")
    if len(data) > MAX_RECORD_BYTES:
        raise ContractError("INVALID", f"a record has at most {MAX_RECORD_BYTES} bytes")
    record = parse_canonical(data)
    policy = _policy_of(stub, record)
    validate_record(record, policy)
    _check_time(stub, record["created_at"])
    identifier, digest = record["evaluation_id"], digest_bytes(data)
    if known := stored(stub, record_key(identifier)):
        if known["digest"] != digest:
            raise ContractError("CONFLICT", "another record stands under this id; records are written once")
        return {"status": "duplicate", "digest": digest, "tx_id": known["tx_id"]}
    _check_opening(stub, record, policy)
    _check_superseded(stub, record)
    _put(stub, record_key(identifier), {"digest": digest, "record": record, **_origin(stub)})
    for key in _index_keys(record):
        stub.put_state(key, PRESENT)
    event = {"id": identifier, "digest": digest, "trust": record["trust"], "decision": record["decision"]}
    stub.set_event(EVENT, canonical_bytes(event))
    return {"status": "committed", "digest": digest, "tx_id": stub.tx_id}


def registered(stub: Stub, policy_digest: Any) -> Policy:
    """Return the policy with this digest; refuses ``NOTFOUND`` for one that was never registered."""
    checks.sha256(policy_digest, "/policy_digest")
    data = stub.get_state(policy_key(policy_digest))
    if data is None:
        raise ContractError("NOTFOUND", "no policy with this digest is registered", "/policy_digest")
    return _policy_in(data)


@lru_cache(maxsize=64)
def _policy_in(data: bytes) -> Policy:
    """Return the policy in a state's value. The bytes alone decide the result, so it may be remembered."""
    return parse_policy(parse_canonical(data)["document"])


def _policy_of(stub: Stub, record: Any) -> Policy:
    if not isinstance(record, dict):
        raise ContractError("INVALID", "must be an object")
    if "policy_digest" not in record:
        raise ContractError("INCOMPLETE", "missing: policy_digest")
    return registered(stub, record["policy_digest"])


def _check_time(stub: Stub, created_at: str) -> None:
    if checks.timestamp(created_at, "/created_at") > stub.tx_timestamp + CLOCK_TOLERANCE_MS:
        raise ContractError("INVALID", "more than 15 minutes after the transaction's time", "/created_at")


def _check_opening(stub: Stub, record: dict[str, Any], policy: Policy) -> None:
    opening = stored(stub, opening_key(record["evaluation_id"]))
    if opening is None:
        if policy.open_on_ledger:
            raise ContractError("CONFLICT", "the policy demands that an evaluation is opened first", "/evaluation_id")
    elif opening["policy_digest"] != policy.digest:
        raise ContractError("CONFLICT", "opened under another policy", "/policy_digest")


def _check_superseded(stub: Stub, record: dict[str, Any]) -> None:
    if record["supersedes"] is None:
        return
    earlier = stored(stub, record_key(record["supersedes"]))
    if earlier is None:
        raise ContractError("NOTFOUND", "no such record to supersede", "/supersedes")
    if earlier["record"]["attempt"] >= record["attempt"]:
        raise ContractError("INVALID", "must name a record of an earlier attempt", "/supersedes")


def _index_keys(record: dict[str, Any]) -> list[str]:
    identifier, created = record["evaluation_id"], record["created_at"]
    keys = [
        composite_key("day", created[:10], created[11:], identifier),
        composite_key("session", record["session_hmac"], created, identifier),
    ]
    if record["supersedes"] is not None:
        keys.append(composite_key("superseded", record["supersedes"], identifier))
    return keys


def _origin(stub: Stub) -> dict[str, Any]:
    return {"tx_id": stub.tx_id, "tx_timestamp": stub.tx_timestamp, "submitter": stub.creator.msp}


def _put(stub: Stub, key: str, value: dict[str, Any]) -> None:
    stub.put_state(key, canonical_bytes(value))
