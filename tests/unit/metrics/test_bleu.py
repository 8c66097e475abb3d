from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from glassbox.metrics.bleu import bleu
from glassbox.text.scripts import BleuTokenizer

_texts = st.lists(
    st.sampled_from(["a", "b", "C", "d.", "1,5", "e-f", "été", "桥", "है।", "&amp;", "<skipped>", "-\n"]), max_size=30
).map(" ".join)


@given(_texts, st.lists(_texts, min_size=1, max_size=4), st.sampled_from(["13a", "intl", "char"]))
def test_every_order_equals_sacrebleu(answer: str, references: list[str], tokenizer: BleuTokenizer) -> None:
    ours = bleu(answer, references, tokenizer)
    for order, value in enumerate((ours.bleu_1, ours.bleu_2, ours.bleu_3, ours.bleu_4), start=1):
        scorer = BLEU(max_ngram_order=order, effective_order=True, tokenize=tokenizer)
        expected = scorer.sentence_score(answer, references).score / 100
        assert abs(value - min(1.0, expected)) <= 1e-9
        assert 0.0 <= value <= 1.0
        assert ours.signature == f"BLEU|{scorer.get_signature()}"


@pytest.mark.parametrize(
    "text",
    [
        "Oslo",
        "yes",
        "The old bridge.",
        "桥很长。",
        "الجسر قديم",
        "पुल पुराना है।",
        "สะพานเก่า",
        "Η γέφυρα",
        "L’été à Orléans",
        "😀 👍",
        "الجسر 503 m",
        "...",
    ],
)
def test_a_text_against_itself_is_exactly_one_at_every_length(text: str) -> None:
    scores = bleu(text, [text])
    assert (scores.bleu_1, scores.bleu_2, scores.bleu_3, scores.bleu_4) == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(("answer", "references"), [("", ["a"]), ("a", [""]), ("a", []), ("", []), ("yes", ["no"])])
def test_nothing_in_common_is_zero(answer: str, references: list[str]) -> None:
    scores = bleu(answer, references)
    assert (scores.bleu_1, scores.bleu_2, scores.bleu_3, scores.bleu_4) == (0.0, 0.0, 0.0, 0.0)


def test_the_script_of_the_answer_chooses_the_tokenizer() -> None:
    assert "tok:char" in bleu("桥很长", ["桥"]).signature
    assert "tok:intl" in bleu("Η γέφυρα", ["Η"]).signature
    assert "tok:13a" in bleu("The bridge", ["The"]).signature


def test_the_metrics_load_neither_nltk_nor_torch() -> None:
    code = (
        "import sys, glassbox.metrics.alignment\n"
        "print([name for name in ('nltk', 'torch', 'rouge_score', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_evaluated_text_is_kept_by_the_tokenizer_of_the_library() -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    before = Tokenizer13a.__call__.cache_info().currsize
    bleu("A sentence that nobody else has.", ["Another sentence of ours."], "13a")
    assert Tokenizer13a.__call__.cache_info().currsize == before
