"""What the claim checker learns from: rewrites keep the meaning, changes break it in one known place."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "models" / "train"))

import claim_perturb as perturb
import claim_scoring as scoring
import claim_text as text
from claim_generate import CONTRADICTED, SUPPORTED, Document, Generator
from claim_pairs import minimal_pairs

SENTENCES = [
    "The Harland Bridge was opened on 4 May 1962 by Elena Marsh in Port Ansel.",
    "It is 340 metres long and carries more traffic than the older ferry.",
    "In 1988, the city of Brunholm paid 12 million dollars for new cables.",
    "Elena Marsh was not present when the Harland Bridge was closed for repairs.",
]
NAMES = [
    [("Harland Bridge", "LOC", 1), ("Elena Marsh", "PER", 2), ("Port Ansel", "LOC", 3)],
    [],
    [("Brunholm", "LOC", 4)],
    [("Elena Marsh", "PER", 2), ("Harland Bridge", "LOC", 1)],
]


@pytest.mark.parametrize(
    "change",
    [perturb.change_digit, perturb.change_year, perturb.change_month, perturb.change_value],
)
def test_a_changed_value_alters_one_place_and_keeps_every_other_word(change: object) -> None:
    for seed in range(50):
        changed = change(SENTENCES[0], Random(seed))  # type: ignore[operator]
        assert changed != SENTENCES[0]
        assert sum(perturb.wrong_words(SENTENCES[0], changed)) in (1, 2)


def test_a_unit_is_exchanged_for_one_of_its_kind() -> None:
    changed = {perturb.change_unit(SENTENCES[2], Random(seed)) for seed in range(20)}
    assert changed == {SENTENCES[2].replace("million", other) for other in ("billion", "thousand")}


def test_negation_is_put_in_where_there_is_none_and_taken_out_where_there_is() -> None:
    assert " not " in (perturb.negate("The gate is open at night.", Random(2)) or "").replace("never", "not")
    assert perturb.negate(SENTENCES[3], Random(0)) == SENTENCES[3].replace("was not", "was")
    assert perturb.negate("The mayor wrote it.", Random(0)) in (
        "The mayor did not write it.",
        "The mayor never wrote it.",
    )


def test_two_names_of_a_sentence_change_places() -> None:
    crossed = perturb.swap_within("Brunholm lies north of Port Ansel.", ["Brunholm", "Port Ansel"], Random(0))
    assert crossed == "Port Ansel lies north of Brunholm."


def test_a_rule_without_anything_to_change_returns_none() -> None:
    for rule in (perturb.change_digit, perturb.change_year, perturb.change_unit, perturb.change_weekday):
        assert rule("Nobody came.", Random(0)) is None


def test_a_date_rewrite_names_the_same_day() -> None:
    written = {text.rewrite_dates(SENTENCES[0], Random(seed)) for seed in range(30)}
    assert written == {SENTENCES[0].replace("4 May 1962", other) for other in ("May 4, 1962", "1962-05-04")}


def test_a_leading_adverbial_moves_to_the_end() -> None:
    moved = text.move_adverbial(SENTENCES[2], Random(0))
    assert moved == "The city of Brunholm paid 12 million dollars for new cables in 1988."


def test_sentences_do_not_end_at_abbreviations() -> None:
    assert text.split_sentences("Dr. Marsh came. She spoke to Mr. Oduya.\nThen she left.") == [
        "Dr. Marsh came.",
        "She spoke to Mr. Oduya.",
        "Then she left.",
    ]


def test_sentence_splitting_takes_linear_time_on_hostile_text() -> None:
    assert len(text.split_sentences("." * 200_000 + "A. " * 50_000)) >= 1
    assert text.split_sentences(" " * 500_000) == []


def test_generated_claims_are_reproducible_and_wrong_words_match_the_claim() -> None:
    document = Document("redocred:bridge", SENTENCES, NAMES, "Harland Bridge", "LOC", [(1, "P131", 3, [0])])
    runs = [[example for _ in range(20) for example in Generator([document], 5).examples(document)] for _ in range(2)]
    assert runs[0] == runs[1]
    examples = [e for seed in range(40) for e in Generator([document], seed).examples(document)]
    assert {SUPPORTED, CONTRADICTED} <= {example.label for example in examples}
    for example in examples:
        if example.wrong is not None:
            assert len(example.wrong) == len(example.claim.split())
            assert any(example.wrong) == (example.label != SUPPORTED)


def test_a_minimal_pair_differs_and_its_false_half_is_not_in_the_window() -> None:
    pairs = minimal_pairs([" ".join(SENTENCES)] * 30, 4, 1)
    assert {pair.kind for pair in pairs} >= {"number", "date", "negation", "comparison"}
    assert all(pair.true != pair.false and pair.false not in pair.passage for pair in pairs)


def test_windows_cover_every_sentence_and_stay_short() -> None:
    passage = " ".join(f"Sentence number {i} tells of stone {i}." for i in range(23))
    windows = scoring.evidence_windows([passage])
    assert all(any(f"stone {i}." in window for window in windows) for i in range(23))
    assert all(len(text.split_sentences(window)) <= scoring.WINDOW_SENTENCES for window in windows)
    assert max(len(w.split()) for w in scoring.evidence_windows(["word " * 5000])) <= scoring.WINDOW_WORDS


def test_the_fit_recovers_the_direction_of_the_evidence() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(400, 2))
    truths = (rows @ np.array([2.0, 0.5]) + rng.normal(size=400) > 0).astype(float)
    first, second, _ = scoring.fit(rows, truths)
    assert first > second > 0
    chances = scoring.probability(rows, scoring.fit(rows, truths))
    assert abs(chances.mean() - truths.mean()) < 0.01
