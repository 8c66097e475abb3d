"""Leaves of several runs: verdicts follow from the votes of a jury, and one score from those of its members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from glassbox.contract.measurement import Measurement
from glassbox.judges.llm.jury import majority, prevailing
from glassbox.judges.llm.relevancy import combined
from glassbox.judges.relevancy import mean_relevancy

if TYPE_CHECKING:
    from glassbox.verification.leaves import Notes

_WORDS = {"s": "supported", "c": "contradicted", "u": "unsupported", "i": "inconclusive"}
_BITS = {"1": True, "0": False, None: None}


def check_votes(measurement: Measurement, notes: Notes) -> None:
    """Note every verdict that the runs' votes don't give; a measurement of one run has none."""
    runs = _runs(measurement)
    if not runs:
        return
    weights = _weights(measurement)
    for number, item in enumerate(measurement.evidence):
        votes = [(str(run["votes"])[number], weights[run["member"]]) for run in runs]
        if "verdict" in item:
            given: Any = prevailing([(_WORDS[letter], weight) for letter, weight in votes]) or "inconclusive"
            told: Any = item["verdict"]
        else:
            given, told = _BITS[majority(votes)], item["relevant"]
        if given != told:
            notes.add(measurement.name, "not the verdict that the votes give", within=f"/evidence/{number}")


def raw_relevancy(measurement: Measurement) -> float:
    """Return the raw relevancy that the generated questions of all runs give."""
    drawn = measurement.evidence
    runs = _runs(measurement)
    if not runs:
        return _mean(drawn)
    weights = _weights(measurement)
    raws = [_mean([item for item in drawn if item["run"] == number]) for number in range(len(runs))]
    return combined(raws, [weights[run["member"]] for run in runs], measurement.detail.get("jury", _ALONE)["consensus"])


_ALONE = {"consensus": "mean"}


def _mean(drawn: Sequence[Mapping[str, Any]]) -> float:
    return mean_relevancy([float(item["cosine"]) for item in drawn], [bool(item["noncommittal"]) for item in drawn])


def _runs(measurement: Measurement) -> list[dict[str, Any]]:
    return list(measurement.detail.get("runs", ()))


def _weights(measurement: Measurement) -> dict[int, float]:
    jury = measurement.detail.get("jury")
    return {0: 1.0} if jury is None else {n: float(m["weight"]) for n, m in enumerate(jury["members"])}
