"""Relations are those of the upstream package, and every pair within reach is scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glassbox.errors import ModelError, UsageError
from glassbox.models import Entity, Registry

Install = Callable[..., Registry]
Expected = Callable[[str], list[dict[str, Any]]]
LABELS = ["employer", "founded by", "start time"]


def entities(text: str, *names: str) -> list[Entity]:
    """Return the first occurrence of each name as an entity."""
    return [Entity(text.index(n), text.index(n) + len(n), n, "thing", 1.0) for n in names]


def numbered(count: int) -> tuple[str, list[Entity]]:
    """Return a text with `count` names, five words apart, and the names."""
    text = " ".join(f"Name{i} was seen there ." for i in range(count))
    return text, entities(text, *(f"Name{i} "[:-1] for i in range(count)))


def test_logits_equal_those_of_upstream(install: Install, expected: Expected, glirel: str) -> None:
    extractor = install(glirel, labels=LABELS).relations()
    for case in expected(glirel):
        spans = [tuple(span[:2]) for span in case["spans"]]
        pairs = [(i, j) for i in range(len(spans)) for j in range(len(spans)) if i != j]
        found = extractor.logits(case["words"], spans, pairs, case["labels"])
        assert np.abs(found - np.array(case["logits"])).max() < 1e-4


def test_scores_belong_to_the_pairs_they_name(install: Install, expected: Expected, glirel: str) -> None:
    extractor = install(glirel, thresholds={"default": 0.0}).relations()
    case = expected(glirel)[0]
    text = " ".join(case["words"])
    starts = [len(" ".join(case["words"][:i])) + (i > 0) for i in range(len(case["words"]))]
    given = [
        Entity(starts[a], starts[b] + len(case["words"][b]), "", "thing", 1.0)
        for a, b in (s[:2] for s in case["spans"])
    ]
    pairs = [(i, j) for i in range(len(given)) for j in range(len(given)) if i != j]
    wanted = {
        (pair, label): 1 / (1 + np.exp(-logit))
        for pair, row in zip(pairs, case["logits"], strict=True)
        for label, logit in zip(case["labels"], row, strict=True)
    }
    found = extractor.extract(text, given, case["labels"])
    assert len(found) == len(wanted)
    for relation in found:
        assert abs(wanted[(relation.subject_index, relation.object_index), relation.label] - relation.score) < 1e-5


def test_the_order_of_the_entities_changes_only_the_indices(install: Install, glirel: str) -> None:
    extractor = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    text = "The captain Maria Oliveira has worked for Northern Lines since 2011."
    given = entities(text, "Maria Oliveira", "Northern Lines", "2011")
    straight = {(r.subject_index, r.object_index, r.label): round(r.score, 5) for r in extractor.extract(text, given)}
    turned = {
        (2 - r.subject_index, 2 - r.object_index, r.label): round(r.score, 5)
        for r in extractor.extract(text, given[::-1])
    }
    assert straight == turned and len(straight) == 3 * 2 * len(LABELS)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entities_have_no_relation(install: Install, glirel: str, count: int) -> None:
    text = "Maria sails."
    extractor = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    assert extractor.extract(text, entities(text, "Maria")[:count]) == ()
    assert extractor.extract("", []) == ()


def test_every_pair_within_reach_is_looked_at_and_no_other(install: Install, glirel: str) -> None:
    extractor = install(
        glirel, labels=LABELS, thresholds={"default": 0.0}, limits={"max_pair_words": 12, "max_words": 40}
    ).relations()
    text, given = numbered(60)
    # Names begin five words apart, so the next two end within twelve words of a name's first.
    wanted = sorted((i, j) for i in range(60) for j in range(60) if 0 < abs(i - j) <= 2)
    assert list(extractor.pairs(text, given)) == wanted
    found = extractor.extract(text, given)
    assert sorted({(r.subject_index, r.object_index) for r in found}) == wanted
    assert len(found) == len(wanted) * len(LABELS)


def test_many_entities_close_together_are_all_paired(
    install: Install, glirel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = "abcdefghijklmnopqrst"
    extractor = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    given = [Entity(2 * i, 2 * i + 1, name, "thing", 1.0) for i, name in enumerate(names)]
    at_once = extractor.extract(" ".join(names), given)
    assert len(at_once) == 20 * 19 * len(LABELS)
    monkeypatch.setattr("glassbox.models.relations.PAIRS_PER_RUN", 100)
    scores = {(r.subject_index, r.object_index, r.label): r.score for r in extractor.extract(" ".join(names), given)}
    assert len(scores) == len(at_once)
    assert all(abs(scores[r.subject_index, r.object_index, r.label] - r.score) < 1e-6 for r in at_once)


def test_a_pair_that_no_window_can_hold_is_not_looked_at(install: Install, glirel: str) -> None:
    extractor = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    for words in (5, 200):
        text = "Maria " + "x9q " * words + "Oliveira"
        given = entities(text, "Maria", "Oliveira")
        assert len(extractor.pairs(text, given)) == (2 if words == 5 else 0)


def test_overlapping_entities_are_not_paired_with_each_other(install: Install, glirel: str) -> None:
    text = "The Northern Lines office employs Maria."
    given = entities(text, "Northern Lines", "Northern Lines office", "Northern Lines", "Maria")
    pairs = install(glirel, labels=LABELS).relations().pairs(text, given)
    assert pairs == ((0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2))


def test_an_entity_inside_a_word_stands_for_the_word(install: Install, glirel: str) -> None:
    text = "pre-war ships and Maria"
    given = [Entity(4, 7, "war", "event", 1.0), Entity(18, 23, "Maria", "person", 1.0)]
    assert install(glirel, labels=LABELS).relations().pairs(text, given) == ((0, 1), (1, 0))


def test_an_entity_of_nothing_but_invisible_characters_has_no_pair(install: Install, glirel: str) -> None:
    text = "\u200b meets Maria"
    given = [Entity(0, 1, "\u200b", "thing", 1.0), *entities(text, "Maria", "meets")]
    assert install(glirel, labels=LABELS).relations().pairs(text, given) == ((1, 2), (2, 1))


@pytest.mark.parametrize("span", [(-1, 2), (0, 99), (3, 3), (4, 2)])
def test_an_entity_outside_the_text_is_refused_without_the_text(
    install: Install, glirel: str, span: tuple[int, int]
) -> None:
    extractor = install(glirel, labels=LABELS).relations()
    with pytest.raises(UsageError, match="Entity 1") as caught:
        extractor.extract("Maria sails", [*entities("Maria sails", "Maria"), Entity(*span, "", "x", 1.0)])
    assert "Maria" not in str(caught.value)


def test_more_labels_than_a_prompt_holds_are_asked_in_turns(install: Install, glirel: str) -> None:
    labels = [f"relation {i}" for i in range(95)]
    extractor = install(glirel, labels=labels, thresholds={"default": 0.0}).relations()
    text = "Maria works for Northern Lines."
    found = extractor.extract(text, entities(text, "Maria", "Northern Lines"))
    assert sorted(r.label for r in found) == sorted(labels * 2)


def test_results_repeat_byte_for_byte(install: Install, glirel: str) -> None:
    text, given = numbered(40)
    first = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    second = install(glirel, labels=LABELS, thresholds={"default": 0.0}).relations()
    assert first.extract(text, given) == second.extract(text, given) == first.extract(text, given)


def test_another_kind_of_graph_is_refused(install: Install, describe: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(ModelError, match="GLiREL"):
        install(describe("gliner-tiny-bert", task="relations")).relations()
