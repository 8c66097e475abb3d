"""The scorecard as a table for a terminal, readable at 80 columns, without colour and through a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from glassbox.report.bounds import Shortened
from glassbox.report.evidence import claims_of, names_of, relations_of
from glassbox.report.findings import Finding, effects_of, findings_of, flags_of, weights_of
from glassbox.report.measures import Judge, Measure, Verdict, judges_of, verdict_of
from glassbox.report.plain import one_line, shorten
from glassbox.report.read import mapping, of_n, text

_QUOTE: Final = 160
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
    judges, flags = judges_of(scorecard, short), flags_of(scorecard, short)
    findings = findings_of(
        judges,
        claims_of(envelope, short),
        names_of(envelope, short),
        relations_of(envelope, short),
        flags,
        effects_of(scorecard, {}),
    )
    verdict = verdict_of(scorecard, *weights_of(findings))
    console.print(_title(verdict))
    console.print(_plain(f"{verdict.sentence}"))
    console.print(_states(verdict))
    console.print(_plain(f"evaluation {text(scorecard.get('evaluation_id'))}", "dim"))
    console.print(_table(judges))
    _print_findings(findings, console)
    _print_flags([f"{f.code} ({f.severity_words})" for f in flags], console)
    console.print(_plain(_ledger(mapping(scorecard.get("ledger")))))


def _plain(value: str, style: str = "") -> Text:
    """Return text that rich takes literally, on one line, with nothing in it that a terminal obeys."""
    return Text(one_line(value), style=style, overflow="fold")


def _title(verdict: Verdict) -> Text:
    line = Text.assemble(
        (f"{verdict.symbol} {one_line(verdict.label).upper()}", _STYLES.get(verdict.decision, "bold")), overflow="fold"
    )
    trust = f"trust score {verdict.trust_text}" if verdict.trust is not None else "no trust score"
    line.append(f"  {trust}, the bar is {verdict.bar_text}")
    return line


def _states(verdict: Verdict) -> Text:
    return _plain(" · ".join(f"{title}: {value}" for title, value, _, _ in verdict.states))


def _table(judges: list[Judge]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=False)
    table.add_column("Measurement", overflow="fold", min_width=20)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("Target", no_wrap=True)
    table.add_column("Result", overflow="fold")
    table.add_column("Engine", overflow="fold")
    for judge in judges:
        score = judge.score_text if judge.score is not None else "none"
        table.add_row(
            _plain(judge.title, "bold"), Text(score, "bold"), Text(""), _plain(judge.absence), _plain(judge.engine)
        )
        table.add_row(_plain(judge.question, "italic"), Text(""), Text(""), Text(""), Text(""))
        for measure in judge.measures:
            if measure.weighed:
                table.add_row(*_row(measure), Text(""))
        table.add_section()
    return table


def _row(measure: Measure) -> Iterator[Text]:
    yield Text("  " * (measure.depth + 1)) + _plain(measure.title)
    yield Text("none" if measure.value is None else measure.value_text)
    yield Text(measure.target_text)
    if measure.value is None:
        yield _plain(f"{measure.absence}: {measure.reason}" if measure.reason else measure.absence, "dim")
    else:
        style = "green" if measure.passed else "red" if measure.passed is False else "dim"
        yield _plain(f"{measure.symbol} {measure.outcome}", style)


def _print_findings(findings: list[Finding], console: Console) -> None:
    if not findings:
        console.print(_plain("What is wrong: nothing found in what was measured."))
        return
    console.print(_plain(f"What is wrong ({of_n(len(findings), 'finding')}):", "bold"))
    for finding in findings[:_FINDINGS]:
        head = Text.assemble((f"{finding.symbol} ", _STYLES.get(finding.severity, "")))
        head.append(one_line(f"{finding.title} ({finding.severity_words})"))
        console.print(Padding(head, (0, 0, 0, 2)))
        if finding.quote:
            console.print(Padding(_plain(f"“{shorten(one_line(finding.quote), _QUOTE)}”"), (0, 0, 0, 4)))
        console.print(Padding(_plain(finding.says), (0, 0, 0, 4)))
        for fact in finding.facts:
            value = shorten(one_line(fact.value), _QUOTE)
            console.print(Padding(_plain(f"{shorten(one_line(fact.key), 40)}: {value}", "dim"), (0, 0, 0, 4)))
    if len(findings) > _FINDINGS:
        console.print(_plain(f"  and {len(findings) - _FINDINGS} more: see the report"))


def _print_flags(codes: list[str], console: Console) -> None:
    if not codes:
        console.print(_plain("Flags: none"))
        return
    counted = [f"{code} ×{codes.count(code)}" if codes.count(code) > 1 else code for code in dict.fromkeys(codes)]
    console.print(_plain("Flags: " + ", ".join(counted)))


def _ledger(ledger: Mapping[str, Any]) -> str:
    if not ledger:
        return "Ledger: not committed"
    parts = [f"Ledger: {text(ledger.get('backend')) or 'unnamed'}"]
    for key, name in (("block", "block"), ("transaction_id", "transaction"), ("record_id", "record")):
        if ledger.get(key) is not None:
            parts.append(f"{name} {text(ledger[key])}")
    return ", ".join(parts)
