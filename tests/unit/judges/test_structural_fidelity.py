"""Judge 3: terms, entities and relations. Entity and relation models are scripted where a test is about the rules."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.measurement import JudgeResult, Status
from glassbox.judges.structural_fidelity import judge
from glassbox.judges.tools import Tools

from .support import Models, NamedEntities, VerbRelations, codes, policy, request, value

NAMES = {
    "Ada_Rowan": "person",
    "Norrholm": "location",
    "International_Business_Machines": "organization",
    "IBM": "organization",
    "Kestrel_Shipping": "organization",
    "Otto_Brand": "person",
}
SOURCE = "Ada Rowan founded Kestrel Shipping in Norrholm in March 1932. The company owned 17 ships by 1950."


def run(
    answer: str, passages: list[Any] | None = None, changes: dict[str, Any] | None = None, **more: Any
) -> JudgeResult:
    models = Models(entities=NamedEntities(**NAMES), relations=VerbRelations("founded", "leads", "lives"))
    made = request("Who founded it?", answer, [SOURCE] if passages is None else passages, **more)
    return judge(made, policy(**(changes or {})), Tools(models=models))


def test_a_quote_of_the_source_keeps_every_term_and_name() -> None:
    result = run("Ada Rowan founded Kestrel Shipping in Norrholm in March 1932.")
    assert value(result, "aligned_bleu_4").micros == 1_000_000
    assert value(result, "aligned_rouge_l").micros == 1_000_000
    assert value(result, "entity_precision").micros == 1_000_000
    assert value(result, "relation_faithfulness").micros == 1_000_000
    assert codes(result) == []


@pytest.mark.parametrize(
    "text",
    [
        "Paris",
        "大桥于1932年通车。",
        "افتتح الجسر عام 1932 بطول 503 m.",
        "पुल 1932 में खोला गया था।",
        "สะพานเปิดใช้งานในปี 1932",
        "Η γέφυρα άνοιξε το 1932.",
        "L'été, le café est fermé à Évian.",
        "🚢 ⚓ 🏝️",
    ],
)
def test_identical_text_scores_one_in_every_script(text: str) -> None:
    result = run(text, [text])
    assert value(result, "aligned_bleu_4").micros == 1_000_000
    assert value(result, "aligned_rouge_l").micros == 1_000_000


def test_texts_without_a_common_word_score_zero() -> None:
    result = run("yes", ["no"])
    assert value(result, "aligned_bleu_4").micros == value(result, "aligned_rouge_l").micros == 0


def test_whole_document_numbers_stand_beside_the_aligned_ones() -> None:
    long_source = " ".join(f"Ship number {i} carried grain to the north." for i in range(400)) + " " + SOURCE
    result = run("Ada Rowan founded Kestrel Shipping in Norrholm in March 1932.", [long_source])
    assert value(result, "aligned_bleu_4").micros == 1_000_000
    assert (value(result, "bleu_4").micros or 0) < 1_000
    assert value(result, "rouge_l").detail["precision"] == 1.0
    assert value(result, "rouge_1_precision_baseline").micros == 1_000_000


def test_each_aligned_sentence_names_its_windows_in_the_sources() -> None:
    answer = "Ada Rowan founded Kestrel Shipping. It owned 17 ships."
    for item in value(run(answer), "aligned_bleu_4").evidence:
        assert answer[item["start"] : item["end"]]
        for window in item["windows"]:
            assert SOURCE[window["start"] : window["end"]]


def test_a_name_that_no_source_holds_is_flagged_with_its_span() -> None:
    answer = "Otto Brand founded Kestrel Shipping."
    result = run(answer)
    precision = value(result, "entity_precision")
    assert (precision.num, precision.den) == (1, 2)
    (flag,) = [flag for flag in result.flags if flag.code == "novel_entity"]
    assert flag.detail == {"entity": "Otto Brand", "label": "person", "start": 0, "end": 10}


def test_a_relation_between_names_that_the_sources_never_relate_is_flagged() -> None:
    sources = ["Ada Rowan founded Kestrel Shipping.", "Otto Brand lives in Norrholm."]
    result = run("Otto Brand founded Kestrel Shipping.", sources)
    assert value(result, "entity_precision").micros == 1_000_000
    relation = value(result, "relation_faithfulness")
    assert (relation.num, relation.den) == (0, 1)
    (flag,) = result.flags
    assert flag.code == "novel_relation"
    assert (flag.detail["subject"], flag.detail["object"]) == ("Otto Brand", "Kestrel Shipping")


def test_the_predicate_is_not_required_to_be_the_same() -> None:
    result = run("Ada Rowan leads Kestrel Shipping.")
    assert value(result, "relation_faithfulness").micros == 1_000_000
    assert value(result, "relation_faithfulness").evidence[0]["match"] == "related"


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("IBM owned it.", "International Business Machines (IBM) owned the yard."),
        ("International Business Machines owned it.", "IBM (International Business Machines) owned the yard."),
        ("International Business Machines (IBM) owned it.", "The yard was owned by IBM."),
        ("the kestrel shipping office".replace("kestrel shipping", "Kestrel Shipping"), "KESTREL SHIPPING'S office"),
    ],
)
def test_spellings_of_one_name_are_one_name(answer: str, source: str) -> None:
    assert value(run(answer, [source]), "entity_precision").micros == 1_000_000


def test_dates_and_amounts_count_as_entities_and_meet_in_other_forms() -> None:
    source = "Kestrel Shipping was sold on 2021-03-03 for 3,400 million dollars."
    result = run("Kestrel Shipping was sold on 3 March 2021 for $3.4 billion.", [source])
    precision = value(result, "entity_precision")
    assert precision.micros == 1_000_000 and precision.den == 3
    changed = run("Kestrel Shipping was sold on 4 March 2021 for $3.4 billion.", [source])
    assert value(changed, "entity_precision").num == 2


def test_an_entity_named_twice_counts_once() -> None:
    precision = value(run("Norrholm is small. Norrholm is cold."), "entity_precision")
    assert precision.den == 1 and len(precision.evidence[0]["spans"]) == 2


def test_no_entities_is_not_applicable_and_not_one() -> None:
    result = run("It was founded long ago.")
    assert value(result, "entity_precision").reason == "no_entities"
    assert value(result, "relation_faithfulness").reason == "no_relations"
    assert {value(result, n).status for n in ("entity_precision", "relation_faithfulness")} == {Status.NOT_APPLICABLE}


def test_coverage_is_the_share_of_source_names_that_the_answer_mentions() -> None:
    coverage = value(run("Ada Rowan founded Kestrel Shipping."), "source_coverage")
    assert (coverage.num, coverage.den) == (2, 3)


def test_source_documents_take_the_place_of_the_passages() -> None:
    result = run(
        "Otto Brand founded Kestrel Shipping.", [SOURCE], source_documents=["Otto Brand founded Kestrel Shipping."]
    )
    assert value(result, "entity_precision").micros == 1_000_000
    assert "sources:documents" in value(result, "entity_precision").signature


def test_a_long_source_is_searched_for_its_names_near_the_answer_and_says_so() -> None:
    filler = [f"Ship number {i} carried grain to the north and came back with timber." for i in range(4000)]
    filler[2500] = "Otto Brand lives in Norrholm."
    result = run("Otto Brand lives in Norrholm.", [" ".join(filler)])
    coverage = value(result, "source_coverage")
    assert coverage.detail["source_characters"] > 200_000 > coverage.detail["source_characters_read"] > 0
    assert (coverage.num, coverage.den) == (2, 2)
    assert value(result, "entity_precision").micros == value(result, "relation_faithfulness").micros == 1_000_000


@pytest.mark.parametrize(
    ("answer", "passages", "reason"),
    [("", [SOURCE], "empty_answer"), ("I don't know.", [SOURCE], "refusal"), ("Ada Rowan did.", [" "], "no_sources")],
)
def test_where_there_is_nothing_to_compare_no_model_is_opened(answer: str, passages: list[str], reason: str) -> None:
    models = Models()
    result = judge(request("Who?", answer, passages), policy(), Tools(models=models))
    assert {(m.status, m.reason) for m in result.measurements} == {(Status.NOT_APPLICABLE, reason)}
    assert models.opened == [] and result.engine is None


def test_parts_can_be_switched_off_one_by_one() -> None:
    answer = "Ada Rowan founded Kestrel Shipping."
    result = run(answer, changes={"disable": ["structural_fidelity/relation_faithfulness"]})
    assert value(result, "relation_faithfulness").status is Status.SKIPPED
    assert value(result, "entity_precision").status is Status.SCORED
    models = Models()
    words_only = policy(disable=["structural_fidelity/relation_faithfulness", "structural_fidelity/entity_precision"])
    result = judge(request("Who?", answer, [SOURCE]), words_only, Tools(models=models))
    assert models.opened == [] and value(result, "aligned_bleu_4").status is Status.SCORED


def test_outside_the_measured_languages_names_are_not_looked_for() -> None:
    text = "La compagnie a été fondée par Ada Rowan dans le port de Norrholm et elle y est restée."
    result = run(text, [text])
    assert value(result, "entity_precision").reason == value(result, "relation_faithfulness").reason == "language"
    assert value(result, "aligned_bleu_4").micros == 1_000_000
    assert set(codes(result)) == {"language_unmeasured"}


def test_much_copied_and_much_added_is_selective_copying() -> None:
    source = "Ada Rowan founded Kestrel Shipping in Norrholm."
    added = " ".join(f"Nobody saw harbour {i} burn that night." for i in range(6))
    assert "selective_copying" in codes(run(f"{source} {added}", [source]))
    assert "selective_copying" not in codes(run(source, [source]))


def test_the_document_reading_hands_over_the_leaves_that_its_policy_weighs() -> None:
    result = run("Ada Rowan founded Kestrel Shipping.", changes={"terminology_reading": "document"})
    assert value(result, "bleu_4").status is value(result, "rouge_l").status is Status.SCORED


def test_equal_requests_give_equal_bytes() -> None:
    answer = "Otto Brand founded Kestrel Shipping in 1950."
    assert run(answer).model_dump_json() == run(answer).model_dump_json()


def test_a_name_may_lose_its_title_or_company_form() -> None:
    source = "Doctor Ada Rowan and Kestrel Shipping signed the lease of the yard."
    models = Models(
        entities=NamedEntities(**{"Dr. Ada Rowan": "person", "Kestrel Shipping Ltd.": "organization"}),
        relations=VerbRelations(),
    )
    made = request("Who signed?", "Dr. Ada Rowan and Kestrel Shipping Ltd. signed it.", [source])
    precision = value(judge(made, policy(), Tools(models=models)), "entity_precision")
    assert precision.micros == 1_000_000
    assert {item["match"] for item in precision.evidence} == {"core"}


def test_beside_a_foreign_source_only_names_that_stand_literally_count() -> None:
    french = "La compagnie a été fondée dans le port par les marins de la ville et elle y est restée."
    found = run("Ada Rowan founded Kestrel Shipping.", [SOURCE, french])
    assert value(found, "entity_precision").micros == 1_000_000
    unknown = run("Otto Brand founded Kestrel Shipping.", [SOURCE, french])
    assert value(unknown, "entity_precision").reason == "language"
    assert "novel_entity" not in codes(unknown)
