"""From a model to a schema for constrained decoding."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from glassbox.llm.schema import strict_schema
from tests.unit.llm.asking import Verdicts

ALLOWED = {"type", "enum", "anyOf", "items", "properties", "required", "additionalProperties", "description"}


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    """A leaf."""

    kind: Literal["leaf"]
    colour: Colour
    size: float | None = Field(default=None, ge=0, le=1)


class Tree(BaseModel):
    leaves: list[Leaf] = Field(min_length=1, max_length=9)
    names: tuple[str, ...] = ()
    first: Leaf | None = None


class Node(BaseModel):
    below: list[Node] = []


class FreeKeys(BaseModel):
    counts: dict[str, int]


class Pair(BaseModel):
    both: tuple[int, str]


class Whatever(BaseModel):
    value: Any


class Empty(BaseModel):
    pass


def nodes(node: Any) -> list[dict[str, Any]]:
    found = [node]
    for member in node.get("properties", {}).values():
        found += nodes(member)
    for choice in node.get("anyOf", []):
        found += nodes(choice)
    return found + (nodes(node["items"]) if "items" in node else [])


@pytest.mark.parametrize("model", [Verdicts, Tree, Leaf])
def test_every_object_is_closed_and_nothing_is_said_that_endpoints_refuse(model: type[BaseModel]) -> None:
    for node in nodes(strict_schema(model)):
        assert set(node) <= ALLOWED
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


def test_definitions_stand_where_they_are_used() -> None:
    leaf = strict_schema(Tree)["properties"]["leaves"]["items"]
    assert leaf["properties"]["colour"]["enum"] == ["red", "blue"]
    assert leaf["properties"]["kind"]["enum"] == ["leaf"]
    assert leaf["properties"]["size"]["anyOf"] == [{"type": "number"}, {"type": "null"}]
    assert strict_schema(Tree)["properties"]["first"]["anyOf"][0]["properties"] == leaf["properties"]


@pytest.mark.parametrize("model", [Node, FreeKeys, Pair, Whatever, Empty])
def test_a_model_that_cannot_be_told_strictly_is_refused(model: type[BaseModel]) -> None:
    with pytest.raises(ValueError, match=r"schema|object|array|member"):
        strict_schema(model)
