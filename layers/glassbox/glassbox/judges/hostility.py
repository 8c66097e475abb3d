"""Orders to the evaluator inside the evaluated text: found, named by field and rule, never followed."""

from __future__ import annotations

from collections.abc import Iterator

from glassbox.contract.measurement import Flag
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.text.injection import detect_injection

_OWNER = "semantic_faithfulness"


def injection_flags(request: Request, policy: Policy, judge: str) -> tuple[Flag, ...]:
    """Return one `injection_suspected` flag for each suspicious place, where it is this judge's turn to look.

    Semantic faithfulness looks, or the policy's first judge where that is switched off: so every evaluation is
    searched exactly once. Each flag's detail names the field's path, the rule and the offsets, never the text.
    """
    turn = _OWNER if policy.enabled(_OWNER) else next(iter(policy.judges), None)
    if judge != turn:
        return ()
    return tuple(
        Flag(code="injection_suspected", detail={"path": path, "rule": item.rule, "start": item.start, "end": item.end})
        for path, text in _fields(request)
        for item in detect_injection(text)
    )


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
