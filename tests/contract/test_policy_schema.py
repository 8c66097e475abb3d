"""A policy is exact: one document, one digest, one meaning."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from glassbox_contract import ContractError, default_policy, parse_policy
from glassbox_contract.policy_tree import walk
from tests.contract.walking import Path, changed, places, without

DEFAULT = default_policy()
members = [path for path, _ in places(DEFAULT) if isinstance(path[-1], str)]
# Keys that are names, not fields: their absence is another policy, or is refused for another reason.
OPTIONAL_KEYS = {("flag_effects", code) for code in DEFAULT["flag_effects"]} - {
    ("flag_effects", "below_target"),
    ("flag_effects", "contradicted_claim"),
}


def refusal(document: Any) -> ContractError:
    with pytest.raises(ContractError) as caught:
        parse_policy(document)
    return caught.value


@pytest.mark.parametrize("path", members, ids=lambda p: ".".join(map(str, p)))
def test_every_field_is_required(path: Path) -> None:
    if path in OPTIONAL_KEYS:
        assert parse_policy(without(DEFAULT, path)).digest != parse_policy(DEFAULT).digest
    else:
        assert refusal(without(DEFAULT, path)).code == "INCOMPLETE"


@pytest.mark.parametrize("path", [(), ("tree",), ("tree", "children", 0), ("bar",), ("engines",)])
def test_an_unknown_field_is_refused(path: Path) -> None:
    assert refusal(changed(DEFAULT, (*path, "unheard_of"), 1)).code == "INVALID"


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("schema_version",), "2"),
        (("schema_version",), 1),
        (("name",), ""),
        (("name",), "Two Words"),
        (("name",), "x" * 65),
        (("bar", "value"), 1_000_001),
        (("bar", "value"), 0.8),
        (("bar", "value"), True),
        (("bar", "comparator"), "<"),
        (("flag_effects", "agent_drift"), "ignore"),
        (("flag_effects", "Bad Name"), "info"),
        (("flag_effects",), []),
        (("engines", "structural_fidelity"), "gpu"),
        (("judge_models",), {"x": ""}),
        (("judge_models",), {"x": "two words"}),
        (("judge_models",), {f"m{n}": "x" for n in range(33)}),
        (("terminology_reading",), "both"),
        (("anonymisation",), ""),
        (("retention_days",), 0),
        (("retention_days",), 36_526),
        (("open_on_ledger",), 1),
        (("tree", "name"), "root"),
        (("tree", "op"), "hmean"),
        (("tree", "op"), "leaf"),
        (("tree", "target"), 800_000),
        (("tree", "weight"), 2),
        (("tree", "on_absence"), "renormalise"),
        (("tree", "children"), []),
        (("tree", "children", 0, "name"), "trust"),
        (("tree", "children", 0, "name"), "semantic_faithfulness"),
        (("tree", "children", 0, "name"), "with/slash"),
        (("tree", "children", 0, "weight"), 0),
        (("tree", "children", 0, "weight"), 1_000_001),
        (("tree", "children", 0, "weight"), 0.3),
        (("tree", "children", 0, "on_absence"), "ignore"),
        (("tree", "children", 0, "basis"), "value"),
        (("tree", "children", 0, "op"), "hmean_of_three"),
        (("tree", "children", 0, "children", 0, "basis"), None),
        (("tree", "children", 0, "children", 0, "basis"), "words"),
        (("tree", "children", 0, "children", 0, "target"), -1),
        (("tree", "children", 0, "children", 0, "comparator"), "=>"),
        (("tree", "children", 2, "op"), "hmean"),
        (("tree", "children", 2, "children", 0, "op"), "leaf"),
    ],
    ids=str,
)
def test_a_value_outside_the_schema_is_refused(path: Path, new: Any) -> None:
    found = refusal(changed(DEFAULT, path, new))
    assert found.code in ("INVALID", "INCOMPLETE")


def deep(levels: int) -> dict[str, Any]:
    node = {**DEFAULT["tree"]["children"][1]["children"][1], "name": "end"}
    for _ in range(levels - 2):
        node = {**DEFAULT["tree"]["children"][1], "name": "level", "children": [node]}
    return {**DEFAULT, "tree": {**DEFAULT["tree"], "children": [node]}, "engines": {node["name"]: "auto"}}


def test_a_tree_has_at_most_eight_levels() -> None:
    assert max(path.count("/") for path, _ in walk(parse_policy(deep(8)).tree)) == 6
    assert "levels" in refusal(deep(9)).reason
    assert refusal(deep(40)).code == "INVALID"


def wide(nodes: int) -> dict[str, Any]:
    leaf = DEFAULT["tree"]["children"][1]["children"][1]
    judges = [{**leaf, "name": f"judge{at}"} for at in range(nodes - 1)]
    return {**DEFAULT, "tree": {**DEFAULT["tree"], "children": judges}, "engines": {j["name"]: "auto" for j in judges}}


def test_a_tree_has_at_most_two_hundred_nodes() -> None:
    assert len(parse_policy(wide(200)).nodes) == 200
    assert "200" in refusal(wide(201)).reason


def test_the_policy_keeps_its_own_copy() -> None:
    document = default_policy()
    under = parse_policy(document)
    document["bar"]["value"] = 0
    document["tree"]["children"].clear()
    assert under.document["bar"]["value"] == 800_000
    assert under.digest == parse_policy(default_policy()).digest


def test_any_change_is_another_digest() -> None:
    changes: list[tuple[Path, Any]] = [
        (("name",), "strict"),
        (("bar", "value"), 800_001),
        (("tree", "children", 0, "weight"), 301),
        (("engines", "structural_fidelity"), "local"),
        (("retention_days",), 3651),
    ]
    digests = {parse_policy(changed(copy.deepcopy(DEFAULT), path, new)).digest for path, new in changes}
    assert len(digests | {parse_policy(DEFAULT).digest}) == len(changes) + 1


def test_the_default_targets_are_those_of_the_product() -> None:
    targets = {
        path.rsplit("/", 1)[-1]: (node.target, node.comparator)
        for path, node in walk(parse_policy(DEFAULT).tree)
        if node.target is not None
    }
    assert targets == {
        "contextual_precision": (850_000, ">"),
        "faithfulness": (950_000, ">"),
        "answer_relevancy": (800_000, ">"),
        "entity_precision": (900_000, ">"),
        "relation_faithfulness": (900_000, ">"),
    }
