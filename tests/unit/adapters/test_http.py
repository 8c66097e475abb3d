"""One reply has one shape in every function that answers over HTTP."""

from __future__ import annotations

import json

import pytest

from glassbox.adapters.aws.http import response_of
from glassbox.adapters.aws.replies import PROBLEM, Reply, problem
from glassbox.errors import LedgerUnavailable


def test_a_reply_keeps_its_status_headers_and_letters() -> None:
    response = response_of(Reply(202, {"id": "é"}, headers={"location": "/v1/evaluations/é"}))
    assert (response.status_code, response.headers["location"]) == (202, "/v1/evaluations/é")
    assert response.body == '{"id": "é"}'
    assert response.headers["Content-Type"] == "application/json"


def test_a_problem_says_that_it_is_one_and_when_to_come_back() -> None:
    response = response_of(problem(LedgerUnavailable("The ledger is busy"), "r-1"))
    assert response.status_code == 503
    assert response.headers["retry-after"] == "5"
    assert response.headers["Content-Type"] == PROBLEM
    assert json.loads(response.body or "")["instance"] == "urn:glassbox:request:r-1"


def test_what_is_no_json_is_not_sent() -> None:
    with pytest.raises(ValueError, match="JSON"):
        response_of(Reply(200, {"score": float("nan")}))
