"""The description of the HTTP face (OpenAPI 3.1), made from the very models that read a request."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from glassbox import __version__
from glassbox.adapters.aws.records import COUNTERS
from glassbox.contract.request import Request

_REF: Final = "#/components/schemas/{model}"
_ID: Final = {
    "name": "evaluation_id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "format": "uuid"},
}


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document; it names no server, since every deployment has its own."""
    schema = Request.model_json_schema(ref_template=_REF)
    definitions = schema.pop("$defs", {})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "GlassBox",
            "version": __version__,
            "description": "Hands over what was answered, and reads what it was found to be worth.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{"apiKey": []}],
        "paths": {
            "/v1/evaluations": {"post": _create()},
            "/v1/evaluations/{evaluation_id}": {"get": _read("evaluation", "Where it stands", "Evaluation")},
            "/v1/evaluations/{evaluation_id}/bundle": {"get": _read("bundle", "Its evidence bundle", "Bundle")},
            "/v1/evaluations/{evaluation_id}/proof": {"get": _read("proof", "The ledger's proof", "Proof")},
            "/v1/usage": {"get": _usage()},
            "/v1/openapi.json": {
                "get": {
                    "operationId": "openapi",
                    "summary": "This description",
                    "responses": {"200": _json("An OpenAPI document", {"type": "object"}), **_problems(403, 429)},
                }
            },
        },
        "components": {
            "securitySchemes": {"apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"}},
            "schemas": {**definitions, "Request": schema, **_schemas()},
        },
    }


def _create() -> dict[str, Any]:
    pointer = {
        "type": "object",
        "description": "A request too large for a message, below the tenant's own uploads prefix",
        "properties": {
            "payload": {
                "type": "object",
                "properties": {"s3": {"type": "string", "pattern": "^s3://"}},
                "required": ["s3"],
                "additionalProperties": False,
            }
        },
        "required": ["payload"],
        "additionalProperties": False,
    }
    accepted = _json("Stored; no judge has run yet", _ref("Accepted"))
    accepted["headers"] = {"Location": {"schema": {"type": "string"}, "description": "Where to read it"}}
    key = {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}}
    return {
        "operationId": "create",
        "summary": "Hand over what was asked, answered and retrieved",
        "parameters": [key],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"oneOf": [_ref("Request"), pointer]}}},
        },
        "responses": {"202": accepted, **_problems(400, 401, 403, 410, 413, 422, 429, 500, 503)},
    }


def _read(name: str, summary: str, schema: str) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_ID],
        "responses": {"200": _json(summary, _ref(schema)), **_problems(400, 403, 404, 410, 429, 500, 503)},
    }


def _usage() -> dict[str, Any]:
    month = {"name": "month", "in": "query", "schema": {"type": "string", "pattern": "^20[0-9]{2}-(0[1-9]|1[0-2])$"}}
    return {
        "operationId": "usage",
        "summary": "What the tenant used in a month",
        "parameters": [month],
        "responses": {"200": _json("Counters", _ref("Usage")), **_problems(400, 403, 429, 500, 503)},
    }


def _schemas() -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"}
    count: dict[str, Any] = {"type": "integer", "minimum": 0}
    states = ["received", "judging", "aggregated", "committed", "needs_attention"]
    return {
        "Accepted": _object({"id": text, "status": {"enum": states}}),
        "Evaluation": {
            "type": "object",
            "properties": {
                "id": text,
                "status": {"enum": states},
                "created_at": text,
                "policy": text,
                "engine": {"enum": ["local", "llm"]},
                "attempt": count,
                "reason": text,
                "callback": {"enum": ["delivered", "refused", "failed"]},
                "scorecard": {"type": "object", "description": "As `glassbox evaluate --json` prints it"},
            },
            "required": ["id", "status", "created_at", "policy", "engine", "attempt"],
        },
        "Bundle": {"type": "object", "description": "What `glassbox verify` reads"},
        "Proof": {"type": "object", "description": "What a third party needs to check the record offline"},
        "Usage": _object({"tenant": text, "month": text, **dict.fromkeys(COUNTERS, count)}),
        "Problem": {
            "type": "object",
            "description": "RFC 9457",
            "properties": {
                "type": text,
                "title": text,
                "status": {"type": "integer"},
                "detail": text,
                "instance": text,
                "where": text,
                "errors": {"type": "array", "items": _object({"path": text, "message": text})},
            },
        },
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=name)}


def _json(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _problems(*statuses: int) -> dict[str, Any]:
    problem = {"description": "A problem", "content": {"application/problem+json": {"schema": _ref("Problem")}}}
    return {str(status): problem for status in statuses}
