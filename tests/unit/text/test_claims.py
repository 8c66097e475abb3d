from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.claims import CHECKED_KINDS, extract_claims
from tests.unit.text.strategies import texts


def claims(answer: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in extract_claims(answer)]


def test_the_items_of_an_inline_numbered_list_are_claims_without_their_numbers() -> None:
    answer = "1. Oslo is a capital. 2. Norway is in Europe."
    assert claims(answer) == [("list_item", "Oslo is a capital."), ("list_item", "Norway is in Europe.")]
    assert [answer[claim.start : claim.end] for claim in extract_claims(answer)] == [
        "Oslo is a capital.",
        "Norway is in Europe.",
    ]


def test_a_date_at_the_start_of_a_sentence_keeps_its_day() -> None:
    assert claims("5. Mai 2020 war ein Feiertag.") == [("sentence", "5. Mai 2020 war ein Feiertag.")]


def test_each_row_of_a_table_is_a_claim_with_the_names_of_its_columns() -> None:
    answer = "| City | People |\n|:--|--:|\n| Oslo | 700,000 |\n| Bergen | |"
    assert claims(answer) == [
        ("heading", "City | People"),
        ("table_row", "City: Oslo; People: 700,000"),
        ("table_row", "City: Bergen"),
    ]


def test_a_table_without_a_header_gives_its_cells() -> None:
    assert claims("| Oslo | 1 |\n| Bergen | 2 |") == [("table_row", "Oslo; 1"), ("table_row", "Bergen; 2")]


def test_code_headings_questions_and_chat_phrases_are_listed_and_not_checked() -> None:
    answer = (
        "Sure, here is a summary:\n\n# The bridge\n\nIt opened in 1932.\n\n```py\nprint('It is blue.')\n```\n\n"
        "Is that all? I hope this helps!"
    )
    found = claims(answer)
    assert [kind for kind, _ in found] == ["meta", "heading", "sentence", "code", "question", "meta"]
    assert [text for kind, text in found if kind in CHECKED_KINDS] == ["It opened in 1932."]


def test_a_code_block_that_is_never_closed_runs_to_the_end() -> None:
    assert [kind for kind, _ in claims("```\nx = 1\nIt is true.")] == ["code"]


def test_markup_citations_and_entities_are_taken_off_the_text_but_not_off_the_span() -> None:
    answer = "The **bridge** is [long](https://example.org/a) &amp; old [1][2] (sources 3 and 4)."
    (claim,) = extract_claims(answer)
    assert claim.text == "The bridge is long & old."
    assert answer[claim.start : claim.end] == answer


def test_a_fragment_in_a_list_carries_its_lead_in() -> None:
    found = extract_claims("The colours are:\n- red\n- The second one is blue.")
    assert [(claim.kind, claim.text, claim.context) for claim in found] == [
        ("heading", "The colours are:", ""),
        ("list_item", "red", "The colours are:"),
        ("list_item", "The second one is blue.", ""),
    ]


def test_a_long_sentence_is_split_at_semicolons_and_a_short_one_is_not() -> None:
    long = (
        "The first half says that the bridge was opened by the mayor of the town in the spring of that year; "
        "the second half says that it was closed again."
    )
    assert len(claims(long)) == 2
    assert claims("It is old; it is long.") == [("sentence", "It is old; it is long.")]


def test_a_refusing_sentence_is_no_claim_and_what_follows_it_is() -> None:
    found = claims("I do not have information about the price. However, the bridge is open daily.")
    assert [kind for kind, _ in found] == ["meta", "sentence"]


@pytest.mark.parametrize("answer", ["", "  \n ", "...", "---", "😀", "| | |\n|---|---|"])
def test_an_answer_without_words_has_no_claims(answer: str) -> None:
    assert extract_claims(answer) == ()


def test_a_one_word_answer_is_a_claim() -> None:
    assert claims("Oslo") == [("sentence", "Oslo")]


@given(texts)
def test_claims_are_ordered_disjoint_and_lie_inside_the_answer(answer: str) -> None:
    covered = 0
    for claim in extract_claims(answer):
        assert covered <= claim.start < claim.end <= len(answer)
        assert answer[claim.start : claim.end].strip()
        assert claim.text.strip()
        covered = claim.end


@given(texts)
def test_words_of_plain_prose_are_in_some_claim(answer: str) -> None:
    marked = "Plainly7 " + answer.replace("\x00", "")
    assert any("Plainly7" in marked[claim.start : claim.end] for claim in extract_claims(marked))


@pytest.mark.parametrize(
    "unit",
    ["# a\n", "- a\n", "|a", "|a|b|\n", "**", "[", "[a](", "<a ", "`", "```\n", "a; ", "> ", "---\n", "![", "_ ", "(1"],
)
def test_a_hostile_answer_of_one_repeated_unit_is_read_too(unit: str) -> None:
    answer = unit * (40_000 // len(unit))
    assert all(claim.end <= len(answer) for claim in extract_claims(answer))
