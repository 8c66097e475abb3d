"""Outside the measured languages only exact evidence decides."""

from __future__ import annotations

import pytest

from glassbox.contract.measurement import JudgeResult, Status
from glassbox.judges.semantic_faithfulness import judge
from glassbox.judges.tools import Tools

from .support import Models, ScriptedChecker, codes, policy, request, value

SAME = {
    "zh": ("大桥什么时候通车？", "大桥于1932年通车，全长503米。", "大桥于1932年通车。"),
    "ar": ("متى افتتح الميناء؟", "افتتح الميناء عام 1932 بطول 503 m.", "افتتح الميناء عام 1932."),
    "hi": ("पुल कब खुला?", "पुल 1932 में खोला गया था और यह 503 मीटर लंबा है।", "पुल 1932 में खोला गया था।"),
    "th": ("สะพานเปิดเมื่อใด", "สะพานเปิดใช้งานในปี 1932 และยาว 503 เมตร", "สะพานเปิดใช้งานในปี 1932"),
    "el": ("Πότε άνοιξε η γέφυρα;", "Η γέφυρα άνοιξε το 1932 και έχει μήκος 503 μέτρα.", "Η γέφυρα άνοιξε το 1932."),
    "fr": (
        "Quand le pont a-t-il été ouvert ?",
        "Le pont a été ouvert au public en 1932 par la reine.",
        "Le pont a été ouvert en 1932.",
    ),
}


def run(query: str, answer: str, *passages: str) -> tuple[JudgeResult, Models]:
    models = Models(claims=ScriptedChecker(a=(0.99, 0.0)))
    return judge(request(query, answer, passages), policy(), Tools(models=models)), models


@pytest.mark.parametrize("language", SAME)
def test_what_stands_in_the_passage_is_supported_in_every_language(language: str) -> None:
    query, passage, answer = SAME[language]
    result, models = run(query, answer, passage)
    assert value(result, "faithfulness").micros == 1_000_000
    assert "claims" not in models.opened


def test_a_fee_told_in_other_polish_words_is_supported_by_its_numbers() -> None:
    passage = (
        "Prowadzenie rachunku kosztuje 0 zł przy wpływach na rachunek co najmniej 500 zł miesięcznie, "
        "w przeciwnym razie 8 zł."
    )
    answer = "Rachunek kosztuje 0 zł, jeśli wpływy na rachunek to co najmniej 500 zł w miesiącu, inaczej 8 zł."
    result, _ = run("Ile kosztuje prowadzenie rachunku?", answer, passage)
    assert [e["verdict"] for e in value(result, "faithfulness").evidence] == ["supported"]


def test_a_number_conflict_contradicts_in_every_language() -> None:
    result, _ = run("Quand le pont a-t-il été ouvert ?", "Le pont a été ouvert en 1952.", SAME["fr"][1])
    assert [e["verdict"] for e in value(result, "faithfulness").evidence] == ["contradicted"]
    assert "number_mismatch" in codes(result)


def test_a_negation_is_no_near_copy() -> None:
    result, _ = run("Le pont est-il ouvert ?", "Le pont n'est pas ouvert au public.", "Le pont est ouvert au public.")
    assert [e["verdict"] for e in value(result, "faithfulness").evidence] != ["supported"]


def test_a_free_retelling_stays_open_for_want_of_a_measured_model() -> None:
    result, models = run(
        "Quand le pont a-t-il été ouvert ?",
        "La traversée est possible depuis le règne de la souveraine.",
        SAME["fr"][1],
    )
    measured = value(result, "faithfulness")
    assert (measured.status, measured.reason) == (Status.INCONCLUSIVE, "language")
    assert "language_unmeasured" in codes(result) and "claims" not in models.opened


def test_relevancy_outside_the_embedders_languages_is_inconclusive() -> None:
    result, _ = run(*[SAME["fr"][i] for i in (0, 2, 1)])
    assert (value(result, "answer_relevancy").status, value(result, "answer_relevancy").reason) == (
        Status.INCONCLUSIVE,
        "language",
    )


def test_a_foreign_passage_keeps_an_unsupported_claim_open_and_a_supported_one_supported() -> None:
    english = "The bridge was opened by the queen and carries two tracks of the northern railway."
    models = Models(claims=ScriptedChecker(railway=(0.97, 0.0), river=(0.02, 0.1)))
    answer = "A railway of two tracks runs over the bridge. The river below it is frozen for most of the year."
    made = request("What runs over the bridge?", answer, [english, SAME["fr"][1]])
    result = judge(made, policy(), Tools(models=models))
    assert [e["verdict"] for e in value(result, "faithfulness").evidence] == ["supported", "inconclusive"]
