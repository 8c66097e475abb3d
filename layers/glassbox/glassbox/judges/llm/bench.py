"""Who is asked in one evaluation: one judge model, a jury of several, each once or repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from glassbox.contract.spending import Spending
from glassbox.errors import JudgeModelError
from glassbox.judges.llm.asking import Asker, model_entry
from glassbox.judges.llm.jury import Consensus, stability, summary
from glassbox.judges.tools import Seat

Result = TypeVar("Result")

DRAWS: Final = 3
"""Independent draws that one run takes at most; the next run's begin after them."""


@dataclass(frozen=True, slots=True)
class Run(Generic[Result]):
    """One run of one judge model, and what came of it."""

    member: int
    weight: float
    result: Result


class Bench:
    """The judge models of one evaluation; a member of a jury that fails is left out from then on, and named."""

    def __init__(
        self,
        seats: Sequence[Seat],
        salt: bytes,
        repeats: int,
        consensus: Consensus,
        identity: str,
        spending: Spending | None = None,
    ) -> None:
        """`identity` is who judges as a whole, as the policy names it; `spending` is told of every question."""
        self.identity = identity
        self.consensus = consensus
        self._seats = tuple(seats)
        self._askers = [
            [Asker(seat.model, salt, DRAWS * run, spending) for run in range(max(1, repeats))] for seat in seats
        ]
        self._failed: dict[int, str] = {}

    @property
    def plural(self) -> bool:
        """Whether there is more than one run."""
        return sum(len(askers) for askers in self._askers) > 1

    def first(self, ask: Callable[[Asker], Result]) -> Result:
        """Return what the first member says that can be asked; raises JudgeModelError where none can."""
        return self._runs(ask, once=True)[0].result

    def each(self, ask: Callable[[Asker], Result]) -> list[Run[Result]]:
        """Return what every run says, in the order of members and repeats.

        Raises JudgeModelError where not more than half of a jury answered, and where a single judge model failed.
        """
        return self._runs(ask, once=False)

    def _runs(self, ask: Callable[[Asker], Result], *, once: bool) -> list[Run[Result]]:
        found: list[Run[Result]] = []
        last: JudgeModelError | None = None
        for member, (seat, askers) in enumerate(zip(self._seats, self._askers, strict=True)):
            if member in self._failed:
                continue
            try:
                mine = [Run(member, seat.weight, ask(asker)) for asker in (askers[:1] if once else askers)]
            except JudgeModelError as error:
                if len(self._seats) == 1:
                    raise
                self._failed[member], last = error.code, error
                continue
            found += mine
            if once:
                break
        if 2 * len(self._failed) >= len(self._seats) and last is not None:
            raise last
        return found

    def calls(self) -> tuple[dict[str, Any], ...]:
        """Return every answered question as it stands in a judge's result, also of members that failed later."""
        return tuple(call for askers in self._askers for asker in askers for call in asker.recorded())

    def entries(self, prompts: str) -> set[str]:
        """Return the judge models that answered, as they stand on the ledger; `prompts` is the digest of theirs."""
        return {
            model_entry(seat.model.identity, prompts)
            for seat, askers in zip(self._seats, self._askers, strict=True)
            if any(asker.calls for asker in askers)
        }

    def told(self, runs: Sequence[Run[Any]], scores: Sequence[float | None], votes: Sequence[str]) -> dict[str, Any]:
        """Return the jury and the stability of a measurement, for its detail; nothing where there was one run.

        `scores` and `votes` are those of the runs; a member's score is the mean of its runs'.
        """
        if not self.plural:
            return {}
        by_member: dict[int, list[float | None]] = {}
        for run, score in zip(runs, scores, strict=True):
            by_member.setdefault(run.member, []).append(score)
        members, means, weights = [], [], []
        for member, seat in enumerate(self._seats):
            known = [score for score in by_member.get(member, ()) if score is not None]
            average = sum(known) / len(known) if known else None
            means.append(average)
            weights.append(seat.weight)
            members.append(
                {
                    "judge": seat.model.identity,
                    "weight": seat.weight,
                    "score": None if average is None else round(average, 6),
                    "error": self._failed.get(member),
                }
            )
        told: dict[str, Any] = {"runs": [{"member": r.member, "votes": v} for r, v in zip(runs, votes, strict=True)]}
        if len(self._seats) > 1:
            told["jury"] = {"members": members, "consensus": self.consensus, **summary(means, weights)}
        if any(len(found) > 1 for found in by_member.values()):
            names = {self._seats[member].model.identity: found for member, found in sorted(by_member.items())}
            told["stability"] = stability(names)
        return told
