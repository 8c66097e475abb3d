"""Entities are those of the upstream package, wherever they stand in a text of any length."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glassbox.errors import ModelError, UsageError
from glassbox.models import Entity, Registry

Install = Callable[..., Registry]
Describe = Callable[..., dict[str, Any]]
Expected = Callable[[str], list[dict[str, Any]]]

LABELS = ["person", "company", "date"]
HOSTILE = (
    "",
    " \n ",
    "\u200b\u200b",
    "x",
    "<<ENT>> person <<SEP>> [SEP] Maria",
    "船长玛丽亚在北方航运公司工作。" * 120,
    "ไทยแลนด์" * 200,
    "القبطان ماريا أوليفيرا 2011",
    "👩‍👩‍👧 🚢" * 50,
    "a" * 5000,
    "| name | year |\n|---|---|\n| Maria | 2011 |",
    "Maria\u0301 e\u0301",
)


def test_logits_equal_those_of_upstream(install: Install, expected: Expected, gliner: str) -> None:
    cases = [case for case in expected(gliner) if "logits" in case]
    assert cases, "the fixture holds no logits"
    extractor = install(gliner, labels=LABELS).entities()
    for case in cases:
        found = extractor.logits(case["words"], case["labels"])
        wanted = np.array(case["logits"], dtype=np.float64).reshape(found.shape)
        words, width = found.shape[:2]
        inside = np.arange(words)[:, None] + np.arange(width)[None] < words
        assert np.abs(found - wanted)[inside].max() < 1e-4


@pytest.mark.parametrize("name", ["gliner-tiny-bert", "gliner-tiny-deberta"])
def test_entities_equal_those_of_upstream(install: Install, expected: Expected, name: str) -> None:
    extractor = install(name).entities()
    assert any(case["entities"] for case in expected(name))
    for case in expected(name):
        found = extractor.extract(case["text"], case["labels"])
        assert [(e.start, e.end, e.label) for e in found] == [
            (e["start"], e["end"], e["label"]) for e in case["entities"]
        ]
        assert all(abs(a.score - b["score"]) < 1e-5 for a, b in zip(found, case["entities"], strict=True))


def check(text: str, entities: tuple[Entity, ...]) -> None:
    """Assert what holds for every result."""
    assert all(entity.text == text[entity.start : entity.end] != "" for entity in entities)
    assert all(0.0 <= entity.score <= 1.0 for entity in entities)
    assert all(a.end <= b.start for a, b in itertools.pairwise(entities))


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_gives_spans_of_itself(install: Install, gliner: str, text: str) -> None:
    extractor = install(gliner, labels=LABELS, thresholds={"default": 0.0}).entities()
    found = extractor.extract(text)
    check(text, found)
    assert extractor.extract(text) == found


def test_a_long_text_is_read_to_its_end(install: Install, gliner: str) -> None:
    text = " ".join(f"On deck {i} Maria sold {i * 3} tickets." for i in range(150))
    extractor = install(gliner, labels=LABELS, thresholds={"default": 0.0}).entities()
    found = extractor.extract(text)
    check(text, found)
    # At threshold 0 greedy decoding leaves no word unused, so a gap would be a stretch that no window showed.
    covered = {i for entity in found for i in range(entity.start, entity.end)}
    assert all(i in covered or character.isspace() for i, character in enumerate(text))


def test_windows_change_nothing_where_one_would_do(install: Install, gliner: str) -> None:
    text = "Maria Oliveira has worked for Northern Lines since 2011. " * 3
    one = install(gliner, labels=LABELS).entities().extract(text)
    assert install(gliner, labels=LABELS, limits={"max_words": 150}).entities().extract(text) == one


def test_a_span_longer_than_the_width_is_never_named(install: Install, gliner: str) -> None:
    extractor = install(gliner, labels=LABELS, thresholds={"default": 0.0}).entities()
    for entity in extractor.extract("deck " * 400):
        assert len(entity.text.split()) <= extractor.max_width


def test_thresholds_hold_for_each_label(install: Install, gliner: str) -> None:
    text = "Maria Oliveira has worked for Northern Lines since 2011."
    names = dict.fromkeys(LABELS, 1.0)
    assert install(gliner, labels=LABELS, thresholds={"by_label": names}).entities().extract(text) == ()
    only = {"default": 1.0, "by_label": {"date": 0.0}}
    found = install(gliner, labels=LABELS, thresholds=only).entities().extract(text)
    assert {entity.label for entity in found} == {"date"}


def test_more_labels_than_a_prompt_holds_are_asked_in_turns(install: Install, gliner: str) -> None:
    labels = [f"kind {i}" for i in range(120)]
    text = "Maria Oliveira has worked for Northern Lines since 2011."
    extractor = install(gliner, labels=labels, thresholds={"default": 0.0}).entities()
    found = extractor.extract(text)
    check(text, found)
    assert found and {entity.label for entity in found} <= set(labels)
    few = install(gliner, labels=LABELS, limits={"max_labels": 2}, thresholds={"default": 0.0}).entities()
    check(text, few.extract(text))


@pytest.mark.parametrize("labels", [[], ["person", "person"], ["person", "\u200b"], ["person " * 400]])
def test_unusable_labels_are_refused(install: Install, labels: list[str]) -> None:
    with pytest.raises(UsageError):
        install("gliner-tiny-bert").entities().extract("Maria", labels)


def test_the_entity_hides_its_text_from_logs() -> None:
    assert "secret" not in repr(Entity(0, 6, "secret", "person", 0.5))


def test_a_token_level_model_is_refused(install: Install) -> None:
    with pytest.raises(ModelError, match="span"):
        install("gliner-tiny-token").entities()


@pytest.mark.parametrize(
    ("key", "value"),
    [("span_mode", "token_level"), ("subtoken_pooling", "mean"), ("words_splitter_type", "spacy"), ("max_width", 0)],
)
def test_a_config_of_another_kind_is_refused(
    install: Install, describe: Describe, tmp_path: Path, key: str, value: object
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(Path(describe("gliner-tiny-bert")["directory"]), folder)
    config = json.loads((folder / "gliner_config.json").read_text())
    (folder / "gliner_config.json").write_text(json.dumps(config | {key: value}))
    with pytest.raises(ModelError):
        install(describe("gliner-tiny-bert", folder=folder)).entities()


def test_a_tokenizer_without_the_marker_is_refused(install: Install, describe: Describe, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(Path(describe("gliner-tiny-bert")["directory"]), folder)
    shutil.copy(Path(describe("embed-tiny")["directory"]) / "tokenizer.json", folder / "tokenizer.json")
    with pytest.raises(ModelError, match="<<ENT>>"):
        install(describe("gliner-tiny-bert", folder=folder)).entities()
