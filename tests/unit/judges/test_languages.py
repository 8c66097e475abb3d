"""The language gate."""

from __future__ import annotations

import pytest

from glassbox.contract.request import Passage, Request
from glassbox.judges.languages import Languages

ENGLISH = "The harbour master closes the gate at ten in the evening and opens it at six in the morning."
GERMAN = "Der Hafenmeister schließt das Tor um zehn Uhr abends und öffnet es um sechs Uhr morgens wieder."


def of(query: str, answer: str, *passages: str) -> Languages:
    return Languages(Request(query=query, answer=answer, retrieved_passages=tuple(Passage(text=p) for p in passages)))


def test_a_short_text_takes_the_language_of_the_evaluation() -> None:
    assert of("When does the gate close?", "At ten.", ENGLISH).within("At ten.", ["en"])
    assert not of("Wann schließt das Tor?", "Um zehn.", GERMAN).within("Um zehn.", ["en"])


def test_a_text_without_letters_is_in_every_language() -> None:
    assert of("Wie viel?", "42", GERMAN).within("42 %", ["en"])


@pytest.mark.parametrize("text", ["افتتح الجسر", "大桥", "Η γέφυρα", "สะพาน", "पुल"])
def test_other_scripts_are_outside_however_short(text: str) -> None:
    assert not of(text, text, text).within(text, ["en"])


def test_the_flag_names_the_languages_met() -> None:
    languages = of("When?", "Um zehn.", ENGLISH, GERMAN)
    flag = languages.flag("faithfulness", [ENGLISH, GERMAN], ["en"])
    assert flag.detail == {"part": "faithfulness", "languages": ["de"], "measured": ["en"]}
