"""What a call costs: a dated table of list prices, whose digest stands beside every sum."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any, Final

from glassbox.errors import UsageError
from glassbox_contract.canonical import digest

BUILT_IN: Final = Path(__file__).with_name("prices.json")
_MILLION: Final = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: Decimal
    output: Decimal


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by `backend:model`, with the day they were true."""

    date: str
    models: dict[str, Price]
    digest: str

    def cost(self, identity: str, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """Return US dollars, rounded to a millionth, or None where the model has no price or the tokens are unknown."""
        price = self.models.get(identity)
        if price is None or input_tokens is None or output_tokens is None:
            return None
        exact = (price.input * input_tokens + price.output * output_tokens) / _MILLION
        return float(round(exact, 6))


@cache
def price_table(path: Path | None = None) -> PriceTable:
    """Return the table in a file, by default the built-in one; raises UsageError for one that can't be read."""
    where = path or BUILT_IN
    try:
        document: Any = json.loads(where.read_text("utf-8"))
        models = {name: Price(Decimal(p["input"]), Decimal(p["output"])) for name, p in document["models"].items()}
        date = str(document["date"])
    except OSError as error:
        raise _unusable(where, error.strerror or type(error).__name__) from None
    except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
        raise _unusable(where, "not a table of prices") from None
    if any(not p.input.is_finite() or not p.output.is_finite() or min(p.input, p.output) < 0 for p in models.values()):
        raise _unusable(where, "a price is negative or no number")
    told = {name: [str(p.input), str(p.output)] for name, p in models.items()}
    return PriceTable(date, models, digest({"date": date, "models": told}))


def _unusable(where: Path, why: str) -> UsageError:
    return UsageError(
        f"The price table can't be used: {why}",
        where=str(where),
        fix='Write {"date": "2026-11-30", "models": {"openai:gpt-4o": {"input": "2.50", "output": "10.00"}}}, '
        "US dollars for a million tokens as text",
    )
