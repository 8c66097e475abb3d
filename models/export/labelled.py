"""The types of the labelled sets as the model knows them, and precision, recall and F1."""

from __future__ import annotations

VALUES = frozenset({"date", "number", "money"})
COARSE = {
    **dict.fromkeys(("person", "researcher", "scientist", "politician", "musicalartist", "writer"), "person"),
    **dict.fromkeys(
        ("group", "corporation", "organisation", "university", "politicalparty", "band", "magazine", "academicjournal"),
        "organization",
    ),
    **dict.fromkeys(("location", "country"), "location"),
    **dict.fromkeys(("conference", "event", "election"), "event"),
    **dict.fromkeys(("creative-work", "album", "song", "book", "poem"), "creative work"),
    **dict.fromkeys(("product", "programlang", "algorithm"), "product"),
    **dict.fromkeys(("enzyme", "chemicalcompound", "protein", "chemicalelement"), "substance"),
}
"""Raw types of the set to the labels of the model; every other raw type is a "concept"."""


def scores(hit: int, predicted: int, wanted: int) -> dict[str, float]:
    """Return precision, recall and F1; 0 where a denominator is 0."""
    return {
        "precision": round(hit / predicted, 4) if predicted else 0.0,
        "recall": round(hit / wanted, 4) if wanted else 0.0,
        "f1": round(2 * hit / (predicted + wanted), 4) if predicted + wanted else 0.0,
    }
