"""Orders to the evaluator inside the evaluated text: found, named by field and rule, never followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from glassbox.contract.measurement import Flag
from glassbox.contract.policy import Policy
from glassbox.contract.request import Request
from glassbox.text.injection import Injection, detect_injection

_OWNER = "semantic_faithfulness"
_SEAM = 400


def injection_flags(request: Request, policy: Policy, judge: str) -> tuple[Flag, ...]:
    """Return one `injection_suspected` flag for each suspicious field, where it is this judge's turn to look.

    Semantic faithfulness looks, or the policy's first judge where that is switched off: so every evaluation is
    searched exactly once. Neighbouring fields are read across their seam too, and an order found there is told of the
    first of the two. Each flag's detail names the field's path, the first rule and its offsets, and every rule
    that was met with the number of places; never the text.
    """
    turn = _OWNER if policy.enabled(_OWNER) else next(iter(policy.judges), None)
    if judge != turn:
        return ()
    fields = list(_fields(request))
    found = {path: detect_injection(text) for path, text in fields}
    for (path, text), (beyond, next_text) in pairwise(fields):
        # An order may be split over two fields: only what lies across a seam of two clean ones is new.
        if not found[path] and not found[beyond]:
            found[path] = across_seam(text, next_text)
    return tuple(
        Flag(code="injection_suspected", detail=_detail(path, orders)) for path, orders in found.items() if orders
    )


def across_seam(first: str, second: str) -> tuple[Injection, ...]:
    """Return the orders that begin in the first text and end in the second, with their offsets in the first.

    Read are the last and the first 400 characters, joined with a space and without one (a word may be split too).
    """
    tail, head = first[-_SEAM:], second[:_SEAM]
    offset = len(first) - len(tail)
    for glue in (" ", ""):
        crossing = tuple(
            Injection(one.rule, offset + one.start, len(first))
            for one in detect_injection(tail + glue + head)
            if one.start < len(tail) and one.end > len(tail) + len(glue)
        )
        if crossing:
            return crossing
    return ()


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
