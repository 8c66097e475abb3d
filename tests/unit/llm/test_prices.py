"""What a call costs."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from glassbox.errors import UsageError
from glassbox.llm.prices import price_table


def table(path: Path, document: Any) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return path


def test_the_built_in_table_is_dated_and_knows_common_models() -> None:
    built_in = price_table()
    assert built_in.date == "2026-06-20"
    assert built_in.digest.startswith("sha256:")
    assert {"openai:gpt-4o-mini", "bedrock:amazon.nova-lite-v1:0"} <= set(built_in.models)
    assert all(0 < p.input <= p.output < 1000 for p in built_in.models.values())


def test_cost_is_computed_in_decimals_and_rounded_to_a_millionth() -> None:
    built_in = price_table()
    assert built_in.cost("openai:gpt-4o-mini", 1_000_000, 0) == 0.15
    assert built_in.cost("openai:gpt-4o-mini", 1234, 567) == float(
        round((Decimal("0.15") * 1234 + Decimal("0.60") * 567) / 1_000_000, 6)
    )
    assert built_in.cost("openai:gpt-4o-mini", 0, 0) == 0.0


@pytest.mark.parametrize(("model", "tokens"), [("openai:unheard-of", (1, 1)), ("openai:gpt-4o", (None, 1))])
def test_what_is_unknown_costs_null_and_not_nothing(model: str, tokens: tuple[int | None, int | None]) -> None:
    assert price_table().cost(model, *tokens) is None


def test_a_table_of_ones_own_has_a_digest_of_its_own(tmp_path: Path) -> None:
    one = {"date": "2026-01-01", "models": {"openai:mine": {"input": "1", "output": "2.5"}}}
    same = price_table(table(tmp_path / "same.json", json.dumps(one, indent=3)))
    dearer = {**one, "models": {"openai:mine": {"input": "1", "output": "2.6"}}}
    mine = price_table(table(tmp_path / "mine.json", one))
    assert mine.cost("openai:mine", 2_000_000, 1_000_000) == 4.5
    assert mine.digest == same.digest
    assert mine.digest != price_table(table(tmp_path / "dearer.json", dearer)).digest
    assert mine.digest != price_table(table(tmp_path / "later.json", {**one, "date": "2026-01-02"})).digest


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        {"models": {}},
        {"date": "2026-01-01", "models": {"m": {"input": "1"}}},
        {"date": "2026-01-01", "models": {"m": {"input": "1", "output": "-2"}}},
        {"date": "2026-01-01", "models": {"m": {"input": "NaN", "output": "2"}}},
        {"date": "2026-01-01", "models": {"m": {"input": "one", "output": "2"}}},
        {"date": "2026-01-01", "models": ["m"]},
    ],
)
def test_a_table_that_is_none_is_refused_with_an_example(tmp_path: Path, document: Any) -> None:
    with pytest.raises(UsageError, match="price") as raised:
        price_table(table(tmp_path / "prices.json", document))
    assert "per" in str(raised.value) or "tokens" in str(raised.value)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.json"):
        price_table(tmp_path / "nowhere.json")
