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


def test_headings_around_an_english_text_do_not_make_it_another_language() -> None:
    text = (
        "No. 5: Do as a pro, de luxe a la carte. Latest News. E-mail a colega. "
        "The club announced that the player, who has been with them since May, would not return from this loan."
    )
    assert of("Who returns?", "Nobody.", text).within(text, ["en"])


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        "O porto fecha às dez da noite e abre às seis da manhã, como diz o aviso que está na porta de entrada.",
        "De haven sluit om tien uur in de avond en gaat om zes uur in de ochtend weer open voor het verkeer.",
        "Port jest zamykany o dziesiątej wieczorem i otwierany o szóstej rano przez strażnika, który tam mieszka.",
    ],
)
def test_other_languages_stay_other_languages(text: str) -> None:
    assert not of("When?", "At ten in the evening.", text).within(text, ["en"])


@pytest.mark.parametrize(
    "query", ["Is Zeus a Titan?", "Is Norrholm a city?", "Do I need a permit?", "Was it a success?"]
)
def test_a_short_english_question_is_english(query: str) -> None:
    assert of(query, "No.", ENGLISH).within(query, ["en"])
