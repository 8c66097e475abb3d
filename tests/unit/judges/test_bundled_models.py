"""The three judges with the bundled models: what a reader of the scorecard may expect of plain cases."""

from __future__ import annotations

import pytest

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.judges.registry import JUDGES, judge_named
from glassbox.judges.tools import Tools

from .support import codes, policy, real_models, request, value

SHIPPING = (
    "Ada Rowan founded Kestrel Shipping in Norrholm in March 1932. By 1950 the company owned 17 ships.",
    "After the Second World War Otto Brand became managing director of Kestrel Shipping. He lived in Lisbon.",
)
QUESTION = "Who founded Kestrel Shipping, and where?"


def run(answer: str, query: str = QUESTION, passages: tuple[str, ...] = SHIPPING) -> dict[str, JudgeResult]:
    made = request(query, answer, passages)
    return {name: judge_named(name)(made, policy(), Tools(models=real_models())) for name in JUDGES}


def faithfulness(answer: str, query: str = QUESTION, passages: tuple[str, ...] = SHIPPING) -> Measurement:
    return value(run(answer, query, passages)["semantic_faithfulness"], "faithfulness")


@pytest.mark.parametrize(
    "answer",
    [
        "Kestrel Shipping was founded by Ada Rowan in the town of Norrholm.",
        "Otto Brand led Kestrel Shipping as managing director after the war.",
        "The company had 17 ships by 1950.",
    ],
)
def test_a_fair_retelling_is_supported(answer: str) -> None:
    (item,) = faithfulness(answer).evidence
    assert item["verdict"] == "supported", item


@pytest.mark.parametrize(
    "answer",
    [
        "Kestrel Shipping was founded by Margaret Hale in Norrholm.",
        "Ada Rowan founded Kestrel Shipping in Rotterdam.",
        "By 1950 the company owned 71 ships.",
        "Ada Rowan did not found Kestrel Shipping.",
        "The company carried mail to Greenland under a royal charter.",
    ],
)
def test_a_wrong_name_number_polarity_or_invention_is_not(answer: str) -> None:
    (item,) = faithfulness(answer).evidence
    assert item["verdict"] in ("contradicted", "unsupported"), item


def test_a_wrong_number_and_a_wrong_name_are_named() -> None:
    results = run("Margaret Hale founded Kestrel Shipping. By 1950 the company owned 71 ships.")
    assert {"contradicted_claim", "number_mismatch"} <= set(codes(results["semantic_faithfulness"]))
    novel = [f.detail["entity"] for f in results["structural_fidelity"].flags if f.code == "novel_entity"]
    assert any("Hale" in name for name in novel)


def test_names_and_relations_of_a_true_answer_are_those_of_its_sources() -> None:
    result = run("Kestrel Shipping was founded by Ada Rowan in Norrholm.")["structural_fidelity"]
    assert value(result, "entity_precision").micros == 1_000_000
    assert value(result, "relation_faithfulness").micros in (1_000_000, None)
    assert {m.split("@")[0] for m in result.models} >= {real_models().entry("entities").name}


def test_every_measurement_is_a_number_between_zero_and_one_or_a_typed_absence_with_a_signature() -> None:
    for answer in ("Ada Rowan.", "%%%", "I don't know.", "| a | b |\n|---|---|\n| 1 | 2 |", "Да", "🚢"):
        for result in run(answer).values():
            for measured in result.measurements:
                assert (measured.micros is None) == (measured.reason is not None)
                assert measured.micros is None or 0 <= measured.micros <= 1_000_000
                assert measured.signature.startswith(f"{measured.name}|") and "version:" in measured.signature


def test_two_runs_give_the_same_bytes() -> None:
    answer = "Kestrel Shipping was founded by Ada Rowan. Otto Brand led it. It owned 17 ships by 1950."
    first, second = run(answer), run(answer)
    assert [r.model_dump_json() for r in first.values()] == [r.model_dump_json() for r in second.values()]
