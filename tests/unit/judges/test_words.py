"""Words as lexical evidence."""

from __future__ import annotations

import pytest

from glassbox.judges.words import keys, share_in, stem, tokens


def test_tokens_carry_their_place_in_the_text() -> None:
    text = "Fees: 1,234.50 EUR (été)"
    assert [text[t.start : t.end] for t in tokens(text)] == ["Fees", "1,234.50", "EUR", "été"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("opened", "opens"), ("stopped", "stop"), ("fees", "fee"), ("studies", "studied"), ("seventeen", "17")],
)
def test_inflected_words_meet(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_function_words_say_nothing_by_themselves() -> None:
    assert keys("It is the end of the line") == ["end", "lin"]


def test_scripts_without_spaces_are_compared_by_pairs_of_letters() -> None:
    assert keys("桥梁开放") == ["桥梁", "梁开", "开放"]
    assert keys("桥") == ["桥"]


def test_share_of_nothing_is_no_number() -> None:
    assert share_in([], {"a"}) is None
    assert share_in(["a", "a", "b"], {"a"}) == 0.5
