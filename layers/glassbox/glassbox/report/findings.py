"""What exactly is wrong with an answer, worst first, each finding with the words that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.evidence import Claim, Name, Relation
from glassbox.report.measures import Judge, Measure
from glassbox.report.plain import shorten
from glassbox.report.read import Fact, comparison, decimal, mapping, objects, sentence, share, text
from glassbox.report.told import numbered, told

ORDER: Final = ("fail", "inconclusive", "review", "info")
SYMBOLS: Final = {"fail": "✗", "inconclusive": "?", "review": "!", "info": "i"}
_GOOD: Final = frozenset({"appropriate_refusal"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    severity: str
    title: str
    quote: str
    """The words of the answer or passage that it is about; empty where it is about none."""
    against: str
    """The words of the passage that speak against them; empty where none do."""
    passage: int | None
    """Rank of that passage, from 1."""
    opposed: bool
    """Whether that passage contradicts them; otherwise it is merely the closest."""
    says: str
    """What is wrong, in plain words."""
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
    says: str
    quote: str
    facts: tuple[Fact, ...]


def flags_of(core: Mapping[str, Any], request: Mapping[str, Any], short: Shortened) -> list[Flag]:
    """Return every flag, the most severe first."""
    flags = [_flag(f, request) for f in short.items(objects(core.get("flags")), bounds.FLAGS, "flags")]
    return sorted(flags, key=lambda f: _rank(f.severity))


def _rank(severity: str) -> int:
    return ORDER.index(severity) if severity in ORDER else len(ORDER)


def _flag(item: Mapping[str, Any], request: Mapping[str, Any]) -> Flag:
    code, severity = text(item.get("code")), text(item.get("severity"))
    word, found = words.flag(code), told(code, mapping(item.get("detail")), request)
    return Flag(
        code=shorten(code, bounds.FIELD),
        title=shorten(word.title, bounds.FIELD),
        explains=word.explains,
        severity=severity if severity in ORDER else "unknown",
        severity_words=words.SEVERITIES.get(severity, shorten(severity, bounds.FIELD)),
        symbol=SYMBOLS.get(severity, "?"),
        judge=shorten(words.judge(text(item.get("judge"))).title, bounds.FIELD),
        says=found.says,
        quote=found.quote,
        facts=found.facts,
    )


def effects_of(core: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, str]:
    """Return what each flag code does under the policy of this evaluation, as far as policy or flags tell."""
    # A scorecard without its policy: a pass says that contradicted claims do not fail under it.
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
    irrelevant: Sequence[int] = (),
) -> list[Finding]:
    """Return all that is wrong: claims, flags, names, relations, missed targets; the most severe first."""
    found = [
        *_from_claims(claims, effects),
        *_from_flags(flags, claims, names, relations),
        *_from_names(names, effects),
        *_from_relations(relations, effects),
        *_from_targets(judges, effects, irrelevant),
    ]
    return sorted(found, key=lambda f: _rank(f.severity))


def weights_of(findings: Sequence[Finding]) -> tuple[int, int]:
    """Return how many findings fail the answer and how many keep it from passing."""
    severities = [f.severity for f in findings]
    return severities.count("fail"), severities.count("inconclusive")


def with_bar(findings: Sequence[Finding], core: Mapping[str, Any]) -> list[Finding]:
    """Return the findings, and among those that fail the answer a trust score below the bar."""
    bar = mapping(core.get("bar"))
    trust, target = share(core.get("trust_score")), share(bar.get("value"))
    if trust is None or target is None or core.get("decision") != "fail" or trust > target:
        return list(findings)
    if trust == target and bar.get("comparator") == ">=":
        return list(findings)
    missed = _finding(
        "fail", "Trust score: below the bar", _gap(trust, target, comparison(bar.get("comparator"), target))
    )
    return sorted([*findings, missed], key=lambda f: _rank(f.severity))


def _gap(value: float, target: float, wanted: str) -> str:
    return f"{decimal(value, target)} measured, {wanted} wanted; {decimal(max(target - value, 0.0), 0.0)} short."


def grouped(findings: Sequence[Finding]) -> tuple[tuple[str, str, str, tuple[Finding, ...]], ...]:
    """Return severity, its words, its symbol and the findings of each severity that occurs, the worst first."""
    groups = ((s, tuple(f for f in findings if f.severity == s)) for s in ORDER)
    return tuple((s, words.SEVERITIES[s], SYMBOLS[s], group) for s, group in groups if group)


def _finding(
    severity: str,
    title: str,
    says: str,
    *,
    quote: str = "",
    against: str = "",
    passage: int | None = None,
    opposed: bool = False,
    about: tuple[Fact, ...] = (),
    anchor: str = "",
) -> Finding:
    known = severity if severity in ORDER else "review"
    return Finding(known, title, quote, against, passage, opposed, says, about, anchor)


def _from_claims(claims: Sequence[Claim], effects: Mapping[str, str]) -> Iterator[Finding]:
    for claim in claims:
        severity = {
            "contradicted": effects.get("contradicted_claim", "fail"),
            "unsupported": effects.get("unsupported_claim", "review"),
            "inconclusive": "review",
        }.get(claim.verdict, "info")
        if claim.numbers:
            severity = min(severity, effects.get("number_mismatch", "fail"), key=_rank)
        elif claim.verdict == "supported":
            continue
        numbers = f"Not in the evidence: {', '.join(claim.numbers)}." if claim.numbers else ""
        yield _finding(
            severity,
            f"Claim {claim.number} is {claim.label}" + (", a number differs" if claim.numbers else ""),
            " ".join(part for part in (sentence(claim.reason), numbers) if part),
            quote=claim.text,
            against=claim.quote,
            passage=claim.passage,
            opposed=claim.verdict == "contradicted",
            anchor=f"claim-{claim.number}",
        )


def _from_flags(
    flags: Sequence[Flag], claims: Sequence[Claim], names: Sequence[Name], relations: Sequence[Relation]
) -> Iterator[Finding]:
    """Return the flags that claims, names, relations and measurements don't already tell one by one."""
    covered = {"below_target"}
    covered |= {"contradicted_claim"} if claims else set()
    covered |= {"number_mismatch"} if any(c.numbers for c in claims) else set()
    covered |= {"novel_entity"} if any(not n.found for n in names) else set()
    covered |= {"novel_relation"} if any(not r.found for r in relations) else set()
    for flag in flags:
        if flag.code not in covered and flag.code not in _GOOD:
            yield _finding(flag.severity, flag.title, flag.says, quote=flag.quote, about=flag.facts)


def _from_names(names: Sequence[Name], effects: Mapping[str, str]) -> Iterator[Finding]:
    for name in names:
        if not name.found:
            says = f"This {name.label or 'name'} occurs nowhere in the sources: a hallucination candidate."
            severity = effects.get("novel_entity", "review")
            yield _finding(severity, "Name not in the sources", says, quote=name.text, anchor="names")


def _from_relations(relations: Sequence[Relation], effects: Mapping[str, str]) -> Iterator[Finding]:
    for relation in relations:
        if not relation.found:
            quote = f"{relation.subject} → {relation.label} → {relation.object}"
            says, severity = "The sources do not relate these two.", effects.get("novel_relation", "review")
            yield _finding(severity, "Relation not in the sources", says, quote=quote, anchor="relations")


def _from_targets(judges: Sequence[Judge], effects: Mapping[str, str], irrelevant: Sequence[int]) -> Iterator[Finding]:
    severity = effects.get("below_target", "review")
    for place, judge in enumerate(judges, start=1):
        missed: list[Judge | Measure] = [judge] if judge.passed is False else []
        missed += [m for m in judge.measures if m.passed is False]
        for item in missed:
            value = item.score if isinstance(item, Judge) else item.value
            if value is not None and item.target is not None:
                says = _gap(value, item.target, item.target_text)
                if isinstance(item, Measure) and item.name == "contextual_precision" and irrelevant:
                    says += f" Not relevant: passage{'s' if len(irrelevant) > 1 else ''} {numbered(irrelevant)}."
                yield _finding(severity, f"{item.title}: target missed", says, anchor=f"judge-{place}")
