"""What an evaluation used: calls, tokens and cost of the judge model, and the time it took."""

from __future__ import annotations

from collections.abc import Iterable

from glassbox.contract.measurement import JudgeResult
from glassbox.pipeline.ports import Json


def usage_of(results: Iterable[JudgeResult], duration_ms: int) -> Json:
    """Return calls, tokens, cost in US dollars and milliseconds; what one call doesn't know makes its sum unknown."""
    calls = [call for result in results for call in result.calls]
    costs: list[float | None] = [call.get("cost_usd") for call in calls]
    return {
        "llm_calls": len(calls),
        "input_tokens": _sum(call.get("input_tokens") for call in calls),
        "output_tokens": _sum(call.get("output_tokens") for call in calls),
        # An unknown price makes the sum unknown, not smaller.
        "cost_usd": None if None in costs else float(sum(cost for cost in costs if cost is not None)),
        "duration_ms": duration_ms,
    }


def _sum(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total
