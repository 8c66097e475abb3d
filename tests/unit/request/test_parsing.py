"""A bad request is refused with every fault at once, each with its path and none with its text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.contract.limits import FILE, Limits
from glassbox.contract.parsing import parse_request, request_from
from glassbox.errors import RequestInvalid

SMALL = {"query": "Who opened it?", "answer": "The mayor.", "retrieved_passages": ["The mayor opened it."]}


def faults(value: Any, **more: Any) -> dict[str, str]:
    with pytest.raises(RequestInvalid) as caught:
        request_from(value, **more)
    return {v.path: v.message for v in caught.value.violations}


def test_three_fields_are_enough() -> None:
    request = request_from(SMALL)
    assert request.retrieved_passages[0].text == "The mayor opened it."
    assert request.source_mode == "passages"


@pytest.mark.parametrize("field", ["query", "answer", "retrieved_passages"])
def test_each_of_the_three_is_required(field: str) -> None:
    assert faults({k: v for k, v in SMALL.items() if k != field}) == {f"$.{field}": "required, but absent"}


def test_all_faults_are_named_at_once() -> None:
    found = faults({"query": 1, "answr": "x", "retrieved_passages": ["a", {"text": 5, "score": "0.5"}, {"txt": "b"}]})
    assert set(found) == {
        "$.query",
        "$.answer",
        "$.answr",
        "$.retrieved_passages[1].text",
        "$.retrieved_passages[1].score",
        "$.retrieved_passages[2].text",
        "$.retrieved_passages[2].txt",
    }


def test_no_message_quotes_the_text() -> None:
    secret = "patient Mary Holloway"
    with pytest.raises(RequestInvalid) as caught:
        request_from({"query": {secret: secret}, "answer": [secret], "retrieved_passages": secret, secret: 1})
    assert secret not in str(caught.value)
    assert secret not in json.dumps(caught.value.problem())


def test_strings_and_objects_may_stand_side_by_side() -> None:
    request = request_from({**SMALL, "retrieved_passages": ["a", {"text": "b", "score": -3, "id": "p2"}]})
    assert [p.score for p in request.retrieved_passages] == [None, -3.0]


@pytest.mark.parametrize("score", [0, 27.4, -1.5, 1e9])
def test_scores_of_any_scale_are_legal(score: float) -> None:
    assert (
        request_from({**SMALL, "retrieved_passages": [{"text": "a", "score": score}]}).retrieved_passages[0].score
        == score
    )


@pytest.mark.parametrize("score", ["0.5", True, [1], {}, 10**400])
def test_a_score_is_a_number(score: Any) -> None:
    assert "$.retrieved_passages[0].score" in faults({**SMALL, "retrieved_passages": [{"text": "a", "score": score}]})


@pytest.mark.parametrize(
    "body",
    [
        b'{"query":"a","answer":"b","retrieved_passages":[{"text":"c","score":NaN}]}',
        b'{"query":"a","answer":"b","retrieved_passages":[{"text":"c","score":Infinity}]}',
        b'{"query":"a","answer":"b","retrieved_passages":[{"text":"c","score":1e999}]}',
        b'{"query":"a","query":"a","answer":"b","retrieved_passages":[]}',
        b'{"query":"\\ud800","answer":"b","retrieved_passages":[]}',
        b"[" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b"\xff\xfe{}",
        b'\xef\xbb\xbf{"query":"a","answer":"b","retrieved_passages":[]}',
        b"",
        b"null",
        b'"text"',
        b"[]",
    ],
)
def test_what_is_no_request_is_refused(body: bytes) -> None:
    with pytest.raises(RequestInvalid):
        parse_request(body)


def test_nul_is_named_with_its_offset_and_its_path() -> None:
    found = faults({**SMALL, "retrieved_passages": ["ok", {"text": "K\x00lm"}]})
    assert found == {"$.retrieved_passages[1].text": "holds a NUL character at offset 1"}


def test_a_lone_surrogate_is_named() -> None:
    assert faults({**SMALL, "answer": "a\udc00b"}) == {"$.answer": "holds a lone surrogate"}


def test_a_body_over_the_limit_is_refused_before_it_is_read() -> None:
    body = json.dumps({**SMALL, "answer": "x" * 10_000_000}).encode()
    with pytest.raises(RequestInvalid, match="bytes; the limit is 1,048,576"):
        parse_request(body)


def test_characters_are_limited_in_a_file() -> None:
    body = json.dumps({**SMALL, "answer": "x" * 2_000_001}).encode()
    with pytest.raises(RequestInvalid, match="characters of text"):
        parse_request(body, limits=FILE)


def test_two_hundred_passages_are_the_limit_unless_it_is_raised() -> None:
    many = {**SMALL, "retrieved_passages": ["a"] * 201}
    assert faults(many) == {"$.retrieved_passages": "has 201 items, at most 200"}
    assert len(request_from(many, limits=Limits(passages=300)).retrieved_passages) == 201
    assert len(request_from({**SMALL, "retrieved_passages": ["a"] * 200}).retrieved_passages) == 200


@pytest.mark.parametrize("passages", [[], ["   ", "\n\t"]])
def test_no_context_is_legal(passages: list[str]) -> None:
    assert not request_from({**SMALL, "retrieved_passages": passages}).has_context


def test_an_empty_answer_is_legal() -> None:
    assert not request_from({**SMALL, "answer": " \n"}).has_answer


def test_document_texts_come_before_passages_as_sources() -> None:
    request = request_from({**SMALL, "source_documents": ["whole text", {"text": "  ", "uri": "urn:x"}]})
    assert request.sources == ("whole text",)
    assert request.source_mode == "documents"


def test_content_leaves_absent_fields_out() -> None:
    assert request_from(SMALL).content() == {
        "query": "Who opened it?",
        "answer": "The mayor.",
        "retrieved_passages": [{"text": "The mayor opened it."}],
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from([*SMALL, "model", "session_id", "x"]), json_values))
def test_any_json_is_a_request_or_refused_with_paths(value: dict[str, Any]) -> None:
    try:
        request_from(value)
    except RequestInvalid as error:
        assert error.violations
        assert all(v.path.startswith("$") for v in error.violations)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_request_or_refused(body: bytes) -> None:
    try:
        parse_request(body)
    except RequestInvalid as error:
        assert error.violations
