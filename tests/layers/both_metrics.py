"""Run inside the built layers, by their Python: import the evaluators, run both metrics, print what it took."""

from __future__ import annotations

import importlib
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

BEGAN = time.process_time()
CLAIM = "The kettle comes with a warranty of 24 months."
PASSAGE = "Every kettle comes with a warranty of 24 months."


def measured() -> dict[str, Any]:
    """Return CPU seconds of the imports, and what both judges said on a scripted judge model."""
    from glassbox.contract.parsing import request_from
    from glassbox.contract.policy import built_in
    from glassbox.judges.registry import judge_named
    from glassbox.judges.tools import Tools
    from glassbox.models.registry import Registry

    tools = Tools(models=Registry(Path(sys.argv[1])), llm=Scripted(), salt=b"s" * 32)
    request = request_from(
        {
            "query": "How long is the kettle's warranty?",
            "answer": CLAIM,
            "retrieved_passages": [PASSAGE, "The shop opens at nine."],
        }
    )
    found = {}
    for name in ("contextual_precision", "semantic_faithfulness"):
        result = judge_named(name)(request, built_in("default"), tools)
        found[name] = {
            "engine": result.engine,
            "libraries": list(result.libraries),
            "scores": {m.name: m.micros for m in result.measurements if m.micros is not None},
            "calls": len(result.calls),
        }
    return found


class Scripted:
    """A judge model that finds everything supported by the first passage."""

    identity = "openai:scripted"

    def ask(self, question: Any) -> Any:
        from glassbox.llm.types import Answer, Call

        text = "\n".join(message.content for message in question.messages)
        value = question.response.model_validate(reply(question.purpose, text))
        if question.check is not None:
            question.check(value)
        digest = "sha256:" + "0" * 64
        call = Call(
            purpose=question.purpose,
            backend="openai",
            model="scripted",
            served_model=None,
            system_fingerprint=None,
            prompt_digest=digest,
            schema_digest=digest,
            reply_digest=digest,
            seed=7,
            temperature=0.0,
            max_tokens=question.max_tokens,
            finish_reason="stop",
            attempts=1,
            repaired=False,
            input_tokens=1,
            output_tokens=1,
            cost_usd=None,
            price_table=digest,
            duration_ms=0,
        )
        return Answer(value, call)


def reply(purpose: str, text: str) -> dict[str, Any]:
    """Return what the scripted model says; a question that it doesn't know is a fault of this script."""
    if purpose == "contextual_precision.verdicts":
        size = max(int(number) for number in re.findall(r"Passage (\d+):", text))
        verdicts = [{"index": i, "reason": "said", "verdict": "yes" if i == 1 else "no"} for i in range(1, size + 1)]
        return {"verdicts": verdicts}
    if purpose == "faithfulness.statements":
        return {"statements": [CLAIM]}
    if purpose == "faithfulness.verdicts":
        told = {"index": 1, "statement": CLAIM, "passage": 1, "quote": PASSAGE, "reason": "said", "verdict": 1}
        return {"statements": [told]}
    if purpose == "answer_relevancy.question":
        return {"question": "How long is the kettle's warranty?", "noncommittal": 0}
    raise KeyError(purpose)


def main() -> None:
    """Print one JSON object."""
    import aws_lambda_powertools
    import onnxruntime
    import tokenizers

    for library in ("deepeval", "ragas"):
        importlib.import_module(f"glassbox.judges.llm.{library}")
    told: dict[str, Any] = {"import_cpu": round(time.process_time() - BEGAN, 3)}
    told["from"] = sorted(
        {Path(m.__file__).parents[1].as_posix() for m in (aws_lambda_powertools, onnxruntime, tokenizers)}
    )
    told["judges"] = measured()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
