"""A ledger in memory and records to put on it, for the tests of the contract."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from glassbox_contract import (
    Claims,
    Creator,
    Leaf,
    Modification,
    Policy,
    Response,
    build_record,
    canonical_bytes,
    conclude,
    default_policy,
    invoke,
    parse_policy,
)

CLIENT = Creator("EvaluatorMSP", "client")
ADMIN = Creator("EvaluatorMSP", "admin")
AUDITOR = Creator("AuditorMSP", "client")
STRANGER = Creator("OtherMSP", "client")

NOON = 1_767_355_200_000
"""2026-01-02T12:00:00.000Z."""
CREATED = "2026-01-02T12:00:00.000Z"
FIRST = "6f1d3c2a-0b1c-5d2e-8f3a-4b5c6d7e8f90"
SECOND = "0c9a5f64-7a1e-5b53-9d0e-3f8a2b1c4d5e"
SESSION = "hmac-sha256:" + "0" * 64
REQUEST = "hmac-sha256:" + "9" * 64
MODEL = "embedder@sha256:" + "a" * 64

PRECISION = "contextual_precision/contextual_precision"
CALIBRATION = "contextual_precision/retrieval_calibration"
FAITHFULNESS = "semantic_faithfulness/faithfulness"
RELEVANCY = "semantic_faithfulness/answer_relevancy"
ENTITIES = "structural_fidelity/entity_precision"
RELATIONS = "structural_fidelity/relation_faithfulness"
BLEU = "structural_fidelity/nlp_score/aligned_bleu_4"
ROUGE = "structural_fidelity/nlp_score/aligned_rouge_l"


class MemoryStub:
    """One transaction over a MemoryLedger."""

    def __init__(self, ledger: MemoryLedger, tx_id: str, time: int, creator: Creator) -> None:
        self.ledger, self.tx_id, self.tx_timestamp, self.creator = ledger, tx_id, time, creator
        self.writes: dict[str, bytes] = {}
        self.event: tuple[str, bytes] | None = None

    def get_state(self, key: str) -> bytes | None:
        return self.ledger.state.get(key)

    def put_state(self, key: str, value: bytes) -> None:
        assert value, "Fabric takes no empty value"
        self.writes[key] = value

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        keys = sorted((k for k in self.ledger.state if start <= k < end), key=str.encode)
        return [(key, self.ledger.state[key]) for key in keys[:limit]]

    def get_history(self, key: str) -> Sequence[Modification]:
        return self.ledger.history.get(key, [])

    def set_event(self, name: str, payload: bytes) -> None:
        self.event = (name, payload)


class MemoryLedger:
    """World state and history; a refused call leaves nothing behind."""

    def __init__(self) -> None:
        self.state: dict[str, bytes] = {}
        self.history: dict[str, list[Modification]] = {}
        self.events: list[tuple[str, bytes]] = []
        self.count = 0

    def invoke(self, function: str, *args: bytes | str, creator: Creator = CLIENT, time: int = NOON) -> Response:
        self.count += 1
        stub = MemoryStub(self, f"tx{self.count}", time, creator)
        response = invoke(stub, function, args)
        if not response.ok:
            assert not stub.writes, "a refused call wrote something"
            return response
        for key, value in stub.writes.items():
            self.state[key] = value
            self.history.setdefault(key, []).append(Modification(stub.tx_id, time, value))
        if stub.event:
            self.events.append(stub.event)
        return response


def policy(**changes: Any) -> Policy:
    """Return the default policy with changed fields."""
    return parse_policy({**default_policy(), **changes})


def leaves_of(under: Policy, **found: Leaf) -> dict[str, Leaf]:
    """Return leaves for every path, `not_applicable` but for those given by their last name."""
    return {path: found.get(path.rsplit("/", 1)[-1], Leaf.absent("not_applicable")) for path in under.leaves}


def good_leaves(under: Policy) -> dict[str, Leaf]:
    """Return leaves that pass under the default policy, with an absence of a harmless kind."""
    return leaves_of(
        under,
        contextual_precision=Leaf(bits="110"),
        mean_similarity=Leaf(value=812_345),
        faithfulness=Leaf(claims=Claims(supported=7, contradicted=0, unsupported=0, inconclusive=0)),
        answer_relevancy=Leaf(value=901_000),
        aligned_bleu_4=Leaf(value=640_001),
        aligned_rouge_l=Leaf(value=720_002),
        entity_precision=Leaf(num=12, den=13),
        relation_faithfulness=Leaf(num=19, den=20),
    )


def record_of(
    under: Policy,
    leaves: dict[str, Leaf] | None = None,
    raised: dict[str, int] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """Return a sound record with the given head fields."""
    used = {"engine": "local", "models": [MODEL], "libraries": ["rapidfuzz 3.14.0", "sacrebleu 2.6.0"]}
    conclusion = conclude(under, leaves or good_leaves(under), {} if raised is None else raised)
    return build_record(
        under,
        conclusion,
        **{
            "evaluation_id": FIRST,
            "created_at": CREATED,
            "session_hmac": SESSION,
            "bundle_digest": "sha256:" + "1" * 64,
            "core_digest": "sha256:" + "2" * 64,
            "judges": {judge: copy.deepcopy(used) for judge in under.judges},
            **fields,
        },
    )


def rich_record(under: Policy) -> dict[str, Any]:
    """Return a record with something in every field: misses, contradictions, flags, absences, a renormalisation."""
    leaves = good_leaves(under)
    leaves[FAITHFULNESS] = Leaf(claims=Claims(supported=3, contradicted=1, unsupported=2, inconclusive=0))
    leaves[ENTITIES] = Leaf(num=1, den=3)
    leaves[BLEU] = Leaf.absent("not_measured")
    fields = {"attempt": 1, "supersedes": SECOND}
    return record_of(under, leaves, {"novel_entity": 2, "duplicate_passages": 1}, **fields)


def ledger_with(under: Policy) -> MemoryLedger:
    """Return a ledger on which the policy is registered."""
    ledger = MemoryLedger()
    response = ledger.invoke("RegisterPolicy", canonical_bytes(dict(under.document)), creator=ADMIN)
    if not response.ok:
        raise AssertionError(response.message)
    return ledger
