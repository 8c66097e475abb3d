"""From a pydantic model to a JSON schema that every endpoint's constrained decoding accepts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

_KEPT: Final = ("type", "enum", "description")
_REFERENCE: Final = "#/$defs/"
_DEEPEST: Final = 32


@cache
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the model's JSON schema in the subset of structured outputs.

    Every object requires all its properties and allows no other, and definitions stand where they are used. Bounds,
    lengths and defaults are left out, since some endpoints refuse them: the reply is validated against the model in any
    case. Raises ValueError for a model that can't be told this way (recursive, or with free keys or positions).
    """
    whole = model.model_json_schema()
    reduced = _reduced(whole, whole.get("$defs", {}), 0)
    if reduced.get("type") != "object":
        raise ValueError(f"{model.__name__} is not an object")
    return reduced


def _reduced(node: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> dict[str, Any]:
    if depth > _DEEPEST:
        raise ValueError("the schema is recursive or too deep")
    if "$ref" in node:
        return _reduced(definitions[node["$ref"].removeprefix(_REFERENCE)], definitions, depth + 1)
    kept: dict[str, Any] = {key: node[key] for key in _KEPT if key in node}
    if "const" in node:
        kept["enum"] = [node["const"]]
    choices = node.get("anyOf", node.get("oneOf"))
    if choices is not None:
        kept["anyOf"] = [_reduced(choice, definitions, depth + 1) for choice in choices]
    if kept.get("type") == "array":
        if "prefixItems" in node or not isinstance(node.get("items"), dict):
            raise ValueError("an array needs items of one kind")
        kept["items"] = _reduced(node["items"], definitions, depth + 1)
    if kept.get("type") == "object":
        if node.get("additionalProperties") not in (None, False, True) or not node.get("properties"):
            raise ValueError("an object needs members that are named")
        members = node["properties"].items()
        kept["properties"] = {name: _reduced(member, definitions, depth + 1) for name, member in members}
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    if "type" not in kept and "anyOf" not in kept and "enum" not in kept:
        raise ValueError("a member may be anything")
    return kept
