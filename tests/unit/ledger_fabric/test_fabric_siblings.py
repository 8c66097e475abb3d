"""Several processes evaluate one request at once: what each of them says of the ledger is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from glassbox.adapters.local.runner import ATTENTION, LocalRunner
from glassbox.cli.batch import Job, evaluate_one
from glassbox.cli.inputs import Input
from glassbox.contract.parsing import request_from
from glassbox.contract.policy import built_in
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.settings import Settings
from tests.unit.ledger_fabric.network import Peers, Refusal

LEXICAL = built_in("no-models")
REQUEST = request_from(
    {
        "query": "Who opened the bridge?",
        "answer": "The mayor opened it.",
        "retrieved_passages": ["The mayor opened it."],
    }
)
BUSY = Refusal(grpc.StatusCode.UNAVAILABLE, "the peer is busy")
NO_ORDERER = Refusal(grpc.StatusCode.UNAVAILABLE, "no orderers could successfully process transaction")
Begin = Callable[[], LocalRunner]


@pytest.fixture
def begin(tmp_path: Path, ledger: FabricLedger, peers: Peers) -> Iterator[Begin]:
    """Runners of one working folder, as processes of their own have them; the policy stands already."""
    ledger.register_policy(LEXICAL.contract)
    peers.calls.clear()

    def make() -> LocalRunner:
        made = LocalRunner(Settings.from_env({}, home=tmp_path / "home"))
        made.__dict__["ledger"] = ledger
        return made

    yield make


def said(runner: LocalRunner) -> str:
    """What a user reads of an evaluation that did not come to its end."""
    job = Job(runner.settings, LEXICAL.document, {}, None, again=False, idempotency_key=None)
    done = evaluate_one(runner, job, 0, Input("request.json", REQUEST))
    assert done.outcome is None
    return done.message or ""


def test_a_record_that_a_sibling_committed_meanwhile_is_a_success(begin: Begin, peers: Peers) -> None:
    siblings: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "ledger":
            siblings.append(begin().evaluate(REQUEST, LEXICAL).scorecard["ledger"]["transaction_id"])
            peers.before["Endorse"] = [BUSY]

    outcome = begin().evaluate(REQUEST, LEXICAL, progress=meanwhile)
    assert [outcome.scorecard["ledger"]["transaction_id"]] == siblings
    assert peers.before["Endorse"] == []


def test_what_a_sibling_committed_is_not_called_uncommitted(begin: Begin, peers: Peers) -> None:
    def sibling_then_busy() -> None:
        begin().evaluate(REQUEST, LEXICAL)
        raise BUSY

    runner = begin()
    # The opening and the commit of this one; both of the sibling; the second try of this one.
    peers.before["Endorse"] = [None, sibling_then_busy, None, None, BUSY]
    message = said(runner)
    assert "The ledger holds a record of this evaluation, committed by another call" in message
    assert "Nothing of it was committed" not in message
    assert runner.documents.get(runner.documents.ids()[0], ATTENTION) is None


def test_nothing_was_committed_is_said_after_the_ledger_was_asked(begin: Begin, peers: Peers) -> None:
    peers.before["Endorse"] = [None, BUSY]
    assert "Nothing of it was committed" in said(begin())
    assert peers.calls[-1] == "Evaluate"


def test_a_transaction_whose_fate_is_open_is_not_called_uncommitted(begin: Begin, peers: Peers) -> None:
    peers.before["Submit"] = [None, *[NO_ORDERER] * 4]
    message = said(begin())
    assert "Whether it was committed shows then" in message
    assert "Nothing of it was committed" not in message
