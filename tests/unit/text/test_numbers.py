from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.text.numbers import extract_quantities, match_quantities
from tests.unit.text.strategies import texts


def read(text: str) -> list[tuple[str, str, str]]:
    return [(quantity.kind, quantity.value, quantity.unit) for quantity in extract_quantities(text)]


def verdict(claim: str, evidence: str) -> str:
    check = match_quantities(claim, evidence)
    groups = {"matched": check.matched, "missing": check.missing, "conflicting": check.conflicting}
    return "+".join(name for name, group in groups.items() if group) or "nothing"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.5 %", ("percent", "12.5", "%")),
        ("12,5 Prozent", ("percent", "12.5", "%")),
        ("٪ is a sign; ١٢٫٥٪", ("percent", "12.5", "%")),
        ("$3.4 billion", ("money", "3400000000", "USD")),
        ("3,400 million dollars", ("money", "3400000000", "USD")),
        ("3.4bn USD", ("money", "3400000000", "USD")),
        ("€5m", ("money", "5000000", "EUR")),
        ("1.234,56 €", ("money", "1234.56", "EUR")),
        ("1 234,56 EUR", ("money", "1234.56", "EUR")),
        ("300 zł", ("money", "300", "PLN")),
        ("120亿元", ("money", "12000000000", "CNY")),
        ("₹ 12,34,567", ("money", "1234567", "INR")),
        ("1 km", ("measure", "1000", "m")),
        ("30-day", ("measure", "2592000", "s")),
        ("30 Tage", ("measure", "2592000", "s")),
        ("३० दिन", ("measure", "2592000", "s")),
        ("๓๐ วัน", ("measure", "2592000", "s")),
        ("two years", ("measure", "24", "month")),
        ("5 MW", ("measure", "5000000", "W")),
        ("-5 °C", ("measure", "268.15", "K")),
        ("minus 7", ("number", "-7", "")),
        ("twenty-one people", ("number", "21", "")),
        ("two hundred and five rooms", ("number", "205", "")),
        ("three million people", ("number", "3000000", "")),
        ("１２３", ("number", "123", "")),
        ("10.000.000", ("number", "10000000", "")),
        ("version 3.11.7", ("number", "3.11.7", "version")),
        ("in 1932 by", ("year", "1932", "")),
        ("the 1980s", ("year", "1980s", "")),
        ("2023年", ("year", "2023", "")),
        ("3rd place", ("ordinal", "3", "")),
        ("nineteenth century", ("ordinal", "19", "")),
        ("at 3:30 pm", ("time", "15:30", "")),
        ("um 10.30 Uhr", ("time", "10:30", "")),
        ("3 March 2021", ("date", "2021-03-03", "")),
        ("March 3rd, 2021", ("date", "2021-03-03", "")),
        ("03.03.2021", ("date", "2021-03-03", "")),
        ("3. März 2021", ("date", "2021-03-03", "")),
        ("3 de marzo de 2021", ("date", "2021-03-03", "")),
        ("1er mars 2021", ("date", "2021-03-01", "")),
        ("2021年3月3日", ("date", "2021-03-03", "")),
        ("3 مارس 2021", ("date", "2021-03-03", "")),
        ("March 2021", ("date", "2021-03", "")),
        ("on 5 May", ("date", "--05-05", "")),
    ],
)
def test_a_quantity_is_read_with_its_kind_and_unit(text: str, expected: tuple[str, str, str]) -> None:
    assert read(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["COVID-19", "H2O", "A4", "F-16", "v2.0", "https://example.org/12/34", "one of them", "the first", "a second",
     "thousands of people", "no number", "9" * 61, "we may 5", "#12"],
)  # fmt: skip
def test_what_counts_nothing_is_left_out(text: str) -> None:
    assert [found for found in read(text) if found != ("number", "5", "")] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10-20 km", [("measure", "10000", "m"), ("measure", "20000", "m")]),
        ("between 10 and 20 kg", [("measure", "10000", "g"), ("measure", "20000", "g")]),
        ("10-12 May 1968", [("date", "1968-05-10", ""), ("date", "1968-05-12", "")]),
        ("1914–1918", [("year", "1914", ""), ("year", "1918", "")]),
        ("12.5 % and 0.125", [("percent", "12.5", "%"), ("number", "0.125", "")]),
        ("rooms 1,2,3", [("number", "1", ""), ("number", "2", ""), ("number", "3", "")]),
    ],
)
def test_ranges_share_their_unit_and_lists_do_not(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It rose by 12.5 %.", "It rose by 0.125 of the total."),
        ("12,5 %", "12.5 percent"),
        ("$3.4 billion", "3,400 million dollars"),
        ("3.4bn USD", "$3.4 billion"),
        ("3 March 2021", "2021-03-03"),
        ("2021-03-03", "March 3, 2021"),
        ("03.03.2021", "3 March 2021"),
        ("3/4/2021", "on 4 March 2021"),
        ("1 km", "1000 m"),
        ("5 miles", "8 km"),
        ("1.234", "1234"),
        ("1.234,56", "1,234.56"),
        ("in 2021", "on 2021-03-03"),
        ("March 2021", "3 March 2021"),
        ("in the 1980s", "in 1984"),
        ("about 2.1 million people", "2,102,650 residents"),
        ("3 pm", "15:00"),
        ("twelve", "12"),
        ("5 pounds", "£5"),
        ("٣٠ يوم", "30 يوم"),
        ("Opłata to 0 zł lub 6 zł, od 300 zł", "0 zł przy 300 zł, inaczej 6 zł"),
        ("It opened in 1932.", "افتتح الجسر عام 1932 بطول 503 m."),
        ("30 days", "Days: 30"),
    ],
)
def test_equal_quantities_match_however_they_are_written(claim: str, evidence: str) -> None:
    assert verdict(claim, evidence) == "matched"


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("within 90 days", "within 30 days", "conflicting"),
        ("$5", "$6", "conflicting"),
        ("5 %", "6 %", "conflicting"),
        ("20 districts", "22 districts", "conflicting"),
        ("in 1932", "in 1935", "conflicting"),
        ("3 March 2021", "in 2021", "conflicting"),
        ("four bridges", "three bridges", "conflicting"),
        ("20 districts", "It is large.", "missing"),
        ("20 districts", "5 km", "missing"),
        ("three cities", "Oslo, Bergen and Bodø", "nothing"),
        ("no number", "5 km", "nothing"),
        ("100 %", "1 person", "missing"),
        ("30 days", "30 people", "missing"),
        ("2,102,650 residents", "about 2.1 million residents", "conflicting"),
    ],
)
def test_other_quantities_are_missing_or_conflict(claim: str, evidence: str, expected: str) -> None:
    assert verdict(claim, evidence) == expected


def test_a_number_is_found_among_many_thousands() -> None:
    evidence = " ".join(f"item {number};" for number in range(12_000))
    claim = " ".join(f"item {number};" for number in range(11_000, 11_900))
    assert len(match_quantities(claim, evidence).matched) == 900


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("In 2023 $5 million was paid.", [("5000000", "USD")]),
        ("In 2023 EUR 5 was paid.", [("5", "EUR")]),
        ("0 $3.4 billion", [("3400000000", "USD")]),
        ("He paid 5$ 6 times.", [("5", "USD")]),
        ("He paid 5 $ in 2023.", [("5", "USD")]),
        ("It rose from 3 € to 4 €.", [("3", "EUR"), ("4", "EUR")]),
    ],
)
def test_a_currency_belongs_to_one_number_only(text: str, money: list[tuple[str, str]]) -> None:
    assert [(q.value, q.unit) for q in extract_quantities(text) if q.kind == "money"] == money


@given(texts)
def test_quantities_are_ordered_disjoint_and_lie_inside_the_text(text: str) -> None:
    covered = 0
    for quantity in extract_quantities(text):
        assert covered <= quantity.start < quantity.end <= len(text)
        covered = quantity.end


@given(texts)
def test_a_text_bears_out_its_own_quantities(text: str) -> None:
    check = match_quantities(text, text)
    assert check.missing == check.conflicting == ()


@given(st.integers(0, 10**12))
def test_grouping_does_not_change_a_number(value: int) -> None:
    forms = {f"{value:,}", f"{value:,}".replace(",", " "), f"{value:,}".replace(",", "'"), str(value)}
    assert all(verdict(f"x {form} y", f"x {value} y") == "matched" for form in forms)


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1,",
        "1 ",
        "one ",
        "one hundred and ",
        "1.1",
        "$",
        "-",
        "3 March ",
        "1,111",
        "1 111 ",
        "https://",
        "٣",
        "1-",
        "1年",
        "May ",
    ],
)
def test_a_hostile_text_of_one_repeated_unit_is_read_too(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    assert all(quantity.end <= len(text) for quantity in extract_quantities(text))
