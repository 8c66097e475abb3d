"""What exactly is wrong with an answer, worst first, each finding with the words that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.evidence import Claim, Name, Relation
from glassbox.report.measures import Judge
from glassbox.report.plain import shorten
from glassbox.report.read import Fact, decimal, facts, mapping, objects, text

_ORDER: Final = ("fail", "inconclusive", "review", "info")
_SYMBOLS: Final = {"fail": "✗", "inconclusive": "?", "review": "!", "info": "i"}
# These flags repeat, one by one, what claims, names, relations and measurements already say.
_TOLD_ELSEWHERE: Final = frozenset({"contradicted_claim", "novel_entity", "novel_relation", "below_target"})
_GOOD: Final = frozenset({"appropriate_refusal"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    severity: str
    severity_words: str
    symbol: str
    title: str
    quote: str
    """The words of the answer or passage that it is about; empty where it is about none."""
    says: str
    """What is wrong with them, in plain words."""
    facts: tuple[Fact, ...]
    anchor: str
    """Fragment on the page that shows it; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag as the record holds it."""

    code: str
    title: str
    explains: str
    severity: str
    severity_words: str
    symbol: str
    judge: str
    facts: tuple[Fact, ...]


def flags_of(core: Mapping[str, Any], short: Shortened) -> list[Flag]:
    """Return every flag, the most severe first."""
    flags = [_flag(f) for f in short.items(objects(core.get("flags")), bounds.FLAGS, "flags")]
    return sorted(flags, key=lambda f: _rank(f.severity))


def _rank(severity: str) -> int:
    return _ORDER.index(severity) if severity in _ORDER else len(_ORDER)


def _flag(item: Mapping[str, Any]) -> Flag:
    code, severity = text(item.get("code")), text(item.get("severity"))
    word = words.flag(code)
    shown, more = facts(item.get("detail"), limit=bounds.FACTS, characters=bounds.FIELD)
    return Flag(
        code=shorten(code, bounds.FIELD),
        title=shorten(word.title, bounds.FIELD),
        explains=word.explains,
        severity=severity if severity in _ORDER else "unknown",
        severity_words=words.SEVERITIES.get(severity, shorten(severity, bounds.FIELD)),
        symbol=_SYMBOLS.get(severity, "?"),
        judge=shorten(words.judge(text(item.get("judge"))).title, bounds.FIELD),
        facts=(*shown, Fact("…", f"{more} more")) if more else tuple(shown),
    )


def effects_of(core: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, str]:
    """Return what each flag code does under the policy of this evaluation, as far as policy or flags tell."""
    # Contradicted claims raise their flag in the record alone; a pass says that they do not fail under this policy.
    effects = {"contradicted_claim": "review" if core.get("decision") == "pass" else "fail"}
    effects |= {text(k): text(v) for k, v in mapping(policy.get("flag_effects")).items()}
    return effects | {text(f.get("code")): text(f.get("severity")) for f in objects(core.get("flags"))}


def findings_of(
    judges: Sequence[Judge],
    claims: Sequence[Claim],
    names: Sequence[Name],
    relations: Sequence[Relation],
    flags: Sequence[Flag],
    effects: Mapping[str, str],
) -> list[Finding]:
    """Return all that is wrong: claims, flags, names, relations, missed targets; the most severe first."""
    found = [
        *_from_claims(claims, effects),
        *_from_flags(flags, bool(claims), bool(names), bool(relations)),
        *_from_names(names, effects),
        *_from_relations(relations, effects),
        *_from_targets(judges, effects),
    ]
    return sorted(found, key=lambda f: _rank(f.severity))


def weights_of(findings: Sequence[Finding]) -> tuple[int, int]:
    """Return how many findings fail the answer and how many keep it from passing."""
    severities = [f.severity for f in findings]
    return severities.count("fail"), severities.count("inconclusive")


def _finding(
    severity: str, title: str, says: str, quote: str = "", anchor: str = "", about: tuple[Fact, ...] = ()
) -> Finding:
    known = severity if severity in _ORDER else "review"
    return Finding(known, words.SEVERITIES[known], _SYMBOLS[known], title, quote, says, about, anchor)


def _from_claims(claims: Sequence[Claim], effects: Mapping[str, str]) -> Iterator[Finding]:
    for claim in claims:
        if claim.verdict == "contradicted":
            says = f"Passage {claim.passage} says otherwise." if claim.passage else "A passage says otherwise."
            severity = effects.get("contradicted_claim", "fail")
        elif claim.verdict == "unsupported":
            says, severity = "No passage backs it.", effects.get("unsupported_claim", "review")
        elif claim.verdict == "inconclusive":
            says, severity = "It could not be decided.", effects.get("undecided_claim", "review")
        else:
            continue
        about = (Fact("Passage", claim.quote),) if claim.quote and claim.verdict == "contradicted" else ()
        title = f"Claim {claim.number} is {claim.label}"
        reason = f"{says} {claim.reason}".strip()
        yield _finding(severity, title, reason, claim.text, f"claim-{claim.number}", about)


def _from_flags(flags: Sequence[Flag], claims: bool, names: bool, relations: bool) -> Iterator[Finding]:
    covered = {"below_target"}
    covered |= {"contradicted_claim"} if claims else set()
    covered |= {"novel_entity"} if names else set()
    covered |= {"novel_relation"} if relations else set()
    for flag in flags:
        if flag.code in covered & _TOLD_ELSEWHERE or flag.code in _GOOD:
            continue
        yield _finding(flag.severity, flag.title, flag.explains, about=flag.facts, anchor="flags")


def _from_names(names: Sequence[Name], effects: Mapping[str, str]) -> Iterator[Finding]:
    for name in names:
        if not name.found:
            says = f"This {name.label or 'name'} occurs nowhere in the sources: a hallucination candidate."
            yield _finding(effects.get("novel_entity", "review"), "Name not in the sources", says, name.text, "names")


def _from_relations(relations: Sequence[Relation], effects: Mapping[str, str]) -> Iterator[Finding]:
    for relation in relations:
        if not relation.found:
            quote = f"{relation.subject} → {relation.label} → {relation.object}"
            says = "The sources do not relate these two."
            yield _finding(
                effects.get("novel_relation", "review"), "Relation not in the sources", says, quote, "relations"
            )


def _from_targets(judges: Sequence[Judge], effects: Mapping[str, str]) -> Iterator[Finding]:
    for number, judge in enumerate(judges, start=1):
        for m in judge.measures:
            if m.passed is False and m.value is not None and m.target is not None:
                short_by = decimal(max(m.target - m.value, 0.0), 0.0)
                says = f"{m.value_text} measured, {m.target_text} wanted; {short_by} short."
                yield _finding(
                    effects.get("below_target", "review"), f"{m.title}: target missed", says, anchor=f"judge-{number}"
                )
