"""What a failed call means is read from the peers' words, since one gRPC code stands for many causes."""

from __future__ import annotations

import pytest

from glassbox.errors import LedgerConflict, LedgerError, LedgerNotFound, LedgerRejected
from glassbox.ledger.fabric.errors import CommitUnknown, FabricMisconfigured, FabricUnavailable, PeersDisagree
from glassbox.ledger.fabric.failures import Failure, status_details, typed
from tests.unit.ledger_fabric.network import Refusal, grpc

SEEN = [
    ("evaluate", "UNKNOWN", "chaincode response 404, NOTFOUND: /evaluation_id: nothing", LedgerNotFound, False),
    ("evaluate", "UNKNOWN", "chaincode response 400, INVALID: /day: must be a day", LedgerRejected, False),
    (
        "evaluate",
        "UNKNOWN",
        "chaincode response 500, no such transaction ID [ab] in index",
        LedgerNotFound,
        False,
    ),
    ("evaluate", "UNKNOWN", "chaincode response 500, internal error", FabricUnavailable, True),
    ("endorse", "ABORTED", "chaincode response 409, CONFLICT: /: another record stands", LedgerConflict, False),
    ("endorse", "ABORTED", "chaincode response 403, UNAUTHORIZED: /: only a client", LedgerRejected, False),
    ("endorse", "ABORTED", "chaincode response 400, no prefix of ours", LedgerRejected, False),
    ("endorse", "ABORTED", "failed to collect enough transaction endorsements", FabricUnavailable, True),
    ("endorse", "ABORTED", "could not launch chaincode glassbox_1:ab: connection refused", FabricUnavailable, True),
    ("endorse", "FAILED_PRECONDITION", "no combination of peers can be derived which satisfy", FabricUnavailable, True),
    ("endorse", "FAILED_PRECONDITION", "access denied: channel [a] creator org [b]", FabricMisconfigured, False),
    ("endorse", "FAILED_PRECONDITION", "no peers available to evaluate chaincode x", FabricMisconfigured, False),
    ("evaluate", "UNAVAILABLE", "failed to get config for channel [x]", FabricMisconfigured, False),
    ("evaluate", "UNAVAILABLE", "Ssl handshake failed: CERTIFICATE_VERIFY_FAILED", FabricMisconfigured, False),
    ("evaluate", "UNAVAILABLE", "too many requests for /gateway.Gateway, exceeding limit", FabricUnavailable, True),
    ("evaluate", "RESOURCE_EXHAUSTED", "too many requests for /gateway.Gateway", FabricUnavailable, True),
    ("evaluate", "RESOURCE_EXHAUSTED", "Received message larger than max (5 vs. 4)", FabricMisconfigured, False),
    ("evaluate", "UNIMPLEMENTED", "unknown service gateway.Gateway", FabricMisconfigured, False),
    ("evaluate", "DEADLINE_EXCEEDED", "Deadline Exceeded", FabricUnavailable, True),
    ("endorse", "DEADLINE_EXCEEDED", "Deadline Exceeded", FabricUnavailable, True),
    ("submit", "DEADLINE_EXCEEDED", "Deadline Exceeded", CommitUnknown, True),
    ("submit", "UNAVAILABLE", "no orderers could successfully process transaction", CommitUnknown, True),
    ("commit-status", "DEADLINE_EXCEEDED", "Deadline Exceeded", CommitUnknown, True),
    ("commit-status", "UNAVAILABLE", "Socket closed", CommitUnknown, True),
]


@pytest.mark.parametrize(("stage", "code", "text", "kind", "retryable"), SEEN)
def test_each_situation_seen_on_real_peers_has_its_error(
    stage: str, code: str, text: str, kind: type[LedgerError], retryable: bool
) -> None:
    error = typed(Failure(stage, "ab" * 32, code, text), "127.0.0.1:7051")
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.fix


def test_a_refusal_in_the_details_counts_though_the_code_says_nothing() -> None:
    details = (("peer:1", "AuditorMSP", "chaincode response 400, INVALID: /trust: does not follow"),)
    error = typed(Failure("endorse", "ab", "ABORTED", "failed to endorse transaction", details), "peer")
    assert isinstance(error, LedgerRejected)
    assert (error.code, error.where) == ("INVALID", "/trust")


def test_a_refusal_by_some_peers_only_may_pass() -> None:
    details = (("peer:1", "AuditorMSP", "chaincode response 404, NOTFOUND: /policy_digest: none"),)
    text = "failed to collect enough transaction endorsements, see attached details"
    error = typed(Failure("endorse", "ab", "ABORTED", text, details), "peer")
    assert isinstance(error, PeersDisagree)
    assert isinstance(error.refusal, LedgerRejected)


def test_the_details_of_a_status_are_decoded() -> None:
    refusal = Refusal(grpc.StatusCode.ABORTED, "x", ["one", "two " * 60])
    assert list(status_details(refusal.metadata()[0][1])) == [
        ("peer:1", "EvaluatorMSP", "one"),
        ("peer:1", "EvaluatorMSP", "two " * 60),
    ]


@pytest.mark.parametrize(
    "data", [b"", b"\x1a", b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x1a\x05abc", b"\x0b"]
)
def test_a_broken_status_has_no_details_and_breaks_nothing(data: bytes) -> None:
    assert list(status_details(data)) == []


def test_every_cut_of_a_status_is_survived() -> None:
    whole = Refusal(grpc.StatusCode.ABORTED, "x", ["one", "two"]).metadata()[0][1]
    for end in range(len(whole)):
        list(status_details(whole[:end]))


def test_peers_words_are_shown_short_and_on_one_line() -> None:
    error = typed(Failure("evaluate", "ab", "UNAVAILABLE", "line\nline\x1b[31m" + "x" * 5000), "peer")
    assert "\n" not in str(error)
    assert "\x1b" not in str(error)
    assert len(str(error)) < 600
