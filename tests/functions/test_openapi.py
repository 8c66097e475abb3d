"""The HTTP face and its own description: whatever the description allows or forbids is answered as it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from glassbox.adapters.aws.openapi import document
from tests.functions.deployed import ROOT, Deployed
from tests.functions.requests import body

SCHEMA = schemathesis.openapi.from_dict(document())
OPERATIONS = [(path, method) for path, item in document()["paths"].items() for method in item]
PARAMETERS = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_the_document_that_is_kept_is_the_one_that_is_served(stack: Deployed) -> None:
    served = stack.get("/v1/openapi.json")["json"]
    assert served == document()
    assert json.loads((ROOT / "docs/openapi.json").read_text()) == served, "run: python tests/functions/openapi.py"


def test_every_route_of_the_template_is_described() -> None:
    from tests.functions.deployed import expanded

    template, _ = expanded()
    api = next(r for r in template["Resources"].values() if r["Type"] == "AWS::ApiGateway::RestApi")
    assert set(api["Properties"]["Body"]["paths"]) == set(document()["paths"])


def answered(stack: Deployed, case: Any) -> Response:
    """Return the handler's answer as a response of the library that checks it."""
    headers = {str(k): str(v) for k, v in (case.headers or {}).items()}
    if case.method.upper() == "POST":
        text = case.body if isinstance(case.body, str) else json.dumps(case.body, default=str)
        answer = stack.post(text, headers=headers)
    else:
        path = case.formatted_path
        query = {str(k): str(v) for k, v in (case.query or {}).items()} or None
        answer = stack.get(path, query=query)
    headers_back = {n.lower(): [str(v) for v in values] for n, values in answer["multiValueHeaders"].items()}
    return Response(
        status_code=answer["statusCode"],
        headers=headers_back,
        content=(answer.get("body") or "").encode(),
        request=requests.Request(case.method, f"http://127.0.0.1{case.formatted_path}").prepare(),
        elapsed=0.0,
        verify=False,
    )


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_sent_is_answered_as_described(stack: Deployed, path: str, method: str) -> None:
    operation = SCHEMA[path][method.upper()]

    @PARAMETERS
    @given(case=operation.as_strategy())
    def holds(case: Any) -> None:
        response = answered(stack, case)
        assert response.status_code < 500, response.content
        case.validate_response(
            response, checks=[status_code_conformance, content_type_conformance, response_schema_conformance]
        )

    holds()


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '"x"', "\x00", '{"query": NaN}', "[" * 5000, '{"query": "a", "query": "b"}', "\ud800"],
)
def test_a_body_that_is_no_request_is_a_problem_document(stack: Deployed, text: str) -> None:
    answer = stack.post(text.encode("utf-8", "surrogatepass"))
    assert answer["statusCode"] == 422
    assert answer["json"]["type"] == "urn:glassbox:problem:request-invalid"
    assert answer["json"]["errors"]


def test_an_accepted_evaluation_is_described_at_every_stage(stack: Deployed) -> None:
    evaluation_id = stack.post(body())["json"]["id"]
    operation = SCHEMA["/v1/evaluations/{evaluation_id}"]["GET"]
    for wait in (False, True):
        if wait:
            stack.finished(evaluation_id)
        case = operation.Case(path_parameters={"evaluation_id": evaluation_id})
        response = answered(stack, case)
        assert response.status_code == 200
        case.validate_response(response, checks=[response_schema_conformance])
