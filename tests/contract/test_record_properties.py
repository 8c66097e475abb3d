"""Properties of random policies and random findings."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassbox_contract import (
    Claims,
    ContractError,
    Leaf,
    Node,
    Policy,
    conclude,
    default_policy,
    parse_policy,
    validate_record,
)
from glassbox_contract.fold import ABSENCES
from glassbox_contract.policy import EFFECTS
from tests.contract.support import record_of
from tests.contract.walking import changed, leaves, other_values

MICRO = 1_000_000
CODES = sorted(set(default_policy()["flag_effects"]) - {"below_target", "contradicted_claim"})
committed = [status for status in ABSENCES if status != "error"]
targets = st.none() | st.integers(0, MICRO)
comparators = st.sampled_from([">", ">="])
rules = st.sampled_from(["inconclusive", "renormalise"])
weights = st.integers(1, MICRO)


@st.composite
def nodes(draw: st.DrawFn, name: str, levels: int) -> Node:
    op = draw(st.sampled_from(["leaf", "mean", "hmean"])) if levels else "leaf"
    width = {"leaf": 0, "hmean": 2, "mean": draw(st.integers(1, 4))}[op]
    return Node(
        name=name,
        op=op,  # type: ignore[arg-type]
        weight=draw(weights),
        target=draw(targets),
        comparator=draw(comparators),
        on_absence=draw(rules),
        basis=draw(st.sampled_from(["bits", "claims", "ratio", "value"])) if op == "leaf" else None,
        children=tuple(draw(nodes(f"n{at}", levels - 1)) for at in range(width)),
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    judges = tuple(draw(nodes(f"judge{at}", 3)) for at in range(draw(st.integers(1, 4))))
    tree = Node(name="trust", op="mean", children=judges)
    return parse_policy(
        {
            **default_policy(),
            "tree": tree.to_json(),
            "engines": {judge.name: "auto" for judge in judges},
            "bar": {"value": draw(st.integers(0, MICRO)), "comparator": draw(comparators)},
            "flag_effects": {code: draw(st.sampled_from(EFFECTS)) for code in default_policy()["flag_effects"]},
        }
    )


@st.composite
def found(draw: st.DrawFn, basis: str) -> Leaf:
    if draw(st.integers(0, 4)) == 0:
        return Leaf.absent(draw(st.sampled_from(committed)))
    if basis == "bits":
        return Leaf(bits=draw(st.text("01", min_size=1, max_size=20)))
    if basis == "claims":
        counts = draw(st.tuples(*[st.integers(0, 30)] * 4))
        return Leaf(
            claims=Claims(supported=counts[0], contradicted=counts[1], unsupported=counts[2], inconclusive=counts[3])
        )
    if basis == "ratio":
        den = draw(st.integers(1, 1000))
        return Leaf(num=draw(st.integers(0, den)), den=den)
    return Leaf(value=draw(st.integers(0, MICRO)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Policy, dict[str, Leaf], dict[str, int]]:
    under = draw(policies())
    given_leaves = {path: draw(found(str(node.basis))) for path, node in under.leaves.items()}
    raised = draw(st.dictionaries(st.sampled_from(CODES), st.integers(1, 1000), max_size=4))
    return under, given_leaves, raised


def shuffled(value: Any, seed: int) -> Any:
    """Return an equal value whose objects were filled in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(seed).shuffle(keys)
        return {key: shuffled(value[key], seed) for key in keys}
    return [shuffled(item, seed) for item in value] if isinstance(value, list) else value


@given(cases())
@settings(max_examples=150, deadline=None)
def test_what_is_concluded_lies_in_range_and_is_accepted(case: tuple[Policy, dict[str, Leaf], dict[str, int]]) -> None:
    under, given_leaves, raised = case
    concluded = conclude(under, given_leaves, raised)
    for result in concluded.nodes.values():
        assert (result.status == "scored") == (result.value is not None)
        assert result.value is None or 0 <= result.value <= MICRO
    assert (concluded.trust is None) == (concluded.nodes["trust"].status != "scored")
    if concluded.decision == "pass":
        assert concluded.trust is not None
    validate_record(record_of(under, given_leaves, raised), under)


@given(cases(), st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_the_order_of_keys_changes_nothing(case: tuple[Policy, dict[str, Leaf], dict[str, int]], seed: int) -> None:
    under, given_leaves, raised = case
    again = parse_policy(shuffled(dict(under.document), seed))
    assert again.digest == under.digest
    first = conclude(under, given_leaves, raised).to_json()
    assert conclude(again, shuffled(given_leaves, seed), shuffled(raised, seed)).to_json() == first
    validate_record(shuffled(record_of(under, given_leaves, raised), seed), under)


@given(cases(), st.data())
@settings(max_examples=150, deadline=None)
def test_no_single_change_makes_a_record_contradict_its_own_leaves(
    case: tuple[Policy, dict[str, Leaf], dict[str, int]], data: st.DataObject
) -> None:
    under, given_leaves, raised = case
    record = record_of(under, given_leaves, raised)
    path, item = data.draw(st.sampled_from([place for place in leaves(record) if place[0][0] not in ("judges",)]))
    new = data.draw(st.sampled_from(other_values(item)))
    try:
        validate_record(changed(record, path, new), under)
    except ContractError:
        return
    # Accepted: then the change is one that only the evidence bundle, or the ledger, can judge.
    head = {"evaluation_id", "attempt", "supersedes", "created_at", "session_hmac", "bundle_digest", "core_digest"}
    place = str(path[0])
    if place == "nodes":
        node = under.nodes[str(path[1])]
        assert node.op == "leaf"
        assert path[2] == "value" if node.basis == "value" else node.basis == "ratio" and path[2] in ("num", "den")
    elif place == "flags":
        assert path[2] in ("count", "code")
        assert record["flags"][path[1]]["code"] not in ("below_target", "contradicted_claim")
    else:
        assert place in head | {"relevance", "claims"}


@given(cases())
@settings(max_examples=60, deadline=None)
def test_better_leaves_never_lower_the_trust(case: tuple[Policy, dict[str, Leaf], dict[str, int]]) -> None:
    under, given_leaves, raised = case
    before = conclude(under, given_leaves, raised).trust
    better = {path: Leaf(value=MICRO) if leaf.value is not None else leaf for path, leaf in given_leaves.items()}
    after = conclude(under, better, raised).trust
    assert (before is None) == (after is None)
    assert before is None or (after is not None and after >= before)


@given(cases(), st.sampled_from(["node_missing", "node_extra", "judge_missing", "judge_extra"]))
@settings(max_examples=60, deadline=None)
def test_nodes_and_judges_are_exactly_the_policys(
    case: tuple[Policy, dict[str, Leaf], dict[str, int]], what: str
) -> None:
    under, given_leaves, raised = case
    record = record_of(under, given_leaves, raised)
    part = record["nodes" if what.startswith("node") else "judges"]
    if what.endswith("missing"):
        del part[next(iter(part))]
    else:
        part["unheard_of"] = next(iter(part.values()))
    with pytest.raises(ContractError, match="INCOMPLETE" if what.endswith("missing") else "INVALID"):
        validate_record(record, under)
