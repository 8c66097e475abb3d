"""Everything that a page shows, gathered once from an envelope; the templates only lay it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glassbox.report import bounds, words
from glassbox.report.asked import Asked, asked_of
from glassbox.report.bounds import Shortened
from glassbox.report.evidence import (
    Alignment,
    Claim,
    Name,
    Relation,
    alignments_of,
    claims_of,
    counts_of,
    names_of,
    relations_of,
)
from glassbox.report.findings import Finding, Flag, effects_of, findings_of, flags_of, grouped, weights_of, with_bar
from glassbox.report.marking import Run, Span, runs
from glassbox.report.measures import Judge, Measure, judges_of
from glassbox.report.passages import Passage, irrelevant_in, passages_of
from glassbox.report.plain import shorten
from glassbox.report.read import array, listed, mapping, moment, text
from glassbox.report.trail import Group, groups_of, record_digest
from glassbox.report.verdict import Verdict, verdict_of


@dataclass(frozen=True, slots=True)
class View:
    """One evaluation, ready to lay out."""

    evaluation_id: str
    created_at: str
    record_digest: str
    verdict: Verdict
    judges: tuple[Judge, ...]
    findings: tuple[tuple[str, str, str, tuple[Finding, ...]], ...]
    """Severity, its words, its symbol and the findings of it, the worst first."""
    query: str
    answer: tuple[Run, ...]
    answer_cut: str
    claims: tuple[Claim, ...]
    claims_by_number: Mapping[int, Claim]
    counts: tuple[tuple[str, str, str, int], ...]
    """Code, symbol, label and number of claims of each verdict."""
    names: tuple[Name, ...]
    relations: tuple[Relation, ...]
    passages: tuple[Passage, ...]
    alignments: tuple[Alignment, ...]
    absences: tuple[tuple[str, Measure], ...]
    """Judge and measurement of everything that was to be weighed and has no value."""
    renormalised: tuple[str, ...]
    flags: tuple[Flag, ...]
    asked: Asked | None
    """What a judge model was asked; None where none was."""
    trail: tuple[Group, ...]
    shortened: tuple[str, ...]


def view_of(envelope: Mapping[str, Any], ledger: Mapping[str, Any] | None, usage: Mapping[str, Any] | None) -> View:
    """Return everything that a page shows of an envelope; never raises for what the envelope holds."""
    short = Shortened()
    core, content = mapping(envelope.get("core")), mapping(envelope.get("content"))
    request = mapping(content.get("request"))
    whole = text(request.get("answer"))
    answer = short.text(whole, bounds.ANSWER, "answer")
    judges, flags = judges_of(core, short), flags_of(core, request, short)
    claims, names = claims_of(envelope, short), names_of(envelope, short)
    relations = relations_of(envelope, short)
    effects = effects_of(core, mapping(content.get("policy")))
    findings = findings_of(judges, claims, names, relations, flags, effects, irrelevant_in(envelope))
    return View(
        evaluation_id=shorten(text(core.get("evaluation_id")), bounds.FIELD),
        created_at=moment(shorten(text(core.get("created_at")), bounds.FIELD)),
        record_digest=record_digest(envelope),
        verdict=verdict_of(core, *weights_of(findings)),
        judges=tuple(judges),
        findings=grouped(short.items(with_bar(findings, core), bounds.FINDINGS, "findings in “What exactly is wrong”")),
        query=short.text(text(request.get("query")), bounds.QUERY, "question"),
        answer=tuple(_marked(answer, claims, names)),
        answer_cut=f"The first {len(answer):,} of {len(whole):,} characters are shown." if answer != whole else "",
        claims=tuple(claims),
        claims_by_number={c.number: c for c in claims},
        counts=counts_of(envelope),
        names=tuple(names),
        relations=tuple(relations),
        passages=tuple(passages_of(envelope, claims, short)),
        alignments=tuple(alignments_of(envelope, short)),
        absences=tuple((j.title, m) for j in judges for m in j.measures if m.weighed and m.value is None),
        renormalised=_renormalised(core),
        flags=tuple(flags),
        asked=asked_of(envelope, short),
        trail=tuple(groups_of(envelope, ledger, usage)),
        shortened=tuple(short.notes),
    )


def _marked(answer: str, claims: list[Claim], names: list[Name]) -> list[Run]:
    return runs(
        answer,
        [Span(c.start, c.end, c.number) for c in claims if c.start is not None and c.end is not None],
        [Span(start, end, 0) for n in names if not n.found for start, end in n.spans],
    )


def _renormalised(core: Mapping[str, Any]) -> tuple[str, ...]:
    paths = [text(path) for path in array(core.get("renormalised"))]
    return listed([shorten(words.measurement(path).title, bounds.FIELD) for path in paths], bounds.FACTS)
