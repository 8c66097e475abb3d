"""A policy says what runs, what it weighs and what it must reach; its digest is that of its canonical document."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.policy import BUILT_IN, Policy, built_in, compile_policy
from glassbox.errors import PolicyInvalid, UsageError
from glassbox_contract.canonical import digest


def changed(**changes: Any) -> Policy:
    return compile_policy({"name": "mine", "extends": "default", **changes})


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
    assert policy.with_engine("local").digest != policy.digest
    assert policy.with_engine("auto").digest == policy.digest


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"disable": ["no/such"]}, "$.disable"),
        ({"targets": {"no/such": 0.5}}, "$.targets"),
        ({"engines": {"no_such": "local"}}, "$.engines"),
        ({"weights": {"structural_fidelity": 0}}, "$.weights.structural_fidelity"),
        ({"targets": {"semantic_faithfulness/faithfulness": 1.2}}, "$.targets.semantic_faithfulness/faithfulness"),
        ({"colour": "red"}, "$.colour"),
        ({"disable": ["contextual_precision", "semantic_faithfulness", "structural_fidelity"]}, "$.tree.children"),
    ],
)
def test_faults_are_named_with_their_path(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(PolicyInvalid) as caught:
        changed(**changes)
    assert path in [v.path for v in caught.value.violations]


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="default, strict"):
        built_in("defualt")


@pytest.mark.parametrize("value", [None, 3, "default", [], {"tree": 1}, {"name": "x"}])
def test_what_is_no_policy_is_refused(value: Any) -> None:
    with pytest.raises((PolicyInvalid, UsageError)):
        compile_policy(value)
