"""The scorecard as a table for a terminal, readable at 80 columns, without colour and through a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from glassbox.report.asked import models_of, usage_words
from glassbox.report.bounds import Shortened
from glassbox.report.evidence import claims_of, names_of, relations_of
from glassbox.report.findings import Finding, effects_of, findings_of, flags_of, grouped, weights_of, with_bar
from glassbox.report.measures import Judge, Measure, judges_of
from glassbox.report.passages import irrelevant_in
from glassbox.report.plain import one_line, shorten
from glassbox.report.read import mapping, of_n, text
from glassbox.report.verdict import Verdict, verdict_of

_NAME: Final = 80
_QUOTE: Final = 160
_SCATTER: Final = 400
_FINDINGS: Final = 12
_STYLES: Final = {
    "pass": "bold green",
    "fail": "bold red",
    "inconclusive": "bold yellow",
    "review": "yellow",
    "info": "blue",
}


def print_scorecard(scorecard: Mapping[str, Any], console: Console) -> None:
    """Print one evaluation: decision and trust, states, every weighed measurement, what is wrong, ledger position.

    ``scorecard`` is a scorecard or its core. Evaluated text is shortened and can neither style the output nor send
    the terminal a command.
    """
    short = Shortened()
    envelope = {"core": scorecard}
    judges, flags = judges_of(scorecard, short), flags_of(scorecard, {}, short)
    names, relations = names_of(envelope, short), relations_of(envelope, short)
    effects = effects_of(scorecard, {})
    irrelevant = irrelevant_in(envelope)
    findings = findings_of(judges, claims_of(envelope, short), names, relations, flags, effects, irrelevant)
    verdict = verdict_of(scorecard, *weights_of(findings))
    console.print(_title(verdict))
    console.print(_plain(verdict.sentence))
    console.print(_plain(" · ".join(f"{title}: {shorten(value, _NAME)}" for title, value, _, _ in verdict.states)))
    console.print(_plain(f"Evaluation {_name(text(scorecard.get('evaluation_id')))}", "dim"))
    console.print()
    console.print(_table(judges))
    _print_findings(with_bar(findings, scorecard), console)
    _print_flags([f"{_name(f.code)} ({_name(f.severity_words)})" for f in flags], console)
    for line in (*_asked(scorecard), *_scatter(judges)):
        console.print(_plain(line))
    console.print(_plain(_ledger(mapping(scorecard.get("ledger")))))


def _plain(value: str, style: str = "") -> Text:
    """Return text that rich takes literally, on one line, with nothing in it that a terminal obeys."""
    return Text(one_line(value), style=style, overflow="fold")


def _title(verdict: Verdict) -> Text:
    style = _STYLES.get(verdict.decision, "bold")
    line = Text.assemble((f"{verdict.symbol} {_name(verdict.label).upper()}", style), overflow="fold")
    trust = f"trust score {verdict.trust_text}" if verdict.trust is not None else "no trust score"
    line.append(f"  {trust}, the bar is {verdict.bar_text}")
    return line


def _table(judges: list[Judge]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("Measurement", overflow="fold", min_width=24)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("Target", no_wrap=True)
    table.add_column("Result", overflow="fold")
    table.add_column("Engine", overflow="fold", min_width=6)
    for judge in judges:
        score = judge.score_text if judge.score is not None else "none"
        engine = "–" if judge.engine_code is None else _name(judge.engine_code)
        table.add_row(
            _plain(_name(judge.name), "bold"),
            Text(score, "bold"),
            Text(),
            _plain(_absence(judge) or "score"),
            _plain(engine),
        )
        for measure in judge.measures:
            # Where a whole judge has no score for one reason, its own line says it all.
            if measure.weighed and not judge.reason:
                table.add_row(*_row(measure), _plain(measure.engine, "dim"))
        table.add_section()
    return table


def _absence(item: Judge | Measure) -> str:
    return _quote(f"{item.absence}: {item.reason}" if item.reason else item.absence)


def _row(measure: Measure) -> Iterator[Text]:
    yield Text("  " * (measure.depth + 1)) + _plain(_name(measure.name))
    yield Text("none" if measure.value is None else measure.value_text)
    yield Text(measure.target_sign)
    if measure.value is None:
        yield _plain(_absence(measure), "dim")
    else:
        style = "green" if measure.passed else "red" if measure.passed is False else "dim"
        yield _plain(f"{measure.symbol} {measure.outcome}", style)


def _print_findings(findings: list[Finding], console: Console) -> None:
    if not findings:
        console.print(_plain("What is wrong: nothing was found in what was measured."))
        return
    console.print(_plain(f"What is wrong ({of_n(len(findings), 'finding')})", "bold"))
    for severity, severity_words, symbol, group in grouped(findings[:_FINDINGS]):
        console.print(_plain(f"{symbol} {severity_words}", _STYLES.get(severity, "")))
        for finding in group:
            _print_finding(finding, console)
    if len(findings) > _FINDINGS:
        console.print(_plain(f"and {len(findings) - _FINDINGS} more: see the report"))


def _print_finding(finding: Finding, console: Console) -> None:
    lines = [(_quote(finding.title), "bold")]
    if finding.against:
        where = f"passage {finding.passage}" if finding.passage else "a passage"
        lines.append((f"the answer: “{_quote(finding.quote)}”", ""))
        lines.append((f"{where if finding.opposed else f'closest, {where}'}: “{_quote(finding.against)}”", ""))
    elif finding.quote:
        lines.append((f"“{_quote(finding.quote)}”", ""))
    lines.append((_quote(finding.says), "dim"))
    lines += [(f"{shorten(one_line(fact.key), 40)}: {_quote(fact.value)}", "dim") for fact in finding.facts]
    for indent, (line, style) in zip((2, *[4] * len(lines)), lines, strict=False):
        if line:
            console.print(Padding(_plain(line, style), (0, 0, 0, indent)))


def _name(value: str) -> str:
    return shorten(one_line(value), _NAME)


def _quote(value: str) -> str:
    return shorten(one_line(value), _QUOTE)


def _print_flags(codes: list[str], console: Console) -> None:
    if not codes:
        console.print(_plain("Flags: none"))
        return
    counted = [f"{code} ×{codes.count(code)}" if codes.count(code) > 1 else code for code in dict.fromkeys(codes)]
    console.print(_plain("Flags: " + ", ".join(counted)))


def _asked(scorecard: Mapping[str, Any]) -> list[str]:
    used = usage_words(mapping(scorecard.get("usage")))
    named = ", ".join(_name(model) for model in models_of(scorecard))
    if not named and not used:
        return []
    return [f"Judge model: {named or 'not named'}" + (f" · {used}" if used else "")]


def _scatter(judges: list[Judge]) -> list[str]:
    # One line for each measurement: the jury's, else that of the repeated runs; the page has all of them.
    measures = [measure for judge in judges for measure in judge.measures]
    return [f"{_name(m.name)}: {shorten(one_line(m.scatter[0]), _SCATTER)}" for m in measures if m.scatter]


def _ledger(ledger: Mapping[str, Any]) -> str:
    if not ledger:
        return "Ledger: not committed"
    parts = [f"Ledger: {_name(text(ledger.get('backend'))) or 'unnamed'}"]
    for key, name in (("block", "block"), ("transaction_id", "transaction"), ("record_id", "record")):
        if ledger.get(key) is not None:
            parts.append(f"{name} {_name(text(ledger[key]))}")
    return ", ".join(parts)
