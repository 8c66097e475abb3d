"""Every function of the contract through the wire, and every kind of refusal."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from glassbox.errors import LedgerConflict, LedgerError, LedgerNotFound, LedgerRejected
from glassbox.ledger.fabric.gateway import Gateway
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox_contract import canonical_bytes, digest_bytes
from glassbox_contract.policy import policy_bytes
from glassbox_contract.schema import schema
from tests.contract.support import REQUEST, policy
from tests.fabric.stage import CHAINCODE, DEFAULT, Cards, Stage


@pytest.fixture
def gateway(stage: Stage) -> Gateway:
    """A client that says to the chaincode whatever it is told."""
    return stage.gateway()


def asked(gateway: Gateway, function: str, *args: str) -> Any:
    return json.loads(gateway.evaluate(CHAINCODE, function, *(arg.encode() for arg in args)))


def test_the_chaincode_offers_the_contract(gateway: Gateway) -> None:
    assert asked(gateway, "GetSchema") == json.loads(canonical_bytes(schema()))


def test_a_record_is_committed_and_read_back_as_it_was_sent(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    receipt = ledger.commit(record, DEFAULT)
    found = ledger.get(record["evaluation_id"])
    assert (found["record"], found["digest"]) == (record, digest_bytes(canonical_bytes(record)))
    assert (found["tx_id"], found["block"]) == (receipt.transaction_id, receipt.block)
    assert found["submitter"] == "EvaluatorMSP"
    assert (receipt.backend, receipt.duplicate) == ("fabric", False)


def test_the_same_record_again_answers_with_the_first_transaction(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    first, second = ledger.commit(record, DEFAULT), ledger.commit(record, DEFAULT)
    assert second.duplicate
    assert second.to_json() == first.to_json()


def test_another_record_under_the_same_id_is_a_conflict(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    ledger.commit(record, DEFAULT)
    with pytest.raises(LedgerConflict):
        ledger.commit({**record, "bundle_digest": "sha256:" + "3" * 64}, DEFAULT)
    assert ledger.get(record["evaluation_id"])["record"] == record


def test_policies_are_registered_once_and_read_back(ledger: FabricLedger) -> None:
    other = policy(name=f"policy-{uuid.uuid4().hex[:8]}")
    first, second = ledger.register_policy(other), ledger.register_policy(other)
    assert (first.duplicate, second.duplicate) == (False, True)
    assert second.transaction_id == first.transaction_id
    assert ledger.get_policy(other.digest)["document"] == dict(other.document)


def test_openings_are_listed_until_they_are_scored(ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    name = record["evaluation_id"]
    assert not ledger.open_evaluation(name, REQUEST, DEFAULT).duplicate
    assert ledger.open_evaluation(name, REQUEST, DEFAULT).duplicate

    def is_open() -> bool:
        bookmark, found = "", False
        while True:
            page = ledger.list_open(page_size=100, bookmark=bookmark)
            found |= any(item["evaluation_id"] == name for item in page.items)
            bookmark = page.bookmark
            if not bookmark:
                return found

    assert is_open()
    ledger.commit(record, DEFAULT)
    assert not is_open()


def test_a_correction_supersedes_and_changes_nothing(ledger: FabricLedger, cards: Cards) -> None:
    first = cards.one()
    ledger.commit(first, DEFAULT)
    second = cards.one(attempt=1, supersedes=first["evaluation_id"])
    ledger.commit(second, DEFAULT)
    history = ledger.history(first["evaluation_id"])
    assert history["superseded_by"] == [second["evaluation_id"]]
    assert len(history["writes"]) == 1
    assert ledger.history(second["evaluation_id"])["supersedes"] == first["evaluation_id"]
    assert ledger.get(first["evaluation_id"])["record"] == first


def test_a_digest_is_compared_on_the_ledger(ledger: FabricLedger, gateway: Gateway, cards: Cards) -> None:
    record = cards.one()
    ledger.commit(record, DEFAULT)
    digest = digest_bytes(canonical_bytes(record))
    assert asked(gateway, "VerifyDigest", record["evaluation_id"], digest)["matches"] is True
    assert asked(gateway, "VerifyDigest", record["evaluation_id"], "sha256:" + "0" * 64)["matches"] is False


def changed(record: dict[str, Any], **fields: Any) -> bytes:
    return canonical_bytes({**record, **fields})


REFUSED = [
    ("INCOMPLETE", lambda r: canonical_bytes({k: v for k, v in r.items() if k != "decision"})),
    ("INCOMPLETE", lambda r: canonical_bytes({k: v for k, v in r.items() if k != "policy_digest"})),
    ("INVALID", lambda r: changed(r, extra=1)),
    ("INVALID", lambda r: changed(r, trust=r["trust"] + 1)),
    ("INVALID", lambda r: changed(r, decision="fail")),
    ("INVALID", lambda r: json.dumps(r).encode()),
    ("INVALID", lambda r: canonical_bytes(r) + b"\n"),
    ("INVALID", lambda r: canonical_bytes(r).replace(b'"attempt":0', b'"attempt":0.0')),
    ("INVALID", lambda r: b"\xff\xfe"),
    ("INVALID", lambda r: b"{" + b" " * 40_000 + b"}"),
    ("INVALID", lambda r: changed(r, created_at="2999-01-01T00:00:00.000Z")),
    ("NOTFOUND", lambda r: changed(r, policy_digest="sha256:" + "0" * 64)),
    ("NOTFOUND", lambda r: changed(r, attempt=1, supersedes=str(uuid.uuid4()))),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_breaks_the_contract_is_refused_at_the_endorsement(gateway: Gateway, cards: Cards, number: int) -> None:
    code, spoil = REFUSED[number]
    with pytest.raises(LedgerRejected) as caught:
        gateway.endorse(CHAINCODE, "CommitScorecard", spoil(cards.one()))
    assert caught.value.code == code
    assert not caught.value.retryable


def test_functions_and_arguments_are_checked(gateway: Gateway) -> None:
    for call in (["Delete", "x"], ["GetScorecard"], ["GetSchema", "x"], ["ListByDay", "2026-13-01", "10", ""]):
        with pytest.raises(LedgerRejected) as caught:
            asked(gateway, *call)
        assert caught.value.code == "INVALID"


def test_what_does_not_stand_there_is_not_found(gateway: Gateway) -> None:
    for function in ("GetScorecard", "GetHistory"):
        with pytest.raises(LedgerNotFound):
            asked(gateway, function, str(uuid.uuid4()))
    with pytest.raises(LedgerNotFound):
        asked(gateway, "GetPolicy", "sha256:" + "0" * 64)


def test_an_evaluation_that_has_to_be_opened_first_is_not_committed_before(ledger: FabricLedger, cards: Cards) -> None:
    strict = policy(open_on_ledger=True)
    record = cards.one(under=strict)
    with pytest.raises(LedgerConflict):
        ledger.commit(record, strict)
    ledger.open_evaluation(record["evaluation_id"], REQUEST, strict)
    assert ledger.commit(record, strict).transaction_id
    late = cards.one()
    ledger.commit(late, DEFAULT)
    with pytest.raises(LedgerConflict):
        ledger.open_evaluation(late["evaluation_id"], REQUEST, DEFAULT)


def test_only_clients_of_the_evaluator_commit_and_only_its_admins_register(stage: Stage, cards: Cards) -> None:
    admin = stage.evaluator.admin
    assert admin is not None
    record = canonical_bytes(cards.one())
    document = policy_bytes(policy(name="another"))
    refused = [
        (stage.gateway(admin), "CommitScorecard", record),
        (stage.gateway(stage.auditor.client, via="AuditorMSP"), "CommitScorecard", record),
        (stage.gateway(), "RegisterPolicy", document),
        (stage.gateway(stage.auditor.client, via="AuditorMSP"), "RegisterPolicy", document),
    ]
    for gateway, function, argument in refused:
        with pytest.raises(LedgerError) as caught:
            gateway.endorse(CHAINCODE, function, argument)
        assert getattr(caught.value, "code", None) == "UNAUTHORIZED"


def test_the_auditor_reads_everything_from_a_peer_of_its_own(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    receipt = ledger.commit(record, DEFAULT)
    reader = stage.ledger(stage.auditor)
    # Its peer may be a block behind the one that acknowledged the commit.
    stage.gateway(stage.auditor.client, via="AuditorMSP").commit_status(receipt.transaction_id)
    assert reader.get(record["evaluation_id"])["record"] == record
    assert [item["id"] for item in reader.list_by_session(cards.session).items] == [record["evaluation_id"]]
    with pytest.raises(LedgerRejected):
        reader.commit(cards.one(), DEFAULT)
