"""Proofs and checks of what this network has signed, offline."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.proof import verify_fabric_proof
from glassbox.ledger.fabric.trust import trust_from_json
from tests.contract.support import REQUEST
from tests.fabric.stage import DEFAULT, Cards, Stage


def test_a_proof_holds_under_the_network_s_roots_alone(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    record = cards.one()
    ledger.open_evaluation(record["evaluation_id"], REQUEST, DEFAULT)
    ledger.commit(record, DEFAULT)
    proof = ledger.proof(record["evaluation_id"])
    trust = trust_from_json(stage.evaluator.trust.to_json())
    assert verify_fabric_proof(proof, record, trust) == []


def test_a_proof_of_one_record_proves_no_other(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    first, second = cards.make(2)
    for record in (first, second):
        ledger.commit(record, DEFAULT)
    found = verify_fabric_proof(ledger.proof(first["evaluation_id"]), second, stage.evaluator.trust)
    assert [one.code for one in found] == ["record"]


CHANGES = {
    "an endorsed answer": lambda proof: _flip(proof["block"]["transactions"], proof["index"]),
    "the orderer's signature": lambda proof: _flip(proof["block"]["signatures"][0], "signature"),
    "the hash before": lambda proof: _flip(proof["block"], "previous_hash"),
    "the order": lambda proof: proof["block"].update(number=proof["block"]["number"] + 1),
}


def _flip(where: Any, name: Any) -> None:
    text = where[name]
    at = len(text) // 2
    where[name] = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_proof_is_found(stage: Stage, ledger: FabricLedger, cards: Cards, change: str) -> None:
    record = cards.one()
    ledger.commit(record, DEFAULT)
    proof = copy.deepcopy(ledger.proof(record["evaluation_id"]))
    CHANGES[change](proof)
    assert verify_fabric_proof(proof, record, stage.evaluator.trust)


def test_a_checkpoint_is_kept_by_the_channel_that_grows(ledger: FabricLedger, cards: Cards) -> None:
    checkpoint = ledger.checkpoint()
    ledger.commit(cards.one(), DEFAULT)
    report = ledger.fsck(checkpoint)
    assert report.intact, report.findings
    assert report.height > checkpoint["number"]


def test_both_peers_export_the_same_blocks(stage: Stage, ledger: FabricLedger, cards: Cards) -> None:
    receipt = ledger.commit(cards.one(), DEFAULT)
    stage.gateway(stage.auditor.client, via="AuditorMSP").commit_status(receipt.transaction_id)
    theirs = list(stage.ledger(stage.auditor).export("records"))
    assert theirs == list(ledger.export("records"))
    assert any(receipt.transaction_id in line for line in theirs)
