"""Words of a passage put together to something that it doesn't say are no literal evidence."""

from __future__ import annotations

import pytest

from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.exact_evidence import near_word_for_word, word_for_word
from glassbox.judges.near_miss import near_miss

RECOMBINED = [
    ("The capital of Italy is Milan.", "The capital of Italy is Rome. Milan is in the north."),
    ("The CEO of Norland is Otto Brandt.", "The CEO of Norland is Ida Lindqvist, and Otto Brandt is its chairman."),
    ("The report was written by Dana.", "The report was written by Eli, the summary by Dana."),
    ("It opens at 8 am on Sunday.", "It opens at 8 am on weekdays and at 11 am on Sunday."),
    ("The bridge was built in 1960.", "The bridge was built in 1932 and repainted in 1960."),
    ("Refunds are possible after 30 days.", "Refunds are possible only within 30 days, not after 30 days."),
    ("Most users were satisfied.", "Few users were satisfied."),
    ("The ticket is refundable.", "The ticket is non-refundable."),
    ("Pets are allowed in the rooms.", "Pets are allowed in the garden only; they are never allowed in the rooms."),
    ("All staff must attend.", "All staff may attend if they wish."),
    ("Wasserschäden sind gedeckt.", "Wasserschäden sind nicht gedeckt."),
    ("La capitale de l'Italie est Milan.", "La capitale de l'Italie est Rome. Milan est au nord."),
    ("The fee is refunded.", "The fee is refunded only if the course is cancelled."),
    ("The drug is safe.", "It is false that the drug is safe."),
]


@pytest.mark.parametrize(("claim", "passage"), RECOMBINED, ids=[claim for claim, _ in RECOMBINED])
def test_recombined_words_are_no_quote(claim: str, passage: str) -> None:
    for stretch in PassageEvidence([passage]).sentences(claim, 5):
        assert not word_for_word(claim, stretch)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Wasserschäden sind gedeckt.", "Wasserschäden sind nicht gedeckt."),
        ("La capitale de l'Italie est Milan.", "La capitale de l'Italie est Rome. Milan est au nord."),
    ],
)
def test_nor_are_they_in_another_language(claim: str, passage: str) -> None:
    for stretch in PassageEvidence([passage]).sentences(claim, 5):
        assert not near_word_for_word(claim, stretch)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The mayor opened the bridge.", "In 1932 the mayor opened the bridge."),
        ("Refunds are accepted within 30 days.", "Refunds are accepted within 30 days of delivery. Keep the receipt."),
        ("ΤΟ γραφείο ανοίγει στις 9.", "Το γραφείο ανοίγει στις 9."),
    ],
)
def test_a_quote_is_one(claim: str, passage: str) -> None:
    assert any(word_for_word(claim, stretch) for stretch in PassageEvidence([passage]).sentences(claim, 5))


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        *(row for row in RECOMBINED[:7] if "CEO" not in row[0]),
        ("Most users were satisfied.", "Few users were satisfied."),
        ("Google sued Oracle in 2010.", "Oracle sued Google in 2010."),
        ("Profit rose by 5 percent.", "Profit fell by 5 percent."),
        ("The sauna is heated.", "The sauna is open daily."),
        ("The red line goes to Hill Park.", "The red line goes to the harbour. The blue line goes to Hill Park."),
    ],
)
def test_a_near_miss_is_seen(claim: str, passage: str) -> None:
    assert near_miss(claim, PassageEvidence([passage]).sentences(claim, 5)) is not None


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Margaret Ellison founded Brennick Freight.", "Margaret Ellison, born in Leeds, founded Brennick Freight."),
        ("The bridge was repainted in 1960.", "The bridge was built in 1932 and repainted in 1960."),
        ("Ana Ruiz led the team.", "The team was led by Ana Ruiz."),
        ("The dam cost $3.4 billion.", "The dam cost 3,400 million dollars."),
        ("The museum opens at 8 am.", "On weekdays the museum opens at 8 am."),
    ],
)
def test_a_shortened_sentence_is_none(claim: str, passage: str) -> None:
    assert near_miss(claim, PassageEvidence([passage]).sentences(claim, 5)) is None
