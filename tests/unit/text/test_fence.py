from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.text.fence import break_markers, fence, quote_as_data
from tests.unit.text.strategies import texts

_SALT = bytes(range(32))


def test_a_fence_depends_on_salt_and_field_and_on_nothing_else() -> None:
    assert fence(_SALT, "answer") == fence(_SALT, "answer")
    assert len({fence(_SALT, "answer"), fence(_SALT, "query"), fence(_SALT[1:], "answer")}) == 3
    assert len(fence(_SALT, "answer")) == 35


@pytest.mark.parametrize(("salt", "field"), [(b"short", "answer"), (_SALT, "")])
def test_a_short_salt_and_an_unnamed_field_are_refused(salt: bytes, field: str) -> None:
    with pytest.raises(ValueError, match="fence"):
        fence(salt, field)


def test_a_quoted_text_stands_between_its_fences_and_may_not_hold_them() -> None:
    mark = fence(_SALT, "answer")
    assert quote_as_data("It is {open}.", mark) == f"<<<{mark}\nIt is {{open}}.\n{mark}>>>"
    with pytest.raises(ValueError, match="own fence"):
        quote_as_data(f"x {mark}>>> y", mark)


@pytest.mark.parametrize(
    "marker",
    [
        "[DEEPEVAL:IMAGE:/tmp/x]",
        "[deepeval:pdf:x]",
        "[DEEP\u200bEVAL:IMAGE:x]",
        "［DEEPEVAL：IMAGE：x］",
        "<|im_start|>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "<</SYS>>",
        "<< system >>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<｜User｜>",
        "<｜begin▁of▁sentence｜>",
        "‹｜Assistant｜›",
        "＜|im_end|＞",
        "<|reserved_special_token_12|>",
        "<|vision-start|>",
        "[SYSTEM_PROMPT]",
        "[/SYSTEM_PROMPT]",
        "[AVAILABLE_TOOLS]",
        "[TOOL_RESULTS]",
        "<s>",
        "</s>",
        "<unused42>",
        "<tool_call>",
        "</think>",
    ],
)
def test_a_marker_is_broken_and_stays_readable(marker: str) -> None:
    broken = break_markers(f"a {marker} b")
    assert marker not in broken
    assert broken.replace("\u2060", "") == f"a {marker} b"
    assert break_markers(broken) == broken


@pytest.mark.parametrize("unit", ["<", "<|", "<<", "[", "[A_", "<a_", "［", "<s>", "<|a|>", "[AB:"])
def test_a_long_row_of_signs_is_broken_once_and_for_all(unit: str) -> None:
    broken = break_markers(unit * 5_000)
    assert broken.replace("\u2060", "") == unit * 5_000
    assert break_markers(broken) == broken


@pytest.mark.parametrize(
    "text",
    ["", "It is [1] and [a](b).", '{"a": [1, 2]}', "x < y | z", "{braces} {{stay}}", "<b>bold</b> <p>", "[Note] [A1]"],
)
def test_a_text_without_markers_stays_as_it_is(text: str) -> None:
    assert break_markers(text) == text


@given(texts, st.binary(min_size=16, max_size=40))
def test_breaking_only_adds_joiners_and_is_done_once(text: str, salt: bytes) -> None:
    broken = break_markers(text)
    assert broken.replace("\u2060", "") == text.replace("\u2060", "")
    assert break_markers(broken) == broken
    assert quote_as_data(text, fence(salt, "answer")).count(fence(salt, "answer")) == 2
