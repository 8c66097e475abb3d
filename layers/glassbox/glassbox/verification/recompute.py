"""Running the judges of a bundle again: the only check that needs models, and so the only one with a tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import GlassBoxError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.verification.findings import Verification

if TYPE_CHECKING:
    from glassbox.judges.tools import Models

TOLERANCE = 20_000
"""Micros by which a recomputed value may differ: 8-bit models differ in the last digits between processors."""


def recompute(content: Mapping[str, Any], verification: Verification, models: Models) -> None:
    """Note every measurement that the bundled models don't give again, beyond 0.02 or another status.

    Judges that asked a judge model are left out: its calls can't be repeated here.
    """
    try:
        policy, request = Policy(content["policy"]), Request.model_validate(content["request"])
        stored = {name: JudgeResult.model_validate(content["results"][name]) for name in policy.judges}
    except (GlassBoxError, ValidationError, KeyError, TypeError):
        verification.not_checked.append("scores of the models: the bundle's request or results can't be read")
        return
    for name, result in stored.items():
        if result.engine == "llm":
            verification.not_checked.append(f"{name}: its judge model's calls can't be repeated here")
            continue
        again = judge_named(name)(request, policy, Tools(models=models))
        _compare(name, result, again, verification)
    verification.checks.append(f"every local judge run again; values may differ by {TOLERANCE / 1e6:g} at most")


def _compare(judge: str, stored: JudgeResult, again: JudgeResult, verification: Verification) -> None:
    where = f"/content/results/{judge}"
    if stored.models != again.models:
        verification.add(
            "recompute", f"{where}/models", "the models here are not those that judged; their numbers may differ"
        )
    fresh = {m.name: m for m in again.measurements}
    for index, measurement in enumerate(stored.measurements):
        other = fresh.pop(measurement.name, None)
        if other is None or _differ(measurement, other):
            verification.add(
                "recompute",
                f"{where}/measurements/{index}",
                f"{measurement.name} comes out otherwise when it is computed again",
                _words(other) if other else "nothing",
                _words(measurement),
            )
    for name in fresh:
        verification.add("recompute", where, f"{name} is missing in the bundle")


def _differ(a: Measurement, b: Measurement) -> bool:
    if a.status is not b.status:
        return True
    return a.micros is not None and b.micros is not None and abs(a.micros - b.micros) > TOLERANCE


def _words(m: Measurement) -> str:
    return m.status.value if m.micros is None else f"{m.micros / 1e6:.6f}"
