"""Flags, decision and the four states follow in the order that record.md gives."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox_contract import Claims, Conclusion, ContractError, Leaf, Policy, conclude, default_policy, parse_policy
from tests.contract.support import ENTITIES, FAITHFULNESS, PRECISION, RELEVANCY, good_leaves, policy

DEFAULT = policy()


def with_effects(**effects: str) -> Policy:
    return policy(flag_effects={**default_policy()["flag_effects"], **effects})


def concluded(under: Policy = DEFAULT, raised: dict[str, int] | None = None, **changed: Leaf) -> Conclusion:
    paths = {"entities": ENTITIES, "faithfulness": FAITHFULNESS, "precision": PRECISION, "relevancy": RELEVANCY}
    leaves = good_leaves(under)
    leaves.update({paths[name]: found for name, found in changed.items()})
    return conclude(under, leaves, raised or {})


def test_a_good_answer_is_published() -> None:
    found = concluded()
    assert (found.decision, found.flags) == ("pass", {})
    assert found.states == {
        "operational": "completed",
        "evidence": "complete",
        "quality": "pass",
        "publication": "publishable",
    }


def test_each_missed_target_is_counted_and_reviewed() -> None:
    found = concluded(entities=Leaf(num=9, den=10), relevancy=Leaf(value=800_000))
    assert found.flags == {"below_target": 2}
    assert (found.decision, found.states["publication"]) == ("pass", "under_review")


def test_a_policy_may_make_a_missed_target_fail() -> None:
    found = concluded(with_effects(below_target="fail"), entities=Leaf(num=9, den=10))
    assert (found.decision, found.states["publication"]) == ("fail", "withheld")


def test_contradicted_claims_are_counted_and_fail() -> None:
    counts = Claims(supported=98, contradicted=2, unsupported=0, inconclusive=0)
    found = concluded(faithfulness=Leaf(claims=counts))
    assert found.flags == {"contradicted_claim": 2}
    assert (found.decision, found.trust is not None) == ("fail", True)


def test_a_fail_flag_comes_before_missing_trust() -> None:
    lost = Leaf.absent("inconclusive")
    assert concluded(faithfulness=lost).decision == "inconclusive"
    assert concluded(raised={"number_mismatch": 1}, faithfulness=lost).decision == "fail"


def test_missing_trust_comes_before_the_bar_and_the_bar_before_an_inconclusive_flag() -> None:
    low = Leaf(claims=Claims(supported=0, contradicted=0, unsupported=9, inconclusive=0))
    lost = Leaf.absent("not_measured")
    flagged = {"injection_suspected": 1}
    assert concluded(raised=flagged).decision == "inconclusive"
    assert concluded(raised=flagged, faithfulness=low).decision == "fail"
    assert concluded(raised=flagged, faithfulness=low, precision=lost).decision == "inconclusive"


@pytest.mark.parametrize(("comparator", "decision"), [(">=", "pass"), (">", "fail")])
def test_the_bar_is_compared_as_the_policy_says(comparator: str, decision: str) -> None:
    trust = concluded().trust
    assert concluded(policy(bar={"value": trust, "comparator": comparator})).decision == decision


def test_the_default_bar_is_eight_tenths() -> None:
    assert (DEFAULT.bar, DEFAULT.comparator) == (800_000, ">=")


@pytest.mark.parametrize(
    ("code", "decision", "publication"),
    [
        ("number_mismatch", "fail", "withheld"),
        ("unwarranted_refusal", "fail", "withheld"),
        ("injection_suspected", "inconclusive", "under_review"),
        ("novel_entity", "pass", "under_review"),
        ("novel_relation", "pass", "under_review"),
        ("agent_drift", "pass", "publishable"),
        ("selective_copying", "pass", "publishable"),
        ("duplicate_passages", "pass", "publishable"),
        ("appropriate_refusal", "pass", "publishable"),
        ("language_unmeasured", "pass", "publishable"),
    ],
)
def test_each_default_flag_has_its_effect(code: str, decision: str, publication: str) -> None:
    found = concluded(raised={code: 3})
    assert (found.decision, found.states["publication"], found.flags) == (decision, publication, {code: 3})


def test_evidence_is_partial_where_anything_could_not_be_judged() -> None:
    for status in ("not_measured", "inconclusive"):
        found = concluded(entities=Leaf.absent(status))  # type: ignore[arg-type]
        assert (found.states["evidence"], found.trust, found.decision) == ("partial", None, "inconclusive")
        assert found.states["publication"] == "under_review"


def test_evidence_is_missing_where_no_judge_scored() -> None:
    found = conclude(DEFAULT, {path: Leaf.absent("not_applicable") for path in DEFAULT.leaves}, {})
    assert (found.states["evidence"], found.decision, found.nodes["trust"].status) == (
        "missing",
        "inconclusive",
        "not_applicable",
    )


def test_evidence_is_complete_where_the_rest_does_not_apply() -> None:
    assert concluded(entities=Leaf.absent("not_applicable")).states["evidence"] == "complete"


def test_an_answer_without_context_is_inconclusive_with_complete_evidence() -> None:
    leaves = {path: Leaf.absent("not_applicable") for path in DEFAULT.leaves}
    leaves[RELEVANCY] = Leaf(value=900_000)
    found = conclude(DEFAULT, leaves, {})
    assert (found.trust, found.decision, found.states["evidence"]) == (None, "inconclusive", "complete")


def test_a_broken_judge_withholds() -> None:
    found = concluded(entities=Leaf.absent("error"))
    assert (found.states["operational"], found.states["publication"], found.trust) == ("failed", "withheld", None)


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ({"below_target": 1}, "counted by the contract"),
        ({"contradicted_claim": 1}, "counted by the contract"),
        ({"unheard_of": 1}, "knows no such flag"),
        ({"novel_entity": 0}, "must lie in"),
        ({"novel_entity": True}, "integer"),
    ],
)
def test_flags_that_no_judge_may_raise_are_refused(raised: dict[str, Any], message: str) -> None:
    with pytest.raises(ContractError, match=message):
        concluded(raised=raised)


def test_a_new_judge_needs_no_change_of_the_contract() -> None:
    document = default_policy()
    judge = {
        **document["tree"]["children"][0],
        "name": "trace_fidelity",
        "op": "leaf",
        "basis": "ratio",
        "children": [],
    }
    document["tree"]["children"].append({**judge, "weight": 200})
    document["engines"]["trace_fidelity"] = "local"
    under = parse_policy(document)
    leaves = {**good_leaves(under), "trace_fidelity": Leaf(num=1, den=2)}
    assert conclude(under, leaves, {}).nodes["trace_fidelity"].value == 500_000
