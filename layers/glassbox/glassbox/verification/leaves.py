"""Re-deriving every leaf that needs no model from the bundle's texts and the evidence beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from glassbox.contract.measurement import JudgeResult, Measurement
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.errors import GlassBoxError
from glassbox.verification.findings import Verification
from glassbox.verification.precision_leaves import check_precision
from glassbox.verification.semantic_leaves import check_semantic
from glassbox.verification.structural_leaves import check_structural

Check = Callable[[Request, JudgeResult, "Notes"], None]

_CHECKS: dict[str, Check] = {
    "contextual_precision": check_precision,
    "semantic_faithfulness": check_semantic,
    "structural_fidelity": check_structural,
}


class Notes:
    """Differences in one judge's results, noted by measurement."""

    def __init__(self, result: JudgeResult, verification: Verification) -> None:
        self._verification = verification
        self._judge = result.judge
        self._index = {m.name: i for i, m in enumerate(result.measurements)}

    def add(self, name: str, message: str, expected: Any = None, found: Any = None, within: str = "") -> None:
        """Note a difference in a measurement; `within` is the pointer below it."""
        place = self._index.get(name)
        where = f"/content/results/{self._judge}"
        where += f"/measurements/{place}{within}" if place is not None else f"/measurements ({name})"
        self._verification.add("leaf", where, message, expected, found)

    def value(self, measurement: Measurement, micros: int) -> None:
        """Note a value that is not the one computed anew; both in millionths."""
        if measurement.micros != micros:
            self.add(
                measurement.name,
                f"{measurement.name} is not what the texts and the evidence give",
                micros / 1e6,
                None if measurement.micros is None else measurement.micros / 1e6,
                "/micros",
            )


def check_leaves(content: Mapping[str, Any], verification: Verification) -> None:
    """Note every leaf that doesn't follow from texts and evidence; a judge that this version doesn't know is told."""
    try:
        policy, request = Policy(content["policy"]), Request.model_validate(content["request"])
        results = {name: JudgeResult.model_validate(content["results"][name]) for name in policy.judges}
    except (GlassBoxError, ValidationError, KeyError, TypeError):
        verification.not_checked.append("leaves: the bundle's request, policy or results can't be read")
        return
    for name, result in results.items():
        check = _CHECKS.get(name)
        if check is None:
            verification.not_checked.append(f"leaves of {name}: this version doesn't know the judge")
            continue
        try:
            check(request, result, Notes(result, verification))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
            where = f"/content/results/{name}"
            verification.add("leaf", where, f"its evidence can't be read ({type(error).__name__})")
    verification.checks.append(
        "leaves that need no model, from the texts: BLEU, ROUGE, quotes, numbers, claims, relevance bits, entities"
    )
