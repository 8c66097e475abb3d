"""Canonical JSON is RFC 8785, and the parser takes nothing that two readers could take differently."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox_contract import CanonicalError, canonical_bytes, digest, digest_bytes, hmac_digest, parse, parse_canonical
from glassbox_contract.checks import format_timestamp, timestamp
from tests.contract.support import CREATED

SAFE = 2**53 - 1
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"))
)
values = st.recursive(
    scalars, lambda x: st.lists(x) | st.dictionaries(st.text(st.characters(codec="utf-8")), x), max_leaves=20
)


def test_the_example_of_rfc_8785_has_the_bytes_given_there() -> None:
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f",
        "literals": [None, True, False],
    }
    assert canonical_bytes(value) == (
        b'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        b'"string":"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_keys_are_sorted_by_utf_16_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = list(json.loads(canonical_bytes(dict.fromkeys(keys, 0))))
    assert ordered == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@given(values)
def test_what_is_written_is_read_back_and_written_alike(value: object) -> None:
    data = canonical_bytes(value)
    assert canonical_bytes(parse(data)) == data


@pytest.mark.parametrize("digits", [b"9007199254740992", b"100000000000000000000", b"-9007199254740992"])
def test_a_large_whole_float_is_read_as_the_float_it_was(digits: bytes) -> None:
    assert isinstance(parse(digits), float)
    assert canonical_bytes(parse(digits)) == digits


@given(values)
def test_digests_are_those_of_hashlib_over_the_canonical_bytes(value: object) -> None:
    data = canonical_bytes(value)
    assert digest(value) == digest_bytes(data) == "sha256:" + hashlib.sha256(data).hexdigest()
    key = b"k" * 32
    assert hmac_digest(key, value) == "hmac-sha256:" + hmac.new(key, data, "sha256").hexdigest()


def test_a_short_hmac_key_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        hmac_digest(b"short", {})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"a":1,"a":1}', "duplicate key"),
        (b'{"x":{"a":1,"\\u0061":2}}', "duplicate key"),
        (b"NaN", "NaN"),
        (b"[Infinity]", "NaN and Infinity"),
        (b"[-Infinity]", "NaN and Infinity"),
        (b"1e999", "NaN and Infinity"),
        (b"9007199254740993", "2\\*\\*53"),
        (b"-9007199254740993", "2\\*\\*53"),
        (b"1" * 100_000, "2\\*\\*53"),
        (b'"\\ud800"', "surrogate"),
        (b'{"\\udfff":1}', "surrogate"),
        (b'"\\ud83d\\ud83d\\ude00"', "surrogate"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"[1,]", "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b'"\x00"', "not JSON"),
        (b"01", "not JSON"),
        (b"\x00", "not JSON"),
        ("{}".encode("utf-16"), "not UTF-8"),
    ],
)
def test_ambiguous_text_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(CanonicalError, match=reason):
        parse(data)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_nesting_is_refused_whatever_its_depth(opening: str) -> None:
    for depth in (65, 1000, 500_000):
        with pytest.raises(CanonicalError, match="deeper than 64"):
            parse(opening * depth)


def test_sixty_four_levels_are_read_and_written() -> None:
    data = b"[" * 64 + b"]" * 64
    assert canonical_bytes(parse(data)) == data
    with pytest.raises(CanonicalError, match="deeper"):
        canonical_bytes([parse(data)])


def test_brackets_inside_strings_are_no_nesting() -> None:
    text = "[" * 100 + '\\" {{{'
    assert parse(json.dumps([text])) == [text]


def test_a_value_too_deep_for_the_stack_is_refused_not_crashed_on() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(CanonicalError, match="deeper"):
        canonical_bytes(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, {1: 2}, {"a"}, b"x", object(), "\ud800", [1j]])
def test_what_json_cannot_carry_has_no_canonical_form(value: object) -> None:
    with pytest.raises(CanonicalError):
        canonical_bytes(value)


@pytest.mark.parametrize(
    "data",
    [
        b'{ "a":1}',
        b'{"b":1,"a":2}',
        b'{"a":1}\n',
        b'"\\u0041"',
        b"1.5",
        b"1.0",
        b"9007199254740992",
        b"1e2",
        b"-0",
        b'"\\/"',
        b"[1, 2]",
    ],
)
def test_the_ledger_reads_canonical_bytes_without_floats_only(data: bytes) -> None:
    with pytest.raises(CanonicalError):
        parse_canonical(data)


def test_no_refusal_quotes_what_was_submitted() -> None:
    for data in (b'{"secret words":1,"secret words":2}', b'"secret words', b"[secret words]", b'"secret words\xff"'):
        with pytest.raises(CanonicalError) as caught:
            parse(data)
        assert "secret" not in str(caught.value)


@given(st.integers(0, 253_402_300_799_999))
def test_times_are_read_as_they_are_written(milliseconds: int) -> None:
    assert timestamp(format_timestamp(milliseconds), "") == milliseconds


def test_a_known_time_has_its_known_number() -> None:
    assert timestamp(CREATED, "") == 1_767_355_200_000
