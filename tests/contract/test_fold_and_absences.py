"""Trees fold by record.md: rounded level by level, absences typed, none of them a number."""

from __future__ import annotations

import itertools

import pytest

from glassbox_contract import Claims, ContractError, Leaf, Node, fold
from glassbox_contract.fold import ABSENCES, renormalised
from glassbox_contract.policy_tree import leaf
from tests.contract.support import policy

S = Leaf(value=600_000)
T = Leaf(value=300_000)


def absent(status: str) -> Leaf:
    return Leaf.absent(status)  # type: ignore[arg-type]


def tree(*children: Node) -> Node:
    return Node(name="trust", op="mean", children=children)


def judge(*children: Node, on_absence: str = "inconclusive", op: str = "mean") -> Node:
    return Node(name="judge", op=op, on_absence=on_absence, children=children)  # type: ignore[arg-type]


def outcome(node: Node, **leaves: Leaf) -> tuple[str, int | None]:
    """Return status and value of the judge over leaves a, b, ..."""
    result = fold(tree(node), {f"judge/{name}": found for name, found in leaves.items()})["judge"]
    return result.status, result.value


A, B, C = leaf("a", "value", 2), leaf("b", "value", 1), leaf("c", "value", 1)


def test_a_mean_weighs_its_children() -> None:
    assert outcome(judge(A, B), a=S, b=T) == ("scored", 500_000)


@pytest.mark.parametrize("status", ["skipped", "not_applicable"])
def test_what_is_off_or_does_not_apply_leaves_the_mean(status: str) -> None:
    assert outcome(judge(A, B), a=S, b=absent(status)) == ("scored", 600_000)


@pytest.mark.parametrize("status", ["not_measured", "inconclusive"])
def test_what_could_not_be_judged_makes_its_node_inconclusive(status: str) -> None:
    assert outcome(judge(A, B), a=S, b=absent(status)) == ("inconclusive", None)


@pytest.mark.parametrize("status", ["not_measured", "inconclusive"])
def test_a_node_may_say_renormalise_instead(status: str) -> None:
    assert outcome(judge(A, B, on_absence="renormalise"), a=S, b=absent(status)) == ("scored", 600_000)


def test_an_error_is_an_error_even_where_the_node_renormalises() -> None:
    for on_absence in ("inconclusive", "renormalise"):
        assert outcome(judge(A, B, on_absence=on_absence), a=S, b=absent("error")) == ("error", None)


def test_without_children_left_a_node_does_not_apply_if_any_child_does_not() -> None:
    assert outcome(judge(A, B), a=absent("skipped"), b=absent("not_applicable")) == ("not_applicable", None)
    assert outcome(judge(A, B), a=absent("skipped"), b=absent("skipped")) == ("skipped", None)


def test_renormalise_over_nothing_stays_inconclusive_instead_of_vanishing() -> None:
    node = judge(A, B, on_absence="renormalise")
    for pair in itertools.product(["not_measured", "inconclusive"], ["not_measured", "skipped", "not_applicable"]):
        assert outcome(node, a=absent(pair[0]), b=absent(pair[1])) == ("inconclusive", None)


def test_a_harmonic_mean_takes_the_worst_absence_of_its_children() -> None:
    for first, second in itertools.product(["scored", *ABSENCES], repeat=2):
        if (first, second) == ("scored", "scored"):
            continue
        leaves = {n: T if s == "scored" else absent(s) for n, s in (("a", first), ("b", second))}
        order = ["scored", "skipped", "not_applicable", "not_measured", "inconclusive", "error"]
        expected = max(first, second, key=order.index)
        for on_absence in ("inconclusive", "renormalise"):
            assert outcome(judge(A, B, op="hmean", on_absence=on_absence), **leaves) == (expected, None)


def root(first: str, second: str, *, first_says: str = "inconclusive") -> tuple[str, int | None]:
    judges = tree(
        Node(name="one", op="leaf", basis="value", on_absence=first_says),  # type: ignore[arg-type]
        Node(name="two", op="leaf", basis="value"),
    )
    given = {n: S if s == "scored" else absent(s) for n, s in (("one", first), ("two", second))}
    result = fold(judges, given)["trust"]
    return result.status, result.value


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("not_applicable", ("not_applicable", None)),
        ("inconclusive", ("inconclusive", None)),
        ("not_measured", ("inconclusive", None)),
        ("skipped", ("scored", 600_000)),
        ("error", ("error", None)),
    ],
)
def test_at_the_root_a_judge_without_an_answer_leaves_no_trust(status: str, expected: tuple[str, int | None]) -> None:
    assert root(status, "scored") == expected


@pytest.mark.parametrize("status", ["not_applicable", "inconclusive", "not_measured"])
def test_a_judge_that_says_renormalise_leaves_the_trust_to_the_others(status: str) -> None:
    assert root(status, "scored", first_says="renormalise") == ("scored", 600_000)
    assert root(status, status, first_says="renormalise")[1] is None


def test_each_level_takes_rounded_children() -> None:
    inner = Node(name="inner", op="mean", children=(leaf("x", "value"), leaf("y", "value"), leaf("z", "value")))
    outer = tree(Node(name="judge", op="mean", children=(inner, leaf("w", "value"))))
    ones = {"judge/inner/x": Leaf(value=1), "judge/inner/y": Leaf(value=0), "judge/inner/z": Leaf(value=0)}
    result = fold(outer, {**ones, "judge/w": Leaf(value=1)})
    assert result["judge/inner"].value == 0  # a third of a micro
    assert result["judge"].value == 1  # (0 + 1) / 2, half up; unrounded it would be 0.67


def test_every_mean_without_all_of_its_children_is_listed() -> None:
    under = tree(judge(A, B, C), Node(name="other", op="leaf", basis="value", on_absence="renormalise"))
    found = {"judge/a": S, "judge/b": absent("skipped"), "judge/c": T, "other": absent("not_applicable")}
    assert renormalised(under, fold(under, found)) == ["judge", "trust"]
    found = {"judge/a": S, "judge/b": S, "judge/c": T, "other": S}
    assert renormalised(under, fold(under, found)) == []
    found = {"judge/a": absent("not_measured"), "judge/b": S, "judge/c": T, "other": S}
    assert renormalised(under, fold(under, found)) == []  # nothing was renormalised: the node is inconclusive


def claims(s: int, c: int, u: int, i: int, *, over: int | None = 950_000) -> tuple[str, int | None, bool | None]:
    under = tree(leaf("judge", "claims", over=over))
    counts = Claims(supported=s, contradicted=c, unsupported=u, inconclusive=i)
    result = fold(under, {"judge": Leaf(claims=counts)})["judge"]
    return result.status, result.value, result.passed


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((3, 1, 1, 0), ("scored", 600_000, False)),
        ((5, 0, 0, 0), ("scored", 1_000_000, True)),
        ((0, 0, 3, 0), ("scored", 0, False)),
        ((0, 0, 0, 4), ("inconclusive", None, None)),
        ((0, 0, 0, 0), ("inconclusive", None, None)),
        ((20, 0, 0, 1), ("scored", 1_000_000, True)),  # 20/21 = 0.952381 is over the target still
        ((19, 0, 0, 1), ("inconclusive", None, None)),  # 19/20 = 0.95 is not over 0.95, 20/20 is
        ((1, 5, 4, 2), ("scored", 100_000, False)),  # 1/12 and 3/12 both miss
    ],
)
def test_undecided_claims_matter_where_they_could_move_the_verdict(
    counts: tuple[int, int, int, int], expected: tuple[str, int | None, bool | None]
) -> None:
    assert claims(*counts) == expected


def test_without_a_target_undecided_claims_leave_the_score_alone() -> None:
    assert claims(19, 0, 1, 30, over=None) == ("scored", 950_000, None)


@pytest.mark.parametrize(
    ("basis", "found"),
    [
        ("bits", Leaf(value=1)),
        ("bits", Leaf(bits="")),
        ("bits", Leaf(bits="12")),
        ("bits", Leaf(bits="1", value=1_000_000)),
        ("bits", Leaf(bits="1" * 1001)),
        ("ratio", Leaf(value=1)),
        ("ratio", Leaf(num=1)),
        ("ratio", Leaf(num=1, den=0)),
        ("ratio", Leaf(num=2, den=1)),
        ("ratio", Leaf(num=1, den=1_000_001)),
        ("value", Leaf()),
        ("value", Leaf(value=-1)),
        ("value", Leaf(value=1_000_001)),
        ("value", Leaf(value=1, num=1, den=1)),
        ("claims", Leaf()),
        ("claims", Leaf(value=1)),
        (
            "claims",
            Leaf(status="not_applicable", claims=Claims(supported=1, contradicted=0, unsupported=0, inconclusive=0)),
        ),
        ("claims", Leaf(claims=Claims(supported=-1, contradicted=0, unsupported=0, inconclusive=0))),
        ("claims", Leaf(value=1, claims=Claims(supported=1, contradicted=0, unsupported=0, inconclusive=0))),
        ("value", Leaf(claims=Claims(supported=1, contradicted=0, unsupported=0, inconclusive=0))),
        ("value", Leaf(status="skipped", value=0)),
        ("bits", Leaf(status="not_applicable", bits="0")),
    ],
)
def test_a_leaf_holds_exactly_what_its_basis_needs(basis: str, found: Leaf) -> None:
    with pytest.raises(ContractError, match=r"^INVALID"):
        fold(tree(leaf("judge", basis)), {"judge": found})  # type: ignore[arg-type]


def test_leaves_are_exactly_those_of_the_tree() -> None:
    under = tree(A, B)
    with pytest.raises(ContractError, match="INCOMPLETE: /nodes: missing: b"):
        fold(under, {"a": S})
    with pytest.raises(ContractError, match="INVALID: /nodes: unknown: c"):
        fold(under, {"a": S, "b": S, "c": S})


def test_the_default_tree_weighs_as_the_product_promises() -> None:
    under = policy()
    given = {path: Leaf.absent("not_applicable") for path in under.leaves}
    given["contextual_precision/contextual_precision"] = Leaf(bits="101")
    given["contextual_precision/retrieval_calibration/mean_similarity"] = Leaf(value=400_000)
    given["semantic_faithfulness/faithfulness"] = Leaf(
        claims=Claims(supported=3, contradicted=0, unsupported=2, inconclusive=0)
    )
    given["semantic_faithfulness/answer_relevancy"] = Leaf(value=900_000)
    given["structural_fidelity/nlp_score/aligned_bleu_4"] = Leaf(value=500_000)
    given["structural_fidelity/nlp_score/aligned_rouge_l"] = Leaf(value=700_000)
    given["structural_fidelity/entity_precision"] = Leaf(num=9, den=10)
    given["structural_fidelity/relation_faithfulness"] = Leaf(num=1, den=2)
    found = fold(under.tree, given)
    assert found["contextual_precision"].value == 703_333  # 0.70 * 0.833333 + 0.30 * 0.4
    assert found["semantic_faithfulness"].value == 720_000  # 0.60 * 0.6 + 0.40 * 0.9
    assert found["structural_fidelity/nlp_score"].value == 583_333  # 2 * 0.5 * 0.7 / 1.2
    assert found["structural_fidelity"].value == 665_000  # 0.30 * 0.583333 + 0.35 * 0.9 + 0.35 * 0.5
    assert found["trust"].value == 698_500  # 0.30 * 0.703333 + 0.40 * 0.72 + 0.30 * 0.665
    assert found["structural_fidelity/entity_precision"].passed is False  # 0.9 is not over 0.9


def test_a_part_that_is_off_leaves_its_weight_to_the_others() -> None:
    under = policy()
    given = {
        path: Leaf(value=800_000) if node.basis == "value" else Leaf.absent("skipped")
        for path, node in under.leaves.items()
    }
    given["structural_fidelity/entity_precision"] = Leaf(num=1, den=1)
    found = fold(under.tree, given)
    assert found["structural_fidelity"].value == 907_692  # (0.30 * 0.8 + 0.35 * 1) / 0.65
