"""The questions that the contract answers; none of them writes."""

from __future__ import annotations

import re
from typing import Any, Final

from glassbox_contract import checks
from glassbox_contract.canonical import parse_canonical
from glassbox_contract.errors import ContractError
from glassbox_contract.rules import demand_reader, opening_key, policy_key, record_key, stored
from glassbox_contract.schema import schema
from glassbox_contract.stub import Stub, attributes_of, composite_key, composite_range

MAX_PAGE: Final = 200
_PAGE_SIZE = re.compile(r"[0-9]{1,3}")
_BOOKMARK = re.compile(r"[0-9A-Za-z:.-]{1,64}(/[0-9a-f-]{36})?")


def get_policy(stub: Stub, digest: str) -> dict[str, Any]:
    """Return {digest, document, tx_id, tx_timestamp, submitter} of a registered policy."""
    demand_reader(stub)
    return _existing(stub, policy_key(checks.sha256(digest, "/policy_digest")), "/policy_digest")


def get_scorecard(stub: Stub, identifier: str) -> dict[str, Any]:
    """Return {digest, record, tx_id, tx_timestamp, submitter} of an evaluation."""
    demand_reader(stub)
    return _existing(stub, record_key(checks.identifier(identifier, "/evaluation_id")), "/evaluation_id")


def get_history(stub: Stub, identifier: str) -> dict[str, Any]:
    """Return {id, writes, supersedes, superseded_by}: every write of the key, and the records before and after it.

    A sound ledger holds exactly one write. ``digest`` of a write is that of the record in it, null for a delete.
    """
    current = get_scorecard(stub, identifier)
    writes = [
        {
            "tx_id": write.tx_id,
            "tx_timestamp": write.timestamp,
            "digest": None if write.value is None else parse_canonical(write.value)["digest"],
        }
        for write in stub.get_history(record_key(identifier))
    ]
    start, end = composite_range("superseded", identifier)
    later = [attributes_of(key)[1] for key, _ in stub.get_range(start, end, MAX_PAGE)]
    return {
        "id": identifier,
        "writes": writes,
        "supersedes": current["record"]["supersedes"],
        "superseded_by": later,
    }


def verify_digest(stub: Stub, identifier: str, digest: str) -> dict[str, Any]:
    """Return {id, digest, matches}: the digest of the record on the ledger and whether it equals the one given."""
    checks.sha256(digest, "/digest")
    known = get_scorecard(stub, identifier)["digest"]
    return {"id": identifier, "digest": known, "matches": known == digest}


def list_by_session(stub: Stub, session_hmac: str, page_size: str, bookmark: str) -> dict[str, Any]:
    """Return one page of a session's records, oldest first."""
    demand_reader(stub)
    checks.hmac_sha256(session_hmac, "/session_hmac")
    return _page_of_records(stub, ("session", session_hmac), page_size, bookmark)


def list_by_day(stub: Stub, day: str, page_size: str, bookmark: str) -> dict[str, Any]:
    """Return one page of the records whose ``created_at`` lies on a UTC day ``YYYY-MM-DD``, oldest first."""
    demand_reader(stub)
    checks.calendar_day(day, "/day")
    return _page_of_records(stub, ("day", day), page_size, bookmark)


def list_open(stub: Stub, page_size: str, bookmark: str) -> dict[str, Any]:
    """Return one page of the evaluations that were opened and never scored, oldest first.

    ``page_size`` counts the openings looked at, so a page may hold fewer items and yet have a bookmark.
    """
    demand_reader(stub)
    found, following = _scan(stub, ("open",), page_size, bookmark)
    items = []
    for _, identifier in found:
        opening = stored(stub, opening_key(identifier))
        if opening is not None and stub.get_state(record_key(identifier)) is None:
            items.append(opening)
    return {"items": items, "bookmark": following}


def get_schema(stub: Stub) -> dict[str, Any]:
    """Return the contract's functions, limits and the record's and the policy's fields."""
    demand_reader(stub)
    return schema()


def _existing(stub: Stub, key: str, path: str) -> dict[str, Any]:
    found = stored(stub, key)
    if found is None:
        raise ContractError("NOTFOUND", "nothing stands under this key", path)
    return found


def _page_of_records(stub: Stub, index: tuple[str, ...], page_size: str, bookmark: str) -> dict[str, Any]:
    found, following = _scan(stub, index, page_size, bookmark)
    return {"items": [_summary(stub, identifier) for _, identifier in found], "bookmark": following}


def _summary(stub: Stub, identifier: str) -> dict[str, Any]:
    known = _existing(stub, record_key(identifier), "/evaluation_id")
    record = known["record"]
    return {
        "id": identifier,
        "created_at": record["created_at"],
        "digest": known["digest"],
        "trust": record["trust"],
        "decision": record["decision"],
        "publication": record["states"]["publication"],
        "tx_id": known["tx_id"],
    }


def _scan(stub: Stub, index: tuple[str, ...], page_size: str, bookmark: str) -> tuple[list[tuple[str, str]], str]:
    """Return one page of (time, id) of an index and the bookmark of the next, "" at the end.

    A bookmark is the first entry of the page that it begins, as ``time/id``.
    """
    size = checks.integer(_number(page_size), "/page_size", 1, MAX_PAGE)
    start, end = composite_range(*index)
    if bookmark:
        checks.text(bookmark, "/bookmark", _BOOKMARK, "empty, or the bookmark of an earlier page")
        start = composite_key(*index, *bookmark.split("/"))
    entries = [attributes_of(key)[-2:] for key, _ in stub.get_range(start, end, size + 1)]
    pairs = [(time, identifier) for time, identifier in entries]
    return pairs[:size], "/".join(pairs[size]) if len(pairs) > size else ""


def _number(page_size: str) -> int:
    checks.text(page_size, "/page_size", _PAGE_SIZE, f"a number in 1..{MAX_PAGE}")
    return int(page_size)
