"""A policy says what runs, what it weighs and what it must reach; its digest is that of its canonical document."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.policy import BUILT_IN, Policy, built_in, compile_policy
from glassbox.errors import PolicyInvalid, UsageError
from glassbox_contract.canonical import digest


def changed(**changes: Any) -> Policy:
    return compile_policy({"name": "mine", "extends": "default", **changes})


def faults(value: Any) -> dict[str, str]:
    with pytest.raises(PolicyInvalid) as caught:
        compile_policy(value)
    return {v.path: v.message for v in caught.value.violations}


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_policies_compile_and_differ(name: str) -> None:
    policy = built_in(name)
    assert policy.name == name
    assert policy.digest == digest(policy.document)
    assert len({built_in(n).digest for n in BUILT_IN}) == len(BUILT_IN)


def test_default_targets_and_bar_are_those_promised() -> None:
    policy = built_in("default")
    assert policy.target("contextual_precision/contextual_precision") == 850_000
    assert policy.target("semantic_faithfulness/faithfulness") == 950_000
    assert policy.target("semantic_faithfulness/answer_relevancy") == 800_000
    assert policy.target("structural_fidelity/entity_precision") == 900_000
    assert policy.target("structural_fidelity/relation_faithfulness") == 900_000
    assert (policy.contract.bar, policy.contract.comparator) == (800_000, ">=")
    assert [policy.nodes[j].weight for j in policy.judges] == [300, 400, 300]


@pytest.mark.parametrize("path", list(built_in("default").nodes))
def test_every_node_can_be_switched_off_alone(path: str) -> None:
    policy = changed(disable=[path])
    assert not policy.enabled(path)
    assert all(not p.startswith(f"{path}/") for p in policy.nodes)
    assert policy.digest != built_in("default").digest


def test_a_group_whose_last_child_goes_goes_too() -> None:
    both = ["structural_fidelity/entity_precision", "structural_fidelity/relation_faithfulness"]
    policy = changed(disable=["contextual_precision", "semantic_faithfulness", *both])
    assert policy.judges == ("structural_fidelity",)
    assert set(policy.document["engines"]) == {"structural_fidelity"}


def test_weights_targets_bar_and_flags_are_set() -> None:
    policy = changed(
        weights={"structural_fidelity": 100},
        targets={"semantic_faithfulness/faithfulness": 0.97, "contextual_precision/contextual_precision": None},
        comparators={"semantic_faithfulness/faithfulness": ">="},
        on_absence={"contextual_precision": "renormalise"},
        bar={"value": 0.855, "comparator": ">"},
        flags={"novel_entity": "fail"},
        retention_days=400,
    )
    assert policy.nodes["structural_fidelity"].weight == 100
    assert policy.target("semantic_faithfulness/faithfulness") == 970_000
    assert policy.target("contextual_precision/contextual_precision") is None
    assert policy.nodes["contextual_precision"].on_absence == "renormalise"
    assert policy.contract.bar == 855_000
    assert policy.effect("novel_entity") == "fail"
    assert policy.document["retention_days"] == 400


def test_the_document_reading_scores_whole_document_numbers() -> None:
    policy = changed(terminology_reading="document")
    assert policy.enabled("structural_fidelity/nlp_score/bleu_4")
    assert not policy.enabled("structural_fidelity/nlp_score/aligned_bleu_4")


def test_an_engine_makes_a_policy_of_its_own_digest() -> None:
    policy = built_in("default")
    assert policy.with_engines(dict.fromkeys(policy.judges, "local")).digest != policy.digest
    assert policy.with_engines(dict.fromkeys(policy.judges, "auto")).digest == policy.digest


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"disable": ["no/such"]}, "$.disable[0]"),
        ({"targets": {"no/such": 0.5}}, "$.targets.no/such"),
        ({"comparators": {"zz": ">"}}, "$.comparators.zz"),
        ({"comparators": {"semantic_faithfulness": "<"}}, "$.comparators.semantic_faithfulness"),
        ({"on_absence": {"zz": "renormalise"}}, "$.on_absence.zz"),
        ({"engines": {"no_such": "local"}}, "$.engines.no_such"),
        ({"engines": {"semantic_faithfulness": "fast"}}, "$.engines.semantic_faithfulness"),
        ({"flags": {"nope": "fail"}}, "$.flags.nope"),
        ({"flags": {"novel_entity": "ignore"}}, "$.flags.novel_entity"),
        ({"weights": {"structural_fidelity": 0}}, "$.weights.structural_fidelity"),
        ({"weights": {"structural_fidelity": True}}, "$.weights.structural_fidelity"),
        ({"targets": {"semantic_faithfulness/faithfulness": 1.2}}, "$.targets.semantic_faithfulness/faithfulness"),
        ({"bar": {"value": "high"}}, "$.bar.value"),
        ({"judge_models": {"claims": "two words"}}, "$.judge_models.claims"),
        ({"judge_models": {"Two Words": "m"}}, "$.judge_models.<name of 9 characters>"),
        ({"anonymisation": "Ä"}, "$.anonymisation"),
        ({"retention_days": None}, "$.retention_days"),
        ({"open_on_ledger": 1}, "$.open_on_ledger"),
        ({"extends": "defualt"}, "$.extends"),
        ({"name": "My policy"}, "$.name"),
        ({"colour": "red"}, "$.colour"),
    ],
)
def test_faults_are_named_with_their_path(changes: dict[str, Any], path: str) -> None:
    assert list(faults({"name": "mine", "extends": "default", **changes})) == [path]


def test_all_faults_of_changes_are_named_at_once() -> None:
    found = faults(
        {
            "name": "strict",
            "extends": "nothing",
            "disable": ["semantic_faithfulness", "zz", 3],
            "weights": {"zz": 5, "semantic_faithfulness": "much"},
            "flags": {"nope": "fail"},
            "bar": 0.9,
        }
    )
    assert list(found) == [
        "$.bar",
        "$.disable[1]",
        "$.disable[2]",
        "$.extends",
        "$.flags.nope",
        "$.name",
        "$.weights.semantic_faithfulness",
        "$.weights.zz",
    ]
    assert "default, strict, no-models, document-reading" in found["$.extends"]
    assert "agent_drift, appropriate_refusal" in found["$.flags.nope"]


def test_one_fault_is_counted_in_the_singular() -> None:
    with pytest.raises(PolicyInvalid, match="The policy has 1 fault "):
        changed(disable=["zz"])
    with pytest.raises(PolicyInvalid, match="The policy has 2 faults "):
        changed(disable=["zz", "yy"])


@pytest.mark.parametrize(
    "disable",
    [
        list(built_in("default").judges),
        [path for path, node in built_in("default").nodes.items() if node.op == "leaf"],
    ],
)
def test_disabling_everything_leaves_nothing_to_measure(disable: list[str]) -> None:
    assert "nothing is left to measure" in faults({"name": "x", "extends": "default", "disable": disable})["$.disable"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_name_stands_for_its_own_content_alone(name: str) -> None:
    document = built_in(name).document
    assert compile_policy(document).digest == built_in(name).digest
    assert "another name" in faults({**document, "retention_days": 7})["$.name"]
    assert "another name" in faults({"name": name, "extends": "default", "retention_days": 7})["$.name"]


def test_changes_that_change_nothing_may_keep_the_name() -> None:
    assert compile_policy({"name": "default", "extends": "default"}).digest == built_in("default").digest


def test_a_disabled_leaf_is_named_as_the_reading_names_it() -> None:
    policy = changed(terminology_reading="document", disable=["structural_fidelity/nlp_score/bleu_4"])
    assert [p for p in policy.nodes if "nlp_score/" in p] == ["structural_fidelity/nlp_score/rouge_l"]
    old = "structural_fidelity/nlp_score/aligned_bleu_4"
    assert list(faults({"name": "x", "extends": "document-reading", "disable": [old]})) == ["$.disable[0]"]


def test_the_reading_can_change_where_one_of_its_leaves_is_off() -> None:
    base = changed(disable=["structural_fidelity/nlp_score/aligned_bleu_4"])
    policy = compile_policy({"name": "y", "extends": "mine", "terminology_reading": "document"}, {"mine": base})
    assert [p for p in policy.nodes if "nlp_score/" in p] == ["structural_fidelity/nlp_score/rouge_l"]


def whole() -> dict[str, Any]:
    return {**built_in("default").document, "name": "mine"}


def test_all_faults_of_a_whole_document_are_named_at_once() -> None:
    document = whole()
    document["tree"]["children"][0]["weight"] = 0
    document["tree"]["children"][1]["children"][0]["target"] = 0.95
    document["tree"]["children"][2]["children"][1]["comparator"] = "<"
    document["engines"]["semantic_faithfulness"] = "fast"
    document["flag_effects"] = {**document["flag_effects"], "nope": "fail", "novel_entity": "ignore"}
    del document["flag_effects"]["agent_drift"]
    document["bar"] = {"value": 2_000_000, "comparator": "="}
    del document["retention_days"]
    document["colour"] = "red"
    assert list(faults(document)) == [
        "$.bar.comparator",
        "$.bar.value",
        "$.colour",
        "$.engines.semantic_faithfulness",
        "$.flag_effects.agent_drift",
        "$.flag_effects.nope",
        "$.flag_effects.novel_entity",
        "$.retention_days",
        "$.tree.children[0].weight",
        "$.tree.children[1].children[0].target",
        "$.tree.children[2].children[1].comparator",
    ]


@pytest.mark.parametrize("field", list(built_in("default").document))
@pytest.mark.parametrize("value", [None, [], {}, -1, 0.5, "x y", [{}], {"children": [{"name": "x"}]}])
def test_no_field_of_a_whole_document_escapes(field: str, value: Any) -> None:
    if (field, value) in [("anonymisation", None), ("judge_models", {})]:
        assert compile_policy({**whole(), field: value}).name == "mine"
    else:
        assert any(path.startswith(f"$.{field}") for path in faults({**whole(), field: value}))


def test_a_whole_document_without_a_judge_has_no_engine_for_it() -> None:
    document = whole()
    document["tree"]["children"].pop()
    assert list(faults(document)) == ["$.engines"]


def test_what_json_cannot_carry_is_no_policy() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert list(faults({**whole(), "tree": deep})) == ["$"]
    assert list(faults({**whole(), "name": "\ud800"})) == ["$"]


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="default, strict"):
        built_in("defualt")


@pytest.mark.parametrize("value", [None, 3, "default", [], {"tree": 1}, {"name": "x"}])
def test_what_is_no_policy_is_refused(value: Any) -> None:
    with pytest.raises(PolicyInvalid):
        compile_policy(value)
