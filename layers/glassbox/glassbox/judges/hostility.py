"""Orders to the evaluator inside the evaluated text: found, named by field and rule, never followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from glassbox.contract.measurement import Flag
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.text.injection import Injection, detect_injection

_OWNER = "semantic_faithfulness"


def injection_flags(request: Request, policy: Policy, judge: str) -> tuple[Flag, ...]:
    """Return one `injection_suspected` flag for each suspicious field, where it is this judge's turn to look.

    Semantic faithfulness looks, or the policy's first judge where that is switched off: so every evaluation is
    searched exactly once. Each flag's detail names the field's path, the first rule and its offsets, and every rule
    that was met with the number of places; never the text.
    """
    turn = _OWNER if policy.enabled(_OWNER) else next(iter(policy.judges), None)
    if judge != turn:
        return ()
    return tuple(
        Flag(code="injection_suspected", detail=_detail(path, found))
        for path, text in _fields(request)
        if (found := detect_injection(text))
    )


def _detail(path: str, found: Sequence[Injection]) -> dict[str, Any]:
    first = found[0]
    rules = sorted({item.rule for item in found})
    places = {"rule": first.rule, "start": first.start, "end": first.end, "rules": rules, "places": len(found)}
    return {"path": path, **places}


def _fields(request: Request) -> Iterator[tuple[str, str]]:
    yield "$.query", request.query
    yield "$.answer", request.answer
    if request.expected_answer is not None:
        yield "$.expected_answer", request.expected_answer
    for index, passage in enumerate(request.retrieved_passages):
        yield f"$.retrieved_passages[{index}].text", passage.text
    for index, document in enumerate(request.source_documents or ()):
        yield f"$.source_documents[{index}].text", document.text
    for index, entity in enumerate(request.retrieved_entities or ()):
        yield f"$.retrieved_entities[{index}]", entity
