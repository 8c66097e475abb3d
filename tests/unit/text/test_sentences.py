from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.sentences import split_sentences
from tests.unit.text.strategies import texts


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Holm paid $3.50 to J. R. Olsen.", "She left at 5 p.m.", "The U.S. Army came."],
        ["It weighs approx. 4.25 kg, i.e. little.", "See fig. 3 for No. 5."],
        ["Am 3. März 2021 war es kalt.", "Der 2. Weltkrieg endete 1945.", "Danach kam Frieden."],
        ['He said "Stop."', "Then he left.", '"Why?" she asked.', "Wait... what?", "Yes!"],
        ["桥于1932年开放。", "它很长！", "真的吗？", "是的"],
        ["هل هذا صحيح؟", "نعم.", "انتهى۔"],
        ["यह सच है।", "वह गया।"],
        ["Τι είναι;", "Είναι καλό."],
        ["Acme Inc. announced it.", "They sold Acme Inc.", "The price was low."],
        ["Version 3.11 is out.", "Visit example.com today."],
        ["The vitamin is C.", "The body needs it."],
        ["M. Dupont est arrivé.", "Il est parti à 10 h."],
        ["One sentence without an end"],
    ],
)
def test_a_text_falls_into_its_sentences(expected: list[str]) -> None:
    joint = "" if "。" in expected[0] else " "
    assert sentences(joint.join(expected)) == expected


def test_the_marker_of_a_list_item_ends_no_sentence() -> None:
    assert sentences("1. Oslo is a city. 2. Bergen is another.") == ["1. Oslo is a city.", "2. Bergen is another."]


def test_an_empty_line_and_a_short_line_end_a_sentence_and_a_wrapped_line_does_not() -> None:
    wrapped = "The long opening line of this paragraph runs to the margin of\nthe page and goes on."
    assert sentences(f"Heading\n{wrapped}\n\n- first\n- second") == ["Heading", wrapped, "- first", "- second"]


def test_thai_is_split_at_spaces_between_its_letters_but_not_beside_numbers() -> None:
    found = sentences("สะพานนี้เปิดใช้งานเมื่อนานมาแล้ว มีความยาว 503 เมตร")
    assert found == ["สะพานนี้เปิดใช้งานเมื่อนานมาแล้ว", "มีความยาว 503 เมตร"]


@pytest.mark.parametrize("number", ["3.14", "1,234.50", "10.000.000", "2021.03.03", "12.5%", "0.5", "3.11.7"])
def test_no_number_is_split(number: str) -> None:
    assert sentences(f"It was {number} then.") == [f"It was {number} then."]


@given(texts)
def test_spans_are_ordered_disjoint_trimmed_and_leave_only_white_space_out(text: str) -> None:
    spans = split_sentences(text)
    covered = 0
    for span in spans:
        assert covered <= span.start < span.end <= len(text)
        assert not text[covered : span.start].strip()
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        covered = span.end
    assert not text[covered:].strip()


@pytest.mark.parametrize("unit", [". ", ".", "\n", " ", "a", "A.\n", "1.", "'", ".'", "ก ", ";", " \n\t", "。", "\r"])
def test_a_hostile_text_of_one_repeated_unit_is_split_too(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert sum(span.end - span.start for span in split_sentences(text)) <= len(text)
