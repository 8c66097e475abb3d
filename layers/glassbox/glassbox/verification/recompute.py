"""Running the judges of a bundle again: the only check that needs models, and so the only one with a tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from glassbox.contract.judge_name import JudgeName
from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import GlassBoxError, JudgeModelError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.verification.findings import Verification

if TYPE_CHECKING:
    from glassbox.judges.tools import Models


class Recorded(Protocol):
    """Who judged, answering from what was recorded."""

    @property
    def identity(self) -> str | None:
        """Who was recorded."""
        ...

    def tools(self, models: Models, salt: bytes, name: str | None = None) -> Tools:
        """Return what a judge works with, asked as the policy's `name` says."""
        ...


TOLERANCE = 20_000
"""Micros by which a recomputed value may differ: 8-bit models differ in the last digits between processors."""


def recompute(
    content: Mapping[str, Any], verification: Verification, models: Models, recorded: Recorded | None = None
) -> None:
    """Note every measurement that doesn't come out again, beyond 0.02 or with another status.

    Judges that asked a judge model run again over its `recorded` answers, and are left out without them.
    Raises ModelError.
    """
    try:
        policy, request = Policy(content["policy"]), Request.model_validate(content["request"])
        stored = {name: JudgeResult.model_validate(content["results"][name]) for name in policy.judges}
        salt = bytes.fromhex(content["salt"])
    except (GlassBoxError, ValidationError, KeyError, TypeError, ValueError):
        verification.not_checked.append("scores of the models: the bundle's request or results can't be read")
        return
    ran = []
    for name, result in stored.items():
        if result.engine != "llm":
            _compare(name, result, judge_named(name)(request, policy, Tools(models=models)), verification)
            ran.append("every local judge run again")
        elif recorded is None:
            verification.not_checked.append(
                f"{name}: what its judge model said; it is not asked again (--replay repeats recorded answers)"
            )
        elif _repeat(name, result, request, policy, recorded, models, salt, verification):
            ran.append("judges that asked a judge model run again over its recorded answers")
    for what in dict.fromkeys(ran):
        verification.checks.append(f"{what}; values may differ by {TOLERANCE / 1e6:g} at most")


def _repeat(
    name: str,
    stored: JudgeResult,
    request: Request,
    policy: Policy,
    recorded: Recorded,
    models: Models,
    salt: bytes,
    verification: Verification,
) -> bool:
    """Compare a judge with what it gives over recorded answers; return whether there were such answers."""
    bound = policy.judge_model(name)
    theirs = JudgeName.parse(str(recorded.identity)).identity
    if bound is None or JudgeName.parse(bound).identity != theirs:
        verification.not_checked.append(f"{name}: the recorded answers are those of {theirs}, another judge model")
        return False
    try:
        again = judge_named(name)(request, policy, recorded.tools(models, salt, bound))
    except JudgeModelError as error:
        # A question that was never recorded proves nothing about the bundle.
        verification.not_checked.append(f"{name}: {error.what[:1].lower()}{error.what[1:]} ({error.where})")
        return False
    _compare(name, stored, again, verification)
    for member in ("prompt_digest", "reply_digest"):
        if [call.get(member) for call in stored.calls] != [call.get(member) for call in again.calls]:
            verification.add(
                "recompute", f"/content/results/{name}/calls", f"the recorded calls have other digests ({member})"
            )
    return True


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
