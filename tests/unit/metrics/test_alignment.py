from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from glassbox.metrics.alignment import align, document_scores, is_selective_copying, rouge_1_precision_baseline
from glassbox.metrics.rouge import PRF, rouge
from tests.unit.text.strategies import texts

_SOURCE = (
    "The bridge at Lomvik was opened in 1932 by the mayor. It is 503 m long and carries two lanes. "
    "Before that a ferry crossed the sound every hour. The ferry is a museum today."
)
SCRIPTS = {
    "one word": "Oslo",
    "english": _SOURCE,
    "chinese": "桥于1932年开放。它很长！真的吗？",
    "arabic with digits": "افتتح الجسر عام 1932. يبلغ طوله 503 m.",
    "hindi": "पुल 1932 में खुला। वह लंबा है।",
    "thai": "สะพานนี้เปิดใช้งานเมื่อนานมาแล้ว มีความยาว 503 เมตร",
    "greek": "Η γέφυρα άνοιξε το 1932. Είναι μακριά;",
    "accented latin": "L’été à Orléans dépasse 35 °C. C’est très chaud.",
    "emoji": "😀😀 👍🏽",
    "table": "| City | People |\n|---|---|\n| Oslo | 700,000 |",
    "code": "```\nx = 1\n```",
    "list": "1. Oslo is a city. 2. Bergen is another.\n- a third",
    "mixed": "The word 桥 means bridge. الجسر is another. 😀",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_text_aligned_with_itself_is_exactly_one(name: str) -> None:
    text = SCRIPTS[name]
    found = align(text, [text])
    assert (found.aligned_bleu_4, found.aligned_rouge_l) == (1.0, 1.0)
    document = document_scores(text, [text])
    assert (document.bleu.bleu_4, document.rouge.rouge_l.f1) == (1.0, 1.0)


def test_a_quoted_sentence_is_found_in_a_long_source_where_the_whole_document_says_nothing() -> None:
    filler = " ".join(f"Sentence number {number} speaks of something else entirely." for number in range(400))
    answer = "Before that a ferry crossed the sound every hour."
    found = align(answer, [filler, f"{filler} {_SOURCE}"])
    assert (found.aligned_bleu_4, found.aligned_rouge_l) == (1.0, 1.0)
    assert document_scores(answer, [filler, _SOURCE]).bleu.bleu_4 < 0.001
    source, start, end = found.sentences[0].windows[0]
    assert (source, f"{filler} {_SOURCE}"[start:end]) == (1, answer)


def test_a_sentence_score_is_sacrebleu_with_the_windows_as_references() -> None:
    answer = "The bridge was opened in 1932 by a minister. A ferry is a museum."
    sources = [_SOURCE, "The mayor opened the bridge."]
    for sentence in align(answer, sources).sentences:
        references = [sources[window.source][window.start : window.end] for window in sentence.windows]
        text = answer[sentence.start : sentence.end]
        assert 0 < len(references) <= 10
        assert abs(sentence.bleu_4 - BLEU(effective_order=True).sentence_score(text, references).score / 100) <= 1e-9
        assert sentence.rouge_l == max(rouge(text, reference).rouge_l.f1 for reference in references)


def test_sentences_weigh_by_their_tokens() -> None:
    found = align("The ferry is a museum today. Xyzzy.", [_SOURCE])
    assert [(s.tokens, s.bleu_4, s.rouge_l) for s in found.sentences] == [(6, 1.0, 1.0), (1, 0.0, 0.0)]
    assert found.aligned_bleu_4 == found.aligned_rouge_l == pytest.approx(6 / 7)


@pytest.mark.parametrize("answer", ["", "  ", "!!!", "---", "…"])
def test_an_answer_without_tokens_is_not_measured(answer: str) -> None:
    found = align(answer, [_SOURCE])
    assert (found.aligned_bleu_4, found.aligned_rouge_l, found.sentences) == (None, None, ())


@pytest.mark.parametrize("sources", [[], [""], ["   "], ["..."], ["xyzzy"]])
def test_an_answer_without_anything_in_common_scores_zero(sources: list[str]) -> None:
    found = align("The bridge is old.", sources)
    assert (found.aligned_bleu_4, found.aligned_rouge_l) == (0.0, 0.0)


def test_a_short_identical_word_is_one_and_a_different_one_zero() -> None:
    assert align("Oslo", ["Oslo"]).aligned_bleu_4 == 1.0
    assert align("yes", ["no"]).aligned_bleu_4 == 0.0


def test_repeated_sources_change_nothing() -> None:
    answer = "The bridge was opened in 1932 by a minister."
    once, thrice = align(answer, [_SOURCE]), align(answer, [_SOURCE] * 3)
    assert once.aligned_rouge_l == thrice.aligned_rouge_l


@given(texts, st.lists(texts, max_size=3))
def test_scores_lie_between_zero_and_one_and_evidence_inside_its_texts(answer: str, sources: list[str]) -> None:
    found = align(answer, sources)
    for score in (found.aligned_bleu_4, found.aligned_rouge_l):
        assert score is None or 0.0 <= score <= 1.0
    for sentence in found.sentences:
        assert 0 <= sentence.start < sentence.end <= len(answer)
        assert len(sentence.windows) <= 10
        for source, start, end in sentence.windows:
            assert 0 <= start < end <= len(sources[source])


@given(texts)
def test_any_text_with_tokens_aligned_with_itself_has_rouge_one(text: str) -> None:
    found = align(text, [text])
    assert found.aligned_rouge_l in (None, 1.0)


def test_the_signatures_name_every_setting() -> None:
    found = align("The bridge.", [_SOURCE])
    assert found.bleu_signature.startswith("aligned-BLEU|nrefs:var|case:mixed|eff:yes|tok:13a|smooth:exp|version:")
    assert "windows:1+2|candidates:10|weight:tokens" in found.bleu_signature
    assert found.rouge_signature.startswith("aligned-ROUGE|case:lower|stem:no|tok:unicode-1|agg:max|")


def test_the_baseline_is_the_share_of_answer_tokens_in_the_sources() -> None:
    assert rouge_1_precision_baseline("The mayor sings.", [_SOURCE]) == pytest.approx(2 / 3)
    assert rouge_1_precision_baseline("", [_SOURCE]) == 0.0


@pytest.mark.parametrize(
    ("precision", "recall", "expected"), [(0.3, 0.9, True), (0.59, 0.6, True), (0.6, 0.9, False), (0.3, 0.5, False)]
)
def test_selective_copying_is_high_recall_with_low_precision(precision: float, recall: float, expected: bool) -> None:
    assert is_selective_copying(PRF(precision, recall, 0.5)) is expected


def test_selective_copying_is_seen_in_an_answer_that_adds_as_much_as_it_copies() -> None:
    invented = (
        "Its towers were painted green by a famous artist who later sold them to visitors from abroad for charity."
    )
    answer = (
        f"{_SOURCE} {invented} {invented.upper()} Nobody had expected such generosity from him at that point in life."
    )
    assert is_selective_copying(document_scores(answer, [_SOURCE]).rouge.rouge_1)
    assert not is_selective_copying(document_scores(_SOURCE, [_SOURCE]).rouge.rouge_1)


@pytest.mark.long
def test_a_source_of_a_hundred_thousand_words_costs_no_more_than_reading_it_a_few_times() -> None:
    import time

    source = " ".join(
        f"Sentence {number} of the long report names the {number % 97}th item." for number in range(10_000)
    )
    answer = " ".join(f"Sentence {number} names the {number}th item." for number in range(40))

    def cost(text: str) -> float:
        start = time.process_time()
        align(answer, [text])
        return time.process_time() - start

    align("warm", ["warm"])
    assert cost(source) <= 40 * max(cost(source[: len(source) // 10]), 0.005)
