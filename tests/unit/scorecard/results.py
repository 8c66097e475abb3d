"""Judges' results written by hand, as far as aggregation is concerned: leaves, flags, provenance."""

from __future__ import annotations

from typing import Any

from glassbox.contract.measurement import ClaimCounts, Flag, JudgeResult, Measurement, Status
from glassbox.contract.policy import Policy, built_in
from glassbox.scorecard.identity import evaluation_id

EMBEDDER = "embedder@sha256:" + "a" * 64


def absent(name: str, status: Status = Status.NOT_APPLICABLE, reason: str = "no_scores") -> Measurement:
    return Measurement.absent(name, status, reason, f"{name}|test")


def claims(supported: int, contradicted: int = 0, unsupported: int = 0, inconclusive: int = 0) -> Measurement:
    counts = ClaimCounts(
        supported=supported, contradicted=contradicted, unsupported=unsupported, inconclusive=inconclusive
    )
    decided = supported + contradicted + unsupported
    if not decided:
        return Measurement.absent(
            "faithfulness", Status.INCONCLUSIVE, "undecided_claims", "faithfulness|test", counts=counts
        )
    return Measurement.of_ratio("faithfulness", supported, decided, "faithfulness|test", counts=counts)


def bits(pattern: str) -> Measurement:
    from glassbox_contract.arithmetic import average_precision

    return Measurement(
        name="contextual_precision",
        status=Status.SCORED,
        micros=average_precision(pattern)[0],
        bits=pattern,
        signature="contextual_precision|test",
    )


def results(**replaced: Measurement | list[Flag]) -> dict[str, dict[str, Any]]:
    """Return results in which everything is perfect, but for the measurements and flags that are replaced."""
    leaves: dict[str, list[Measurement]] = {
        "contextual_precision": [
            bits("11"),
            Measurement.scored("rank_agreement", 1.0, "rank_agreement|test"),
            Measurement.scored("distribution_agreement", 1.0, "distribution_agreement|test"),
            absent("entity_hit_rate", reason="no_retrieved_entities"),
            absent("mean_similarity", reason="scores_reported"),
            Measurement.scored("share_relevant", 1.0, "share_relevant|test"),
        ],
        "semantic_faithfulness": [claims(20), Measurement.scored("answer_relevancy", 1.0, "answer_relevancy|test")],
        "structural_fidelity": [
            Measurement.scored("aligned_bleu_4", 1.0, "aligned_bleu_4|test"),
            Measurement.scored("aligned_rouge_l", 1.0, "aligned_rouge_l|test"),
            Measurement.of_ratio("entity_precision", 10, 10, "entity_precision|test"),
            Measurement.of_ratio("relation_faithfulness", 10, 10, "relation_faithfulness|test"),
        ],
    }
    flags = replaced.pop("flags", [])
    found = {}
    for judge, measurements in leaves.items():
        kept = tuple(replaced.get(m.name, m) for m in measurements)
        found[judge] = JudgeResult(
            judge=judge,
            question="Is it so?",
            engine="local",
            measurements=kept,  # type: ignore[arg-type]
            flags=tuple(flags) if judge == "semantic_faithfulness" else (),  # type: ignore[arg-type]
            models=(EMBEDDER,),
            libraries=("sacrebleu 2.6.0",),
        ).model_dump(mode="json")
    return found


def content(policy: Policy | None = None, **replaced: Any) -> dict[str, Any]:
    """Return a bundle's content with those results."""
    policy = policy or built_in("default")
    identity = {
        "tenant": "local",
        "idempotency_key": None,
        "request_hmac": "hmac-sha256:" + "b" * 64,
        "session_hmac": "hmac-sha256:" + "c" * 64,
    }
    return {
        "schema_version": "1",
        "evaluation_id": evaluation_id(
            tenant="local", key=identity["request_hmac"] or "", policy_digest=policy.digest, engine="local", attempt=0
        ),
        "attempt": 0,
        "supersedes": None,
        "created_at": "2026-03-01T12:00:00.000Z",
        "salt": "00" * 32,
        "identity": identity,
        "engine": "local",
        "request": {"query": "q", "answer": "a", "retrieved_passages": [{"text": "p"}], "session_id": "s-1"},
        "policy": policy.document,
        "results": {name: r for name, r in results(**replaced).items() if name in policy.judges},
        "runtime": {"glassbox": "0.1.0"},
    }
