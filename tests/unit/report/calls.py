"""An evaluation whose verdicts a judge model gave, with the calls as the port records them."""

from __future__ import annotations

from typing import Any

from glassbox.contract.measurement import JudgeResult
from glassbox.scorecard.derive import derive
from glassbox.scorecard.usage import usage_of
from tests.unit.report import factory

JUDGES = ("contextual_precision", "semantic_faithfulness")
IDENTITY = "openai:judge-small"
PRICES = "sha256:" + "5e" * 32


def call(purpose: str, number: int, **more: Any) -> dict[str, Any]:
    """A call as the port records it."""
    digests = {f"{name}_digest": f"sha256:{number:02x}" + "d0" * 31 for name in ("prompt", "schema", "reply")}
    return {
        "purpose": purpose,
        "backend": "openai",
        "model": "judge-small",
        "served_model": "judge-small-2026-10-01",
        "system_fingerprint": "fp_17",
        **digests,
        "seed": 7,
        "temperature": 0.0,
        "max_tokens": 1024,
        "finish_reason": "stop",
        "attempts": 1,
        "repaired": False,
        "input_tokens": 1200 + number,
        "output_tokens": 90,
        "cost_usd": 0.00021,
        "price_table": PRICES,
        "duration_ms": 640,
        **more,
    }


CALLS = {
    "contextual_precision": [call("contextual_precision.verdicts", 1)],
    "semantic_faithfulness": [
        call("faithfulness.statements", 2),
        call("faithfulness.verdicts", 3, attempts=3, repaired=True),
    ],
}


def envelope(calls: dict[str, list[dict[str, Any]]] | None = None) -> dict[str, Any]:
    """The factory's evaluation as it would be, had a judge model given the verdicts."""
    content = factory.envelope()["content"]
    content["policy"]["judge_models"] = dict.fromkeys(JUDGES, IDENTITY)
    for judge, made in (CALLS if calls is None else calls).items():
        content["results"][judge] |= {"engine": "llm", "calls": made}
    return derive(content).envelope(content)


def usage(made: dict[str, Any]) -> dict[str, Any]:
    """Usage as the scorecard holds it."""
    return usage_of([JudgeResult.model_validate(r) for r in made["content"]["results"].values()], 2100)
