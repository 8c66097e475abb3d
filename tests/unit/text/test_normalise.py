from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.normalise import abbreviations, entity_key, normalise, strip_articles
from tests.unit.text.strategies import texts


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Acme Company", "acme company"),
        ("Acme's", "Acme"),
        ("St. Mary’s", "st mary"),
        ("U.S. Army", "US army"),
        ("ＩＢＭ", "ibm"),
        ("“Nordlys”", "Nordlys"),
        ("the\u00a0North  Sea", "North Sea"),
        ("Jean-Luc", "jean luc"),
        ("STRASSE", "Straße"),
    ],
)
def test_two_spellings_of_a_name_share_a_key(left: str, right: str) -> None:
    assert entity_key(left) == entity_key(right)


@pytest.mark.parametrize(("left", "right"), [("Malmö", "Malmo"), ("Oslo", "Bergen"), ("Model 3", "Model 4")])
def test_different_names_have_different_keys(left: str, right: str) -> None:
    assert entity_key(left) != entity_key(right)


def test_articles_are_stripped() -> None:
    assert strip_articles("The mayor opened a bridge in an hour") == "mayor opened bridge in hour"
    assert strip_articles("Die Brücke") == "brücke"


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("It was built by International Business Machines (IBM) there.", "ibm", "international business machines"),
        ("IBM (International Business Machines) built it.", "ibm", "international business machines"),
        ("the World Health Organization (WHO)", "who", "world health organization"),
        ("the United States of America (U.S.A.)", "usa", "united states of america"),
        ("das Bundesamt für Sicherheit (BfS)", "bfs", "bundesamt für sicherheit"),
        ("deoxyribonucleic acid (DNA)", "dna", "deoxyribonucleic acid"),
    ],
)
def test_an_abbreviation_is_found_both_ways(text: str, short: str, long: str) -> None:
    assert abbreviations(text) == {short: long, long: short}


@pytest.mark.parametrize(
    "text", ["It rained (see below).", "He came (IBM) late.", "In 1932 (or 1933) it opened.", "()"]
)
def test_other_brackets_are_no_abbreviations(text: str) -> None:
    assert abbreviations(text) == {}


@given(texts)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert entity_key(entity_key(text)) == entity_key(entity_key(entity_key(text)))
