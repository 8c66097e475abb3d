from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from glassbox.metrics.rouge import PRF, rouge
from glassbox.metrics.rouge_summary import rouge_l_summary
from glassbox.metrics.tokens import UnicodeTokenizer

_DATA = Path(os.environ.get("GLASSBOX_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
_PARITY = _DATA / "rouge155_parity.jsonl"
_TYPES = ["rouge1", "rouge2", "rougeL"]
_words = st.lists(st.sampled_from(["a", "b", "C", "d.", "1,5", "e-f", "été", "桥", "٣"]), max_size=30).map(" ".join)


def _distance(ours: PRF, precision: float, recall: float, f1: float) -> float:
    return max(abs(ours.precision - precision), abs(ours.recall - recall), abs(ours.f1 - f1))


@given(_words, _words)
def test_every_value_equals_rouge_score_with_the_same_tokens(answer: str, reference: str) -> None:
    theirs = rouge_scorer.RougeScorer(_TYPES, tokenizer=UnicodeTokenizer()).score(reference, answer)
    ours = rouge(answer, reference)
    for mine, name in ((ours.rouge_1, "rouge1"), (ours.rouge_2, "rouge2"), (ours.rouge_l, "rougeL")):
        assert _distance(mine, *theirs[name]) <= 1e-9


def test_on_english_prose_every_value_equals_rouge_score_as_it_is_installed() -> None:
    scorer = rouge_scorer.RougeScorer([*_TYPES, "rougeLsum"])
    source = random.Random(11)
    words = [
        f"{word}{mark}"
        for word in ["the", "bridge", "opened", "town", "mayor", "river", "1,932", "old"]
        for mark in ("", ".", ",", "\n")
    ]
    for _ in range(200):
        answer, reference = (" ".join(source.choices(words, k=source.randint(0, 60))) for _ in range(2))
        theirs, ours = scorer.score(reference, answer), rouge(answer, reference)
        for mine, name in ((ours.rouge_1, "rouge1"), (ours.rouge_2, "rouge2"), (ours.rouge_l, "rougeL")):
            assert _distance(mine, *theirs[name]) <= 1e-9
        assert _distance(rouge_l_summary(answer, reference), *theirs["rougeLsum"]) <= 1e-9


@pytest.mark.skipif(not _PARITY.exists(), reason=f"the set rouge155_parity.jsonl is not at {_DATA}; set GLASSBOX_DATA")
def test_the_original_perl_script_gives_the_same_to_five_decimals() -> None:
    rows = [json.loads(line) for line in _PARITY.read_text("utf-8").splitlines()]
    assert len(rows) >= 100
    for row in rows:
        scores = rouge(row["hypothesis"], row["reference"])
        summary = rouge_l_summary(row["hypothesis"], row["reference"])
        for ours, name in ((scores.rouge_1, "ROUGE-1"), (scores.rouge_2, "ROUGE-2"), (summary, "ROUGE-L")):
            expected = row["rouge155"][name]
            assert _distance(ours, expected["p"], expected["r"], expected["f"]) <= 1e-5, (row["id"], name)


@given(_words, _words)
def test_values_lie_between_zero_and_one(answer: str, reference: str) -> None:
    scores = rouge(answer, reference)
    for prf in (scores.rouge_1, scores.rouge_2, scores.rouge_l, rouge_l_summary(answer, reference)):
        assert all(0.0 <= value <= 1.0 for value in (prf.precision, prf.recall, prf.f1))


@pytest.mark.parametrize(
    "text",
    [
        "The old bridge.",
        "桥很长。",
        "الجسر قديم",
        "पुल पुराना है।",
        "สะพาน เก่า",
        "Η γέφυρα είναι",
        "L’été à Orléans",
        "😀 👍",
        "الجسر 503 m",
    ],
)
def test_a_text_against_itself_is_exactly_one(text: str) -> None:
    scores = rouge(text, text)
    assert scores.rouge_1 == scores.rouge_2 == scores.rouge_l == rouge_l_summary(text, text) == PRF(1.0, 1.0, 1.0)


@pytest.mark.parametrize(("answer", "reference"), [("", ""), ("a", ""), ("", "a"), ("...", "a"), ("yes", "no")])
def test_nothing_in_common_is_zero(answer: str, reference: str) -> None:
    scores = rouge(answer, reference)
    assert (
        scores.rouge_1 == scores.rouge_2 == scores.rouge_l == rouge_l_summary(answer, reference) == PRF(0.0, 0.0, 0.0)
    )


def test_one_word_has_no_bigram() -> None:
    assert rouge("Oslo", "Oslo").rouge_2 == PRF(0.0, 0.0, 0.0)
    assert rouge("Oslo", "Oslo").rouge_l == PRF(1.0, 1.0, 1.0)


def test_all_of_the_terminology_metrics_take_a_fifth_of_rouge_score_at_most() -> None:
    from glassbox.metrics.alignment import align, document_scores

    source = random.Random(5)
    words = [f"w{number}" for number in range(3000)]

    def prose(length: int) -> str:
        return " ".join(
            f"{word}." if index % 20 == 19 else word for index, word in enumerate(source.choices(words, k=length))
        )

    def cost(work: object) -> float:
        start = time.process_time()
        work()  # type: ignore[operator]
        return time.process_time() - start

    answer, document = prose(200), prose(5000)
    scorer = rouge_scorer.RougeScorer(_TYPES)
    align("warm", ["warm"])
    ours = min(cost(lambda: (align(answer, [document]), document_scores(answer, [document]))) for _ in range(3))
    theirs = min(cost(lambda: scorer.score(document, answer)) for _ in range(3))
    assert ours <= theirs / 5
