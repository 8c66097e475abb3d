"""`glassbox evaluate`: from requests to verified scorecards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from glassbox.adapters.local.files import FileDocuments
from glassbox.cli.batch import Done, Engine, Job, evaluate_all
from glassbox.cli.files import write_overview, write_report
from glassbox.cli.inputs import Input, read_inputs, refusal
from glassbox.cli.options import settings_of
from glassbox.cli.output import complain, console, err, exit_code, print_json
from glassbox.cli.policies import find_policy
from glassbox.errors import UsageError
from glassbox.report import print_scorecard


def evaluate(
    files: Sequence[str],
    *,
    policy: str | None,
    engine: Engine | None,
    out: Path | None,
    jobs: int,
    as_json: bool,
    again: bool,
    key: str | None,
    skip_invalid: bool,
    home: Path | None,
) -> None:
    """Evaluate every request in the files, print a table or JSON for each, and exit with the worst decision."""
    inputs, refused = read_inputs(files)
    if refused and not (skip_invalid and inputs):
        raise refusal(refused)
    for one in refused:
        complain(one.error)
    if key is not None and len(inputs) > 1:
        raise UsageError("An idempotency key belongs to one request", where="--key", fix="Evaluate them one by one")
    job = Job(
        settings=settings_of(home),
        policy=find_policy(policy or "default").document,
        policies=_named_policies(inputs),
        engine=engine,
        again=again,
        idempotency_key=key,
    )
    if policy is not None:
        # An explicit --policy stands above what a request names.
        job = Job(job.settings, job.policy, {}, engine, again, key)
    done = _run(job, inputs, jobs, quiet=len(inputs) == 1)
    _show(done, job, out, as_json=as_json)
    decisions = [d.outcome.scorecard["decision"] if d.outcome else None for d in done]
    raise typer.Exit(exit_code([*decisions, *([None] * len(refused))]))


def _named_policies(inputs: Sequence[Input]) -> dict[str, dict[str, Any]]:
    """Compile each policy that a request names; only built-in names are taken from a request, never a path."""
    from glassbox.contract.policy import built_in

    names = sorted({i.request.policy for i in inputs if i.request.policy})
    return {name: built_in(name).document for name in names}


def _run(job: Job, inputs: Sequence[Input], jobs: int, *, quiet: bool) -> list[Done]:
    columns = (
        TextColumn("evaluating"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    done: list[Done] = []
    progress_console = err()
    with Progress(*columns, console=progress_console, disable=quiet or not progress_console.is_terminal) as bar:
        task = bar.add_task("evaluating", total=len(inputs), last="")
        for one in evaluate_all(job, inputs, jobs):
            done.append(one)
            decision = one.outcome.scorecard["decision"] if one.outcome else "error"
            bar.update(task, advance=1, last=decision)
            if not quiet and not progress_console.is_terminal:
                progress_console.print(f"{len(done)}/{len(inputs)} {one.where} {decision}")
    return sorted(done, key=lambda d: d.index)


def _show(done: Sequence[Done], job: Job, out: Path | None, *, as_json: bool) -> None:
    documents = FileDocuments(job.settings.home)
    finished = [(d, d.outcome) for d in done if d.outcome is not None]
    reports = [write_report(outcome, documents, out) for _, outcome in finished]
    for one in done:
        if one.message:
            err().print(f"glassbox: {one.message}")
    overview = None
    if len(finished) > 1:
        overview = write_overview([(d.where, outcome) for d, outcome in finished], job.settings.home, out)
    if as_json:
        values = [d.outcome.scorecard if d.outcome else {"error": d.problem, "where": d.where} for d in done]
        print_json(values[0] if len(values) == 1 else values)
        return
    screen = console()
    for (one, outcome), report in zip(finished, reports, strict=True):
        if len(finished) > 1:
            screen.print(one.where, markup=False)
        print_scorecard(outcome.scorecard, screen)
        if outcome.already:
            screen.print("Evaluated before: this is the committed scorecard. --again makes a new one.")
        screen.print(f"Report: {report}\n", markup=False, soft_wrap=True)
    if overview is not None:
        screen.print(f"Overview of {len(finished)} evaluations: {overview}", markup=False, soft_wrap=True)
