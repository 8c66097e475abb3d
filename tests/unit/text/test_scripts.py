from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.scripts import bleu_tokenizer, dominant_script, guess_language
from tests.unit.text.strategies import texts

_CASES = [
    ("The bridge was opened by the mayor.", "en", "Latin", "13a"),
    ("Die Brücke wurde vom Bürgermeister eröffnet und ist lang.", "de", "Latin", "13a"),
    ("Le pont a été ouvert par le maire de la ville.", "fr", "Latin", "13a"),
    ("El puente fue abierto por el alcalde de la ciudad.", "es", "Latin", "13a"),
    ("Il ponte è stato aperto dal sindaco della città.", "it", "Latin", "13a"),
    ("A ponte foi aberta pelo prefeito da cidade, mas não é longa.", "pt", "Latin", "13a"),
    ("Most został otwarty przez burmistrza, ale nie jest długi.", "pl", "Latin", "13a"),
    ("De brug werd door de burgemeester geopend en is lang.", "nl", "Latin", "13a"),
    ("Мост открыл мэр города, и это было давно.", "ru", "Cyrillic", "intl"),
    ("Міст відкрив мер міста, і це було давно.", "uk", "Cyrillic", "intl"),
    ("Η γέφυρα άνοιξε το 1932.", "el", "Greek", "intl"),
    ("افتتح العمدة الجسر عام 1932.", "ar", "Arabic", "intl"),
    ("पुल 1932 में खुला था।", "hi", "Devanagari", "intl"),
    ("桥于1932年开放。", "zh", "Han", "char"),
    ("橋は1932年に開通しました。", "ja", "Hiragana", "char"),
    ("다리는 1932년에 개통되었다.", "ko", "Hangul", "intl"),
    ("สะพานเปิดในปี 1932", "th", "Thai", "char"),
    ("Oslo", "und", "Latin", "13a"),
    ("Acme Corporation Ltd", "und", "Latin", "13a"),
    ("1932", "und", "Common", "13a"),
    ("😀", "und", "Common", "13a"),
    ("", "und", "Common", "13a"),
]


@pytest.mark.parametrize(("text", "language", "script", "tokenizer"), _CASES)
def test_language_script_and_tokenizer_of_a_text(text: str, language: str, script: str, tokenizer: str) -> None:
    assert (guess_language(text), dominant_script(text), bleu_tokenizer(text)) == (language, script, tokenizer)


def test_a_foreign_name_does_not_change_the_tokenizer() -> None:
    assert bleu_tokenizer("The Greek name of the town is Αθήνα and it is very old indeed.") == "13a"
    assert bleu_tokenizer("The city of 東京 is big, as everybody knows who was there.") == "13a"


@given(texts)
def test_every_text_has_an_answer(text: str) -> None:
    assert dominant_script(text)
    assert bleu_tokenizer(text) in ("13a", "intl", "char")
    assert guess_language(text) == "und" or len(guess_language(text)) == 2
