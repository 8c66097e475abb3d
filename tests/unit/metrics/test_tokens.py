from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import tokenize as reference

from glassbox.metrics.tokens import UnicodeTokenizer, tokenize


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_gives_the_default_tokens_of_rouge_score(text: str) -> None:
    assert tokenize(text) == reference.tokenize(text, None)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("桥开放，很长。", ["桥", "开", "放", "很", "长"]),
        ("A股2023年", ["a", "股", "2023", "年"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("يبلغ 503 m", ["يبلغ", "503", "m"]),
        ("राजधानी है।", ["राजधानी", "है"]),
        ("L’été à Orléans", ["l", "été", "à", "orléans"]),
        ("Größe STRASSE straße", ["grösse", "strasse", "strasse"]),
        ("€1,234.50", ["1", "234", "50"]),
        ("I ❤️ 😀!", ["i", "❤", "😀"]),
        ("…—“”", []),
    ],
)
def test_other_text_gives_words_letters_and_emoji(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@given(st.text())
def test_the_class_that_rouge_score_takes_gives_the_same(text: str) -> None:
    assert UnicodeTokenizer().tokenize(text) == tokenize(text)
    assert tokenize(" ".join(tokenize(text))) == tokenize(text)
