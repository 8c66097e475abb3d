"""What a flag saw, in plain words, for the details that judges write; an unknown detail is listed as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from glassbox.report import bounds, words
from glassbox.report.plain import shorten
from glassbox.report.read import Fact, array, decimal, facts, index, listed, mapping, number, of_n, share, text

_PATH: Final = re.compile(
    r"\$\.(query|answer|expected_answer|retrieved_passages|source_documents|retrieved_entities)"
    r"(?:\[([0-9]{1,6})\](\.text)?)?"
)
_PLACES: Final = {
    "query": "the question",
    "answer": "the answer",
    "expected_answer": "the expected answer",
    "retrieved_passages": "passage {}",
    "source_documents": "source document {}",
    "retrieved_entities": "expected entity {}",
}
_MANY: Final = 1_000_000
_AROUND: Final = 60


class Told(NamedTuple):
    """What a flag says, the words that it is about, and details that have no wording of their own."""

    says: str
    quote: str
    facts: tuple[Fact, ...]


def told(code: str, detail: Mapping[str, Any], request: Mapping[str, Any]) -> Told:
    """Return what a flag saw; `request` may be empty, then the words themselves can't be shown."""
    teller = _TELLERS.get(code)
    found = teller(detail, request) if teller else None
    if found is not None:
        return found
    shown = facts(detail, limit=bounds.FACTS, characters=bounds.FIELD)
    return Told(words.flag(code).explains, "", tuple(shown))


def numbered(values: Any) -> str:
    """Return indices from 0 as ranks from 1 in words: `1, 2 and 5`."""
    ranks = [str(i + 1) for i in (index(v, _MANY) for v in array(values)) if i is not None]
    if len(ranks) > bounds.FACTS:
        ranks = [*ranks[: bounds.FACTS], f"{len(ranks) - bounds.FACTS:,} more"]
    return " and ".join(part for part in (", ".join(ranks[:-1]), *ranks[-1:]) if part)


def _duplicates(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    groups = [numbered(group) for group in array(detail.get("groups"))]
    if not all(groups) or not groups:
        return None
    says = listed([f"Passages {group} say the same." for group in groups], bounds.FACTS)
    return Told(" ".join(says), "", ())


def _injection(detail: Mapping[str, Any], request: Mapping[str, Any]) -> Told | None:
    match = _PATH.fullmatch(text(detail.get("path")))
    if match is None:
        return None
    member, at = match.group(1), None if match.group(2) is None else int(match.group(2))
    place = _PLACES[member].format("" if at is None else at + 1)
    value: Any = request.get(member)
    if at is not None:
        value = array(value)[at] if at < len(array(value)) else ""
    whole = text(value.get("text") if isinstance(value, Mapping) else value)
    start, end = index(detail.get("start"), len(whole)), index(detail.get("end"), len(whole) + 1)
    quote = "" if start is None or end is None else whole[max(start - _AROUND, 0) : end + _AROUND]
    rule = shorten(text(detail.get("rule")), bounds.FIELD)
    return Told(f"In {place}: reads like instructions to an evaluator (rule {rule}).", shorten(quote, bounds.QUOTE), ())


def _numbers(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    claim = index(detail.get("claim"), _MANY)
    numbers = [mapping(n) for n in array(detail.get("numbers"))]
    if claim is None or not numbers:
        return None
    each = [
        f"{shorten(text(n.get('number')), 80)} ({'stated otherwise' if n.get('conflicting') is True else 'not there'})"
        for n in numbers
    ]
    return Told(f"Claim {claim + 1} against its evidence: {', '.join(listed(each, bounds.FACTS))}.", "", ())


def _contradicted(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    claim, passage = index(detail.get("claim"), _MANY), index(detail.get("passage"), _MANY)
    if claim is None:
        return None
    return Told(
        f"Claim {claim + 1}: {'a passage' if passage is None else f'passage {passage + 1}'} says otherwise.", "", ()
    )


def _unwarranted(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    passages = numbered(detail.get("relevant_passages"))
    return Told(f"The answer declines, but passage {passages} could answer.", "", ()) if passages else None


def _below(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    value, target = share(detail.get("value")), share(detail.get("target"))
    if value is None or target is None:
        return None
    title = shorten(words.measurement(text(detail.get("measurement"))).title, bounds.FIELD)
    return Told(f"{title}: {decimal(value, target)} measured, target {target:g}.", "", ())


def _novel(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    entity = text(detail.get("entity"))
    return Told(words.flag("novel_entity").explains, shorten(entity, bounds.FIELD), ()) if entity else None


def _relation(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    ends = [shorten(text(detail.get(key)), bounds.FIELD) for key in ("subject", "label", "object")]
    if not ends[0] or not ends[2]:
        return None
    return Told(words.flag("novel_relation").explains, " → ".join(end for end in ends if end), ())


def _copying(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    precision, recall = share(detail.get("precision")), share(detail.get("recall"))
    if precision is None or recall is None:
        return None
    explains = words.flag("selective_copying").explains
    return Told(f"{explains} Precision {precision:.3f}, recall {recall:.3f}.", "", ())


def _language(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    met = ", ".join(listed([shorten(text(code), 20) for code in array(detail.get("languages"))], bounds.FACTS))
    part = shorten(words.measurement(text(detail.get("part"))).title, bounds.FIELD)
    return Told(f"{part}: no bundled model was measured in this language ({met}).", "", ()) if met else None


def _drift(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    cosine = number(detail.get("cosine"))
    if cosine is None:
        return None
    return Told(f"{words.flag('agent_drift').explains} Similarity {cosine:.3f}.", "", ())


def _refusal(detail: Mapping[str, Any], _: Mapping[str, Any]) -> Told | None:
    passages = index(detail.get("passages"), _MANY)
    if passages is None:
        return None
    return Told(f"The answer declines, and none of {of_n(passages, 'passage')} could answer.", "", ())


_TELLERS: Final[dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Told | None]]] = {
    "duplicate_passages": _duplicates,
    "injection_suspected": _injection,
    "number_mismatch": _numbers,
    "contradicted_claim": _contradicted,
    "unwarranted_refusal": _unwarranted,
    "appropriate_refusal": _refusal,
    "below_target": _below,
    "novel_entity": _novel,
    "novel_relation": _relation,
    "selective_copying": _copying,
    "language_unmeasured": _language,
    "agent_drift": _drift,
}
