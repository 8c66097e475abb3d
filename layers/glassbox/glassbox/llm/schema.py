"""From a pydantic model to a JSON schema that every endpoint's constrained decoding accepts."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from pydantic import BaseModel

_KEPT: Final = frozenset({"type", "enum", "items", "properties", "anyOf", "$ref", "$defs", "description"})


@cache
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the model's JSON schema in the subset of structured outputs.

    Every object requires all its properties and allows no other; bounds, lengths and defaults are left out, since some
    endpoints refuse them: the reply is validated against the model itself in any case.
    """
    reduced: dict[str, Any] = _reduced(model.model_json_schema())
    return reduced


def _reduced(node: Any) -> Any:
    if isinstance(node, list):
        return [_reduced(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _reduced(child) for name, child in value.items()}
        elif key in _KEPT:
            kept[key] = _reduced(value)
    if kept.get("type") == "object":
        kept["required"] = list(kept.get("properties", {}))
        kept["additionalProperties"] = False
    return kept
