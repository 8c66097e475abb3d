"""Digests that don't depend on a run's fences."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from glassbox.llm import Message
from glassbox.llm.digests import prompt_digest, text_digest, with_fences, without_fences
from tests.unit.llm.asking import question

FENCES = st.lists(st.from_regex(r"f[0-9a-f]{15}", fullmatch=True), unique=True, max_size=3).map(tuple)
PIECES = st.lists(st.sampled_from(["GB-FENCE-", "GB-FENCE-X", "GB-FENCE-0000-CONSTANT-0000000000", "X", "text", "é"]))


def test_two_runs_with_other_fences_have_one_digest() -> None:
    def asked(fence: str, other: str) -> str:
        text = f"{fence}\nthe passage\n{fence} {other}"
        return prompt_digest(question(messages=(Message("user", text),), fences=(fence, other)))

    assert asked("f00d0001", "f00d0002") == asked("beef0001", "beef0002")
    assert asked("f00d0001", "f00d0002") != asked("beef0002", "beef0002 ")


def test_a_reply_that_quotes_its_fence_has_one_digest() -> None:
    assert text_digest("as f00d says", ("f00d",)) == text_digest("as beef says", ("beef",))
    assert text_digest("as f00d says") != text_digest("as beef says")


@settings(deadline=None, max_examples=60)
@given(PIECES, FENCES, st.data())
def test_fences_come_back_and_nothing_is_taken_for_one(
    pieces: list[str], fences: tuple[str, ...], data: st.DataObject
) -> None:
    if fences:
        pieces = data.draw(st.permutations([*pieces, *fences]))
    text = "".join(pieces)
    plain = without_fences(text, fences)
    assert with_fences(plain, fences) == text
    assert not any(fence in plain for fence in fences)


def test_a_text_that_names_the_constants_is_no_fence() -> None:
    named = "GB-FENCE-0000-CONSTANT-0000000000"
    assert without_fences(named, ("f00d",)) != without_fences("f00d", ("f00d",))
