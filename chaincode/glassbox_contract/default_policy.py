"""The default policy: three judges with the weights and targets that the product promises."""

from __future__ import annotations

from typing import Any

from glassbox_contract.policy import SCHEMA_VERSION
from glassbox_contract.policy_tree import ROOT, Node, leaf


def default_tree() -> Node:
    """Return the tree trust = 300 contextual precision + 400 semantic faithfulness + 300 structural fidelity."""
    calibration = Node(
        name="retrieval_calibration",
        op="mean",
        weight=300,
        children=(
            leaf("rank_agreement", "value"),
            leaf("distribution_agreement", "value"),
            leaf("entity_hit_rate", "ratio"),
            leaf("mean_similarity", "value"),
        ),
    )
    terminology = Node(
        name="nlp_score",
        op="hmean",
        weight=300,
        children=(leaf("aligned_bleu_4", "value"), leaf("aligned_rouge_l", "value")),
    )
    contextual = (leaf("contextual_precision", "bits", 700, over=850_000), calibration)
    semantic = (
        leaf("faithfulness", "claims", 600, over=950_000),
        leaf("answer_relevancy", "value", 400, over=800_000),
    )
    structural = (
        terminology,
        leaf("entity_precision", "ratio", 350, over=900_000),
        leaf("relation_faithfulness", "ratio", 350, over=900_000),
    )
    return Node(
        name=ROOT,
        op="mean",
        children=(
            Node(name="contextual_precision", op="mean", weight=300, children=contextual),
            Node(name="semantic_faithfulness", op="mean", weight=400, children=semantic),
            Node(name="structural_fidelity", op="mean", weight=300, children=structural),
        ),
    )


def default_policy() -> dict[str, Any]:
    """Return the default policy document, a fresh JSON object that `policy.parse_policy` accepts."""
    tree = default_tree()
    return {
        "schema_version": SCHEMA_VERSION,
        "name": "default",
        "tree": tree.to_json(),
        "bar": {"value": 800_000, "comparator": ">="},
        "flag_effects": {
            "contradicted_claim": "fail",
            "number_mismatch": "fail",
            "unwarranted_refusal": "fail",
            "injection_suspected": "inconclusive",
            "novel_entity": "review",
            "novel_relation": "review",
            "below_target": "review",
            "agent_drift": "info",
            "selective_copying": "info",
            "duplicate_passages": "info",
            "appropriate_refusal": "info",
            "language_unmeasured": "info",
        },
        "engines": {judge.name: "auto" for judge in tree.children},
        "judge_models": {},
        "terminology_reading": "aligned",
        "anonymisation": None,
        "retention_days": 3650,
        "open_on_ledger": False,
    }
