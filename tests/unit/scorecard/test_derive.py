"""Core and record follow from the content alone, by the arithmetic of the contract."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from glassbox.contract.measurement import Flag, Measurement, Status
from glassbox.contract.policy import built_in, compile_policy
from glassbox.errors import JudgeError
from glassbox.scorecard import derive
from glassbox_contract.canonical import canonical_bytes, digest
from glassbox_contract.record import validate_record
from tests.unit.scorecard.results import absent, bits, claims, content


def measurement(core: dict[str, Any], judge: str, name: str) -> dict[str, Any]:
    return next(m for m in core["judges"][judge]["measurements"] if m["name"] == name)


def test_perfect_leaves_give_trust_one_and_a_pass() -> None:
    core = derive(content()).core
    assert (core["trust_score"], core["decision"]) == (1.0, "pass")
    assert core["states"] == {
        "operational": "completed",
        "evidence": "complete",
        "quality": "pass",
        "publication": "publishable",
    }


def test_the_weights_are_those_of_the_seed() -> None:
    core = derive(
        content(
            contextual_precision=bits("101"),
            faithfulness=claims(3, 0, 2),
            answer_relevancy=Measurement.scored("answer_relevancy", 0.9, "s"),
            entity_precision=Measurement.of_ratio("entity_precision", 9, 10, "s"),
            relation_faithfulness=Measurement.of_ratio("relation_faithfulness", 1, 2, "s"),
            aligned_bleu_4=Measurement.scored("aligned_bleu_4", 0.5, "s"),
            aligned_rouge_l=Measurement.scored("aligned_rouge_l", 0.25, "s"),
        )
    ).core
    assert measurement(core, "contextual_precision", "contextual_precision")["value"] == 0.833333
    assert core["judges"]["contextual_precision"]["score"] == pytest.approx(0.7 * 0.833333 + 0.3, abs=1e-6)
    assert core["judges"]["semantic_faithfulness"]["score"] == pytest.approx(0.6 * 0.6 + 0.4 * 0.9, abs=1e-6)
    assert measurement(core, "structural_fidelity", "nlp_score")["value"] == 0.333333
    assert core["judges"]["structural_fidelity"]["score"] == pytest.approx(
        0.3 * 0.333333 + 0.35 * 0.9 + 0.35 * 0.5, abs=1e-6
    )
    assert core["trust_score"] == pytest.approx(
        sum(w * core["judges"][j]["score"] for w, j in zip((0.3, 0.4, 0.3), core["judges"], strict=True)), abs=2e-6
    )


def test_nine_of_ten_entities_miss_a_strict_target() -> None:
    core = derive(content(entity_precision=Measurement.of_ratio("entity_precision", 9, 10, "s"))).core
    found = measurement(core, "structural_fidelity", "entity_precision")
    assert (found["value"], found["target"], found["comparator"], found["passed"]) == (0.9, 0.9, ">", False)
    assert {"code": "below_target", "severity": "review"}.items() <= core["flags"][-1].items()
    assert core["flags"][-1]["detail"] == {
        "measurement": "structural_fidelity/entity_precision",
        "value": 0.9,
        "target": 0.9,
    }


def test_a_disabled_part_renormalises_the_rest() -> None:
    policy = compile_policy(
        {"name": "x", "extends": "default", "disable": ["structural_fidelity/relation_faithfulness"]}
    )
    core = derive(
        content(
            policy,
            entity_precision=Measurement.of_ratio("entity_precision", 1, 2, "s"),
            relation_faithfulness=absent("relation_faithfulness", Status.SKIPPED, "disabled"),
        )
    ).core
    assert core["judges"]["structural_fidelity"]["score"] == pytest.approx((0.30 + 0.35 * 0.5) / 0.65, abs=1e-6)


def test_an_absence_never_becomes_a_number_and_every_renormalisation_is_listed() -> None:
    core = derive(content(relation_faithfulness=absent("relation_faithfulness", reason="no_pairs"))).core
    found = measurement(core, "structural_fidelity", "relation_faithfulness")
    assert (found["status"], found["value"], found["passed"]) == ("not_applicable", None, None)
    assert "structural_fidelity" in core["renormalised"]
    assert "contextual_precision/retrieval_calibration" in core["renormalised"]


def test_a_judge_without_an_answer_makes_trust_null() -> None:
    core = derive(content(relation_faithfulness=absent("relation_faithfulness", Status.INCONCLUSIVE, "language"))).core
    assert core["judges"]["structural_fidelity"]["status"] == "inconclusive"
    assert (core["trust_score"], core["decision"]) == (None, "inconclusive")
    assert core["states"]["evidence"] == "partial"
    assert core["states"]["publication"] == "under_review"


@pytest.mark.parametrize(
    ("code", "decision"),
    [("number_mismatch", "fail"), ("injection_suspected", "inconclusive"), ("novel_entity", "pass")],
)
def test_flags_decide_as_the_policy_says(code: str, decision: str) -> None:
    assert derive(content(flags=[Flag(code=code)])).core["decision"] == decision


def test_a_review_flag_keeps_a_pass_from_publication() -> None:
    core = derive(content(flags=[Flag(code="novel_entity", detail={"entity": "X"})])).core
    assert core["states"]["publication"] == "under_review"


def test_a_contradicted_claim_is_counted_by_the_contract() -> None:
    derived = derive(content(faithfulness=claims(19, 1), flags=[Flag(code="contradicted_claim")]))
    assert {"code": "contradicted_claim", "count": 1} in derived.record["flags"]
    assert derived.core["decision"] == "fail"


def test_the_record_is_accepted_by_the_contract_and_holds_no_text() -> None:
    secret = content(flags=[Flag(code="novel_entity", detail={"entity": "Hargreaves"})])
    derived = derive(secret)
    validate_record(derived.record, built_in("default").contract)
    assert b"Hargreaves" not in canonical_bytes(derived.record)
    assert b"s-1" not in canonical_bytes(derived.record)


def test_digests_form_a_chain_without_a_cycle() -> None:
    made = content()
    derived = derive(made)
    assert derived.core["evidence"]["digest"] == derived.record["bundle_digest"] == digest(made)
    assert derived.core["evidence"]["parts_digest"] == digest(derived.parts)
    assert derived.record["core_digest"] == digest(derived.core)


def test_derivation_changes_nothing_and_repeats() -> None:
    made = content()
    before = copy.deepcopy(made)
    assert derive(made) == derive(made)
    assert made == before


def test_a_measurement_that_the_policy_weighs_may_not_be_left_out() -> None:
    made = content()
    made["results"]["semantic_faithfulness"]["measurements"].pop()
    with pytest.raises(JudgeError, match="delivered no measurement"):
        derive(made)


def test_an_error_is_never_a_scorecard() -> None:
    with pytest.raises(JudgeError, match="broke"):
        derive(content(answer_relevancy=absent("answer_relevancy", Status.ERROR, "broken")))
