"""What a run of a judge pays its judge model: tokens and cost of each question, answered or not, and no text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

COSTS: Final = (
    *("purpose", "backend", "model", "attempts", "input_tokens", "output_tokens", "cost_usd", "price_table"),
    "duration_ms",
)
"""Members of a call that say what it cost."""


def question_cost(call: Mapping[str, Any], error: str | None = None) -> dict[str, Any]:
    """Return what a question cost, as it stands in `JudgeResult.lost`; `error` is the code that it ended in."""
    return {**{name: call.get(name) for name in COSTS}, "error": error}


@dataclass(slots=True)
class Spending:
    """The questions of one run of one judge, in order; filled while the judge runs, so that a fault loses none."""

    _noted: list[tuple[dict[str, Any], bool]] = field(default_factory=list)

    def answered(self, call: Mapping[str, Any], *, kept: bool = False) -> None:
        """Note an answered question; `kept` says that the next run finds the same answer and need not pay again."""
        self._noted.append((question_cost(call), kept))

    def unanswered(self, cost: Mapping[str, Any]) -> None:
        """Note a question that was paid for and ended in an error."""
        self._noted.append((dict(cost), False))

    @property
    def paid(self) -> tuple[dict[str, Any], ...]:
        """Everything that this run's answers and errors cost."""
        return tuple(cost for cost, _ in self._noted)

    @property
    def kept(self) -> tuple[dict[str, Any], ...]:
        """What the answers cost that will be found again."""
        return tuple(cost for cost, kept in self._noted if kept)

    def lost(self, *, judged: bool) -> tuple[dict[str, Any], ...]:
        """Return what was paid for and gave nothing.

        Where the judge came to a result (`judged`) that is each question without an answer; its calls are in the
        result. Where it did not, it is every question whose answer wasn't kept.
        """
        found = (cost for cost, kept in self._noted if not kept)
        return tuple(cost for cost in found if cost["error"] is not None or not judged)
