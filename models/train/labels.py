"""The label names of the entity model and what each corpus says about them.

A corpus annotates some kinds and is silent on others; a label it is silent on is left out of the loss for its
sentences, so that an unlabelled date in CrossNER does not teach the model that dates are nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
from corpora import Sentence, Span

PERSON, ORGANIZATION, LOCATION, EVENT = "person", "organization", "location", "event"
WORK, PRODUCT, SUBSTANCE, CONCEPT = "creative work", "product", "substance", "concept"
DATE, NUMBER, MONEY = "date", "number", "money"
NAMES = (PERSON, ORGANIZATION, LOCATION, EVENT, WORK, PRODUCT, SUBSTANCE, CONCEPT)
VALUES = (DATE, NUMBER, MONEY)
LABELS = (*NAMES, *VALUES)

COARSE: dict[str, str] = {
    **dict.fromkeys(("person", "researcher", "scientist", "politician", "musicalartist", "writer", "PER"), PERSON),
    **dict.fromkeys(
        (
            "group",
            "corporation",
            "organisation",
            "university",
            "politicalparty",
            "band",
            "magazine",
            "academicjournal",
            "ORG",
        ),
        ORGANIZATION,
    ),
    **dict.fromkeys(("location", "country", "LOC"), LOCATION),
    **dict.fromkeys(("conference", "event", "election", "EVENT"), EVENT),
    **dict.fromkeys(("creative-work", "album", "song", "book", "poem", "WORK"), WORK),
    **dict.fromkeys(("product", "programlang", "algorithm", "PRODUCT"), PRODUCT),
    **dict.fromkeys(("enzyme", "chemicalcompound", "protein", "chemicalelement", "SUBSTANCE"), SUBSTANCE),
    **dict.fromkeys(
        (
            "task",
            "misc",
            "metrics",
            "field",
            "astronomicalobject",
            "award",
            "discipline",
            "theory",
            "musicgenre",
            "literarygenre",
            "musicalinstrument",
            "DEMONYM",
        ),
        CONCEPT,
    ),
    "TIME": DATE,
    "NUM": NUMBER,
    "MONEY": MONEY,
}
READABLE: dict[str, str] = {
    "musicalartist": "musical artist",
    "politicalparty": "political party",
    "academicjournal": "academic journal",
    "chemicalcompound": "chemical compound",
    "chemicalelement": "chemical element",
    "metrics": "metric",
    "astronomicalobject": "astronomical object",
    "musicgenre": "music genre",
    "literarygenre": "literary genre",
    "musicalinstrument": "musical instrument",
    "programlang": "programming language",
    "organisation": "organization",
    "creative-work": "work of art",
    "misc": "miscellaneous",
    "corporation": "company",
    "PER": "human",
    "ORG": "institution",
    "LOC": "place",
    "TIME": "time",
    "NUM": "quantity",
    "MONEY": "amount of money",
    "WORK": "title of a work",
    "EVENT": "happening",
    "PRODUCT": "brand or product",
    "DEMONYM": "nationality",
    "SUBSTANCE": "chemical",
}
FOREIGN = (
    "animal",
    "vehicle",
    "food",
    "disease",
    "sports team",
    "email address",
    "phone number",
    "law",
    "job title",
    "weapon",
    "plant",
    "colour",
    "currency",
    "language",
    "website",
    "building",
    "body part",
    "clothing",
)


@dataclass(frozen=True)
class Task:
    """What a sentence is asked for and what its corpus answers.

    ``labels`` are the names in the prompt; ``positives`` the (start, end, label index) that hold; ``silent`` flags the
    labels whose negatives say nothing; ``unknown`` are spans that may be any of the flagged ``doubtful`` labels.
    """

    labels: tuple[str, ...]
    positives: tuple[tuple[int, int, int], ...]
    silent: np.ndarray
    unknown: tuple[tuple[int, int], ...]
    doubtful: np.ndarray


def silent_labels(source: str) -> frozenset[str]:
    """Return the labels a corpus does not annotate."""
    if source.startswith(("crossner", "wnut17")):
        return frozenset(VALUES)
    if source == "redocred":
        return frozenset((SUBSTANCE, CONCEPT))
    return frozenset()


def _task(labels: list[str], named: list[tuple[Span, str]], silent: frozenset[str], unknown: list[Span]) -> Task:
    index = {name: i for i, name in enumerate(labels)}
    positives = tuple((s.start, s.end, index[name]) for s, name in named if name in index)
    doubt = {EVENT, WORK, PRODUCT}
    return Task(
        tuple(labels),
        positives,
        np.array([name in silent for name in labels]),
        tuple((s.start, s.end) for s in unknown),
        np.array([name in doubt for name in labels]),
    )


def coarse_task(sentence: Sentence, rng: Random | None = None) -> Task:
    """Return the task with the merged labels; with ``rng`` in random order and at times only some of them."""
    known = [(s, COARSE[s.kind]) for s in sentence.spans if s.kind in COARSE]
    unknown = [s for s in sentence.spans if s.kind == "MISC"]
    labels = list(LABELS)
    if rng is not None:
        rng.shuffle(labels)
        if rng.random() < 0.35:
            present = {name for _, name in known}
            keep = rng.randint(2, len(labels) - 1)
            labels = [x for i, x in enumerate(labels) if i < keep or (x in present and rng.random() < 0.9)]
    return _task(labels, known, silent_labels(sentence.source), unknown)


def fine_task(sentence: Sentence, kinds: list[str], rng: Random) -> Task:
    """Return a task with readable names of the corpus' own types, some absent ones, and names nothing here bears."""
    named = [(s, READABLE.get(s.kind, s.kind)) for s in sentence.spans if s.kind != "MISC"]
    labels = sorted({name for _, name in named})
    absent = sorted({READABLE.get(k, k) for k in kinds} - set(labels))
    labels += rng.sample(absent, min(len(absent), rng.randint(1, 6)))
    labels += rng.sample(FOREIGN, rng.randint(0, 4))
    rng.shuffle(labels)
    unknown = [s for s in sentence.spans if s.kind == "MISC"]
    return _task(labels, named, frozenset(), unknown)
