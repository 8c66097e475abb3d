"""What an evaluation used: calls, tokens and cost of the judge model, and the time it took."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from glassbox.contract.measurement import JudgeResult


def usage_of(results: Iterable[JudgeResult], duration_ms: int) -> dict[str, Any]:
    """Return calls, tokens, cost in US dollars and milliseconds; what one call doesn't know makes its sum unknown.

    `llm_calls` counts the questions that were answered; attempts and repairs are in their tokens and cost. What was
    paid for and gave nothing is in the sums too. `price_table` is the digest of the prices that the cost was computed
    with, None without a call, or where the calls of one evaluation were priced by different tables.
    """
    known = list(results)
    calls = [call for result in known for call in result.calls]
    return {**spent_on(calls, [told for result in known for told in result.lost]), "duration_ms": duration_ms}


def spent_on(calls: Sequence[Mapping[str, Any]], lost: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return what calls and lost questions cost together: the members of `usage` but for the time."""
    paid = [*calls, *lost]
    tables = {call.get("price_table") for call in paid}
    return {
        "llm_calls": sum(call.get("error") is None for call in paid),
        "input_tokens": _sum(call.get("input_tokens") for call in paid),
        "output_tokens": _sum(call.get("output_tokens") for call in paid),
        "cost_usd": _cost(call.get("cost_usd") for call in paid),
        "price_table": tables.pop() if len(tables) == 1 else None,
    }


def _sum(counts: Iterable[int | None]) -> int | None:
    found = list(counts)
    return None if None in found else sum(count for count in found if count is not None)


def _cost(costs: Iterable[float | None]) -> float | None:
    """Return the sum to a millionth of a dollar: an unknown price makes it unknown, not smaller."""
    found = list(costs)
    return None if None in found else round(math.fsum(cost for cost in found if cost is not None), 6)
