"""Where a scorecard comes from and how anybody can check it: digests, ledger position, models, versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from glassbox.report import bounds
from glassbox.report.asked import money
from glassbox.report.plain import shorten
from glassbox.report.read import Fact, facts, mapping, number, text
from glassbox_contract.canonical import digest
from glassbox_contract.errors import ContractError


class Group(NamedTuple):
    """Facts that belong together under a heading."""

    title: str
    facts: tuple[Fact, ...]


NO_RECORD: Final = "none: the bundle holds no record"
_LEDGER: Final = {
    "backend": "Ledger",
    "record_id": "Record",
    "transaction_id": "Transaction",
    "block": "Block",
    "height": "Height",
    "head_hash": "Head of the chain",
    "signature": "Signature",
    "committed_at": "Committed",
}


def record_digest(envelope: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the record's canonical form, the same on every rendering of one record."""
    record = mapping(envelope.get("record"))
    if not record:
        return NO_RECORD
    try:
        return digest(dict(record))
    except (ContractError, RecursionError):
        return "none: the record has no canonical form"


def groups_of(
    envelope: Mapping[str, Any], ledger: Mapping[str, Any] | None, usage: Mapping[str, Any] | None
) -> list[Group]:
    """Return the trail: record, ledger, policy, software, usage."""
    core, content = mapping(envelope.get("core")), mapping(envelope.get("content"))
    record, evidence = mapping(envelope.get("record")), mapping(core.get("evidence"))
    policy = mapping(core.get("policy"))
    return [
        Group(
            "Record",
            _facts(
                ("Record digest", record_digest(envelope)),
                ("Scorecard core digest", record.get("core_digest")),
                ("Evidence bundle digest", evidence.get("digest") or record.get("bundle_digest")),
                ("Digest of its parts", evidence.get("parts_digest")),
                ("Evaluation", core.get("evaluation_id")),
                ("Attempt", core.get("attempt")),
                ("Supersedes", core.get("supersedes")),
                ("Session", core.get("session_id")),
                ("Created", core.get("created_at")),
            ),
        ),
        Group("Ledger", _ledger(ledger)),
        Group("Policy", _facts(("Name", policy.get("name")), ("Digest", policy.get("digest")))),
        Group("Software", _software(mapping(content.get("runtime")))),
        Group("Usage", _usage(usage)),
    ]


def _facts(*pairs: tuple[str, Any]) -> tuple[Fact, ...]:
    return tuple(Fact(key, shorten(text(value), bounds.FIELD)) for key, value in pairs if value not in (None, ""))


def _ledger(ledger: Mapping[str, Any] | None) -> tuple[Fact, ...]:
    if not ledger:
        return (Fact("Ledger", "no position was given to this page; ask the ledger with the command below"),)
    named = [(title, ledger.get(key)) for key, title in _LEDGER.items()]
    others = {key: value for key, value in ledger.items() if key not in _LEDGER}
    return (*_facts(*named), *facts(others, limit=bounds.FACTS, characters=bounds.FIELD))


def _software(runtime: Mapping[str, Any]) -> tuple[Fact, ...]:
    joined = {
        key: ", ".join(text(item) for item in value) if isinstance(value, list | tuple) else value
        for key, value in runtime.items()
    }
    return tuple(facts(joined, limit=bounds.FACTS, characters=bounds.FIELD)) or (Fact("Versions", "not given"),)


def _usage(usage: Mapping[str, Any] | None) -> tuple[Fact, ...]:
    if not usage:
        return (Fact("Usage", "not given"),)
    cost, duration = number(usage.get("cost_usd")), number(usage.get("duration_ms"))
    return _facts(
        ("Calls to a judge model", usage.get("llm_calls")),
        ("Tokens in", usage.get("input_tokens")),
        ("Tokens out", usage.get("output_tokens")),
        ("Cost", money(usage.get("cost_usd")) if cost is not None or usage.get("llm_calls") else None),
        ("Price table", usage.get("price_table")),
        ("Duration", None if duration is None else f"{duration:,.0f} ms"),
    )
