"""From the text of a reply to one JSON object."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from glassbox.llm import ReplyFault
from glassbox.llm.reading import MAX_REPLY, object_in, read_reply
from tests.support.judge_server import Say, broken
from tests.unit.llm.asking import GOOD, Verdicts

BROKEN = {name: said for name, said in broken(GOOD).items() if isinstance(said, str)}
TAKEN = ("fenced", "prose_before", "prose_around", "thoughts")
LEAVES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    LEAVES | TEXTS | st.sampled_from(["```", "```json\n{}\n```", "{", "}", "</think>", '"', "\\"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=5)
PROSE = st.text(string.ascii_letters + " .!?\n", max_size=40).map(lambda text: text + "x\n")


class Number(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: float
    count: int = 0


def fault_of(text: str, model: type[BaseModel] = Verdicts) -> str:
    with pytest.raises(ReplyFault) as raised:
        read_reply(text, model)
    assert raised.value.args == (raised.value.code,)
    assert raised.value.__context__ is None
    return raised.value.code


def test_bare_json_is_read() -> None:
    assert read_reply(json.dumps(GOOD), Verdicts).model_dump() == GOOD


@pytest.mark.parametrize("name", TAKEN)
def test_json_in_a_fence_or_after_words_is_read(name: str) -> None:
    assert read_reply(BROKEN[name], Verdicts).model_dump() == GOOD


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cut_without_a_word", "invalid_json"),
        ("nan", "not_finite"),
        ("infinity", "not_finite"),
        ("too_large_a_number", "not_finite"),
        ("empty", "empty"),
        ("blank", "empty"),
        ("prose_only", "invalid_json"),
        ("two_objects", "invalid_json"),
        ("in_a_list", "invalid_json"),
        ("duplicate_key", "invalid_json"),
        ("single_quotes", "invalid_json"),
        ("trailing_comma", "invalid_json"),
        ("raw_newline_in_text", "invalid_json"),
    ],
)
def test_what_is_broken_or_ambiguous_is_refused(name: str, code: str) -> None:
    assert fault_of(BROKEN[name]) == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"note": None}, "schema"),
        ({"note": 5}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "verdict": "maybe"}]}, "vocabulary"),
        ({"verdicts": [{**GOOD["verdicts"][0], "verdict": "Yes"}]}, "vocabulary"),
        ({"verdicts": [{**GOOD["verdicts"][0], "verdict": None}]}, "vocabulary"),
        ({"verdicts": [{**GOOD["verdicts"][0], "sureness": 1.01}]}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "sureness": -0.01}]}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "sureness": "0.5"}]}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "index": True}]}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "index": 0.0}]}, "schema"),
        ({"verdicts": [{**GOOD["verdicts"][0], "index": -1}]}, "schema"),
        ({"verdicts": GOOD}, "schema"),
        ({"verdicts": []}, None),
        ({"more": 1}, "schema"),
    ],
)
def test_values_are_held_to_the_shape_strictly(change: dict[str, Any], code: str | None) -> None:
    text = json.dumps({**GOOD, **change})
    if code is None:
        read_reply(text, Verdicts)
    else:
        assert fault_of(text) == code


@pytest.mark.parametrize(
    "text",
    [
        '{"value": 1' + "0" * 400 + "}",
        '{"value": 1, "count": 1' + "0" * 5000 + "}",
        '{"value": ' + "[" * 100_000 + "}",
        '{"a":' * 100_000,
        '{"value": "\\ud800"}',
        "{" * 500_000,
        "[" * 500_000 + '{"value": 1}',
        '{"value": 1}' + "x" * MAX_REPLY,
        '{"value": 1}{',
        '{"value": 1}, {"value": 2}',
        '"{"value": 1}"',
        "<think>{no end",
        "\ud800" + '{"value": 1}',
    ],
)
def test_monsters_are_refused(text: str) -> None:
    assert fault_of(text, Number) in ("invalid_json", "schema", "not_finite")


def test_a_byte_order_mark_and_blanks_are_passed_over() -> None:
    assert read_reply('\n\ufeff {"value": 2}\n\n', Number).model_dump() == {"value": 2.0, "count": 0}


def test_nothing_of_the_text_is_in_a_fault() -> None:
    with pytest.raises(ReplyFault) as raised:
        read_reply('{"note": "the secret pear", "verdicts": 1}', Verdicts)
    assert "pear" not in repr(raised.value)
    assert "pear" not in str(raised.value.__cause__)


@settings(deadline=None, max_examples=60)
@given(OBJECTS, PROSE, PROSE)
def test_an_object_comes_back_whole_from_whatever_stands_around_it(
    value: dict[str, Any], before: str, after: str
) -> None:
    for text in (
        json.dumps(value),
        json.dumps(value, ensure_ascii=False, indent=2),
        f"```json\n{json.dumps(value)}\n```",
        f"{before}{json.dumps(value)}\n{after}",
        f"{before}```\n{json.dumps(value)}\n```\n{after}",
        f"<think>{before}{{}}</think>{json.dumps(value)}",
    ):
        assert json.loads(object_in(text)) == value


@settings(deadline=None, max_examples=60)
@given(OBJECTS, OBJECTS, PROSE)
def test_two_objects_are_never_read_as_one(one: dict[str, Any], other: dict[str, Any], between: str) -> None:
    with pytest.raises(ReplyFault):
        object_in(json.dumps(one) + between + json.dumps(other))


@settings(deadline=None, max_examples=60)
@given(OBJECTS.filter(bool), st.data())
def test_a_cut_object_is_never_read(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(ReplyFault):
        object_in(text[:cut])


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_an_object_or_a_fault(text: str) -> None:
    try:
        found = object_in(text)
    except ReplyFault:
        return
    assert found in text
    assert isinstance(json.loads(found), dict)


def test_each_scripted_fault_is_named_in_these_tests() -> None:
    told = {name for name, said in broken(GOOD).items() if isinstance(said, Say | dict)}
    assert told == {
        "truncated",
        "null",
        "refusal",
        "content_filter",
        "no_content",
        "extra_member",
        "missing_member",
    }
