from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.text.sentences import split_sentences
from glassbox.text.windows import passage_windows, sentence_windows
from tests.unit.text.strategies import texts

_TEXT = "One is here. Two is here. Three is here. Four is here. Five is here."


def test_sentence_windows_are_all_runs_of_each_size() -> None:
    found = sentence_windows(_TEXT, (1, 2))
    assert [window.sentences for window in found] == [
        (0, 1),
        (0, 2),
        (1, 2),
        (1, 3),
        (2, 3),
        (2, 4),
        (3, 4),
        (3, 5),
        (4, 5),
    ]
    assert _TEXT[found[1].start : found[1].end] == "One is here. Two is here."


def test_passage_windows_overlap_by_their_stride() -> None:
    assert [window.sentences for window in passage_windows(_TEXT, sentences=3, stride=2)] == [(0, 3), (2, 5)]


def test_a_sentence_longer_than_the_limit_is_cut_at_white_space() -> None:
    text = "word " * 100 + "end."
    found = passage_windows(text, max_chars=60)
    assert all(window.end - window.start <= 60 for window in found)
    assert {word for window in found for word in text[window.start : window.end].split()} == {"word", "end."}


def test_a_word_longer_than_the_limit_is_cut_anywhere() -> None:
    assert sum(window.end - window.start for window in passage_windows("x" * 205, max_chars=100)) == 205


@pytest.mark.parametrize("arguments", [{"sentences": 0}, {"stride": 0}, {"max_chars": 0}])
def test_sizes_below_one_are_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        passage_windows(_TEXT, **arguments)
    with pytest.raises(ValueError, match="at least one"):
        sentence_windows(_TEXT, (0,))


@given(texts, st.integers(1, 5), st.integers(1, 5), st.integers(5, 80))
def test_passage_windows_keep_the_limit_and_cover_every_sentence(text: str, size: int, stride: int, limit: int) -> None:
    found = passage_windows(text, size, stride, limit)
    assert all(0 < window.end - window.start <= limit for window in found)
    covered = [False] * len(text)
    for window in found:
        covered[window.start : window.end] = [True] * (window.end - window.start)
    for span in split_sentences(text):
        assert all(covered[i] or text[i].isspace() for i in range(span.start, span.end))
