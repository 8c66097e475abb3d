"""Words keep their places, and windows lose nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassbox.errors import ModelError
from glassbox.models.words import LONGEST_WORD, keep, plan_windows, split_words

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=400)


@given(TEXTS)
def test_words_cover_every_character_but_white_space(text: str) -> None:
    words = split_words(text)
    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == list(words.words)
    assert "".join(words.words) == "".join(text.split())
    assert all(0 < len(word) <= LONGEST_WORD for word in words.words)
    assert list(words.starts) == sorted(words.starts)


def test_words_are_those_of_the_upstream_splitter() -> None:
    words = split_words("It's a well-known trick_2, isn't it? 3.5 %")
    assert words.words == (
        "It", "'", "s", "a", "well-known", "trick_2", ",", "isn", "'", "t", "it", "?", "3", ".", "5", "%",
    )  # fmt: skip


def test_a_word_without_end_becomes_pieces() -> None:
    words = split_words("x" * 1000)
    assert {len(word) for word in words.words} == {64, 1000 % 64}


def test_sentences_begin_where_a_reader_would_say() -> None:
    words = split_words('It costs 3.5 euros. "Really?" she said. Yes!\nOr (no.) Then...  go。好的。')
    first = [word for word, flag in zip(words.words, words.boundaries.tolist(), strict=True) if flag]
    assert first == ["It", '"', "she", "Yes", "Or", "Then", "go", "好的"]


@pytest.mark.parametrize("unit", ["a", "-", "a-", "a_", "。", "\u0301", " ", "a-_", ".)"])
def test_a_million_repetitions_of_anything_are_split(unit: str) -> None:
    words = split_words(unit * 1_000_000)
    assert sum(map(len, words.words)) == 1_000_000 * len(unit.strip())


@given(
    st.lists(st.integers(1, 9), max_size=300),
    st.integers(1, 60),
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(36, 90),
    st.randoms(use_true_random=False),
)
@settings(max_examples=300)
def test_whatever_fits_a_margin_lies_whole_in_the_window_it_begins_in(
    counts: list[int], max_words: int, left: int, right: int, max_tokens: int, random: object
) -> None:
    sizes = np.array(counts, dtype=np.int64)
    boundaries = np.array([random.random() < 0.1 for _ in counts], dtype=np.bool_)  # type: ignore[attr-defined]
    windows = plan_windows(sizes, boundaries, max_words=max_words, left=left, right=right, max_tokens=max_tokens)
    assert [w.core_start for w in windows[1:]] == [w.core_end for w in windows[:-1]]
    if counts:
        assert windows[0].core_start == 0 and windows[-1].core_end == len(counts)
    for window in windows:
        assert window.start <= window.core_start < window.core_end <= window.end
        assert sizes[window.start : window.end].sum() <= max_tokens
        assert window.end - window.start <= max(max_words, 1 + left + right)
        whole = min(window.core_end + right, len(counts))
        if sizes[window.core_end : whole].sum() <= max_tokens // 4:
            assert window.end >= whole


def test_one_window_is_enough_for_a_short_text() -> None:
    ones = np.ones(50, dtype=np.int64)
    flags = np.zeros(50, dtype=np.bool_)
    (window,) = plan_windows(ones, flags, max_words=50, left=12, right=12, max_tokens=50)
    assert (window.start, window.end, window.core_start, window.core_end) == (0, 50, 0, 50)
    assert len(plan_windows(ones, flags, max_words=49, left=12, right=12, max_tokens=50)) > 1


def test_cores_end_with_a_sentence_where_one_ends_in_their_second_half() -> None:
    flags = np.zeros(100, dtype=np.bool_)
    flags[[0, 25, 38, 60]] = True
    ones = np.ones(100, dtype=np.int64)
    windows = plan_windows(ones, flags, max_words=40, left=0, right=0, max_tokens=1000)
    assert [w.core_end for w in windows] == [38, 60, 100]


def test_a_word_larger_than_a_window_is_refused() -> None:
    with pytest.raises(ModelError, match="Word 1 alone"):
        plan_windows(np.array([1, 99, 1]), np.zeros(3, dtype=np.bool_), max_words=2, left=0, right=0, max_tokens=50)


def test_a_dropped_word_leaves_its_boundary_to_the_next() -> None:
    words = split_words("One. \u200b Two")
    kept = keep(words, np.array([True, True, False, True]))
    assert kept.words == ("One", ".", "Two")
    assert kept.boundaries.tolist() == [True, False, True]
    assert kept.starts == (0, 3, 7)
