"""The suite itself: enough attacks, over all text fields, in many languages, each different from the others."""

from __future__ import annotations

from tests.attacks.harmless import HARMLESS
from tests.attacks.model import build
from tests.attacks.scenes import SCENES
from tests.attacks.suite import ATTACKS, BY_ID, KINDS


def test_the_suite_is_large_and_no_two_attacks_are_the_same() -> None:
    assert len(ATTACKS) >= 80
    assert len(BY_ID) == len(ATTACKS)
    assert len({tuple(sorted(attack.texts.items())) for attack in ATTACKS}) == len(ATTACKS)
    assert len(KINDS) >= 20


def test_the_attacks_stand_in_every_text_field() -> None:
    fields = {field for attack in ATTACKS for field in attack.fields}
    assert {"query", "answer", "expected", "passages.0", "passages.1", "passages.2", "passages.+"} <= fields
    assert {"documents.0", "session_id", "passages.0.id", "passages.1.source_id", "entities", "model"} <= fields


def test_the_attacks_speak_many_languages() -> None:
    assert len({attack.language for attack in ATTACKS}) >= 18
    assert len({attack.language for attack in ATTACKS if attack.kind == "direct"}) >= 8


def test_every_attack_makes_a_valid_request_that_holds_its_order() -> None:
    for attack in ATTACKS:
        held = _strings(attack.request().model_dump())
        assert all(text in held for text in attack.texts.values()), attack.id


def test_the_answer_of_a_scene_is_true_or_false_in_the_plain_request_too() -> None:
    for scene in SCENES:
        assert build(scene, scene.true, {}).answer == scene.true
        assert scene.true != scene.false


def test_there_are_enough_harmless_look_alikes() -> None:
    assert len(HARMLESS) >= 60
    assert len(set(HARMLESS.values())) == len(HARMLESS)


def _strings(value: object) -> str:
    """Return all strings of a document, joined."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\x00".join(_strings(item) for item in value.values())
    if isinstance(value, list | tuple):
        return "\x00".join(_strings(item) for item in value)
    return ""
