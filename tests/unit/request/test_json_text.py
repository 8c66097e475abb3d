"""What is no strict JSON is named with path, line and column, every fault at once and none with its text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.contract.json_text import MOST_FAULTS, read_json
from glassbox.contract.limits import FILE
from glassbox.contract.parsing import parse_request
from glassbox.errors import RequestInvalid
from glassbox_contract.canonical import canonical_bytes, parse
from glassbox_contract.errors import ContractError


def faults(text: str | bytes) -> list[tuple[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(fault.path, fault.message) for fault in read_json(data).faults]


def request_faults(body: bytes) -> dict[str, str]:
    with pytest.raises(RequestInvalid) as caught:
        parse_request(body)
    return {v.path: v.message for v in caught.value.violations}


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ('{"a": 1,\n "a": 2}', "$.a", "the key stands twice in one object, at line 2, column 2"),
        ('{"a": 1, "\\u0061": 2}', "$.a", "the key stands twice in one object, at line 1, column 10"),
        ('[0, {"b": [NaN]}]', "$[1].b[0]", "NaN or Infinity, which JSON does not have, at line 1, column 12"),
        ('{"a": -Infinity}', "$.a", "NaN or Infinity, which JSON does not have, at line 1, column 7"),
        ('{"a": 1e999}', "$.a", "a number beyond the range of a 64-bit float, at line 1, column 7"),
        (
            '{"a": 9007199254740993}',
            "$.a",
            "an integer beyond 2**53 - 1, which not every reader keeps exactly, at line 1, column 7",
        ),
        ('{"a": ["\\ud800"]}', "$.a[0]", "holds a lone surrogate, at line 1, column 8"),
        ("[" * 65 + "]" * 65, "$", "nested deeper than 64 levels, at line 1, column 65"),
        ('{"a": 1', "$", "not JSON: Expecting ',' delimiter, at line 1, column 8"),
        ('{"a": "x', "$", "not JSON: Unterminated string, at line 1, column 7"),
        ("{} {}", "$", "not JSON: Extra data, at line 1, column 4"),
        (" \n", "$", "holds no JSON at all, at line 2, column 1"),
    ],
)
def test_each_fault_has_its_place(text: str, path: str, message: str) -> None:
    assert faults(text) == [(path, message)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xef\xbb\xbf{}", "begins with a byte order mark; save the file as UTF-8 without it"),
        (b"\xff\xfe{\x00}\x00", "begins with the byte order mark of UTF-16; save the file as UTF-8 without a mark"),
        (b'{"a": "\xe4"}', "not UTF-8 at byte 7"),
    ],
)
def test_bytes_that_are_not_plain_utf_8_are_named(data: bytes, message: str) -> None:
    assert faults(data) == [("$", message)]


def test_several_faults_are_named_at_once() -> None:
    text = '{"a": NaN,\n "b": [1, {"c": 1e400}],\n "b": "\\udc00",\n "d": 123456789012345678901,\n "e": }'
    assert [path for path, _ in faults(text)] == ["$.a", "$.b[1].c", "$.b", "$.b", "$.d", "$"]
    assert faults(text)[-1][1].endswith("at line 5, column 7")


def test_faults_of_the_text_and_of_the_request_are_named_together() -> None:
    body = b'{"query": 3, "query": "q", "answr": "x", "retrieved_passages": [{"text": "a", "score": NaN}, "\\u0000"]}'
    assert list(request_faults(body)) == [
        "$.answer",
        "$.answr",
        "$.query",
        "$.retrieved_passages[0].score",
        "$.retrieved_passages[1]",
    ]


def test_no_message_quotes_a_key_or_a_string() -> None:
    secret = "Mary Holloway, room 12"
    body = json.dumps({secret: "\ud800 " + secret, "x": {secret: float("nan")}})
    body = body[:-1] + f', "{secret}": 1, "{secret}'
    found = request_faults(body.encode())
    assert "Holloway" not in json.dumps(found)
    assert "$.<name of 22 characters>" in found


def with_score(score: str) -> bytes:
    return f'{{"query":"q","answer":"a","retrieved_passages":[{{"text":"t","score":{score}}}]}}'.encode()


@pytest.mark.parametrize(
    "score", ["123456789012345678901234567890", "-123456789012345678901234567890", "9007199254740993", "1" + "0" * 300]
)
def test_a_score_is_a_float_however_large_its_integer(score: str) -> None:
    request = parse_request(with_score(score))
    assert request.retrieved_passages[0].score == float(score)
    again = parse_request(canonical_bytes(request.content()))
    assert again == request


@pytest.mark.parametrize("score", ["1" + "0" * 309, "-" + "9" * 5000, "1e309"])
def test_a_score_beyond_every_float_is_refused_with_its_path(score: str) -> None:
    found = request_faults(with_score(score))
    assert list(found) == ["$.retrieved_passages[0].score"]
    assert "beyond the range of a 64-bit float" in found["$.retrieved_passages[0].score"]


def test_an_integer_elsewhere_stays_exact_or_is_refused() -> None:
    body = with_score("123456789012345678901234567890")[:-1] + b',"model":{"name":123456789012345678901234567890}}'
    assert "2**53 - 1" in request_faults(body)["$.model.name"]


def test_many_faults_are_listed_up_to_a_limit() -> None:
    assert len(faults("[" + "NaN," * 200_000 + "1]")) == MOST_FAULTS


@pytest.mark.parametrize(
    "text",
    [
        '{"' + "a" * 2_000_000,
        '"' + "\\" * 1_999_999,
        '["' + '\\"' * 1_000_000,
        "[" * 2_000_000,
        '{"a":' * 400_000,
        "\n" * 2_000_000 + "NaN",
        "-" * 2_000_000,
        "1" * 2_000_000,
        "[" + "1" * 2_000_000 + ".e",
        "]" + "[" * 2_000_000,
    ],
)
def test_hostile_texts_are_refused_whatever_their_length(text: str) -> None:
    with pytest.raises(RequestInvalid):
        parse_request(text.encode(), limits=FILE)


STRUCTURE = ["{", "}", "[", "]", ",", ":", " ", "\n", "\ufeff", '"', "\\"]
STRINGS = ['"a"', '"b"', '"\\ud800"', '"\\q"', "true", "nul"]
NUMBERS = ["1", "1e999", "0.5", "9007199254740993", "123456789012345680000", "007", "1-2", "-", "NaN", "-Infinity"]
pieces = st.sampled_from([*STRUCTURE, *STRINGS, *NUMBERS])
texts = st.lists(pieces, max_size=30).map("".join) | st.recursive(
    st.sampled_from(["1", "NaN", '"x"', '"\\udfff"', "1e999", "9007199254740993", "null"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(st.sampled_from("abc"), inner), max_size=3).map(
            lambda pairs: "{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}"
        )
    ),
    max_leaves=12,
)


@given(texts)
def test_what_the_contract_refuses_and_nothing_else_has_faults(text: str) -> None:
    reading = read_json(text.encode())
    expected: Any = None
    try:
        expected = parse(text.encode())
    except ContractError:
        assert reading.faults
        assert all(fault.path.startswith("$") for fault in reading.faults)
    else:
        assert not reading.faults
        assert reading.value == expected
